import { expect, test } from 'vitest'
import type { ChildRow } from '#contract/dashboard/dashboard-children.ts'
import { nextOrder } from '../ui/sort-order.ts'
import { childrenCsv, sortedChildren } from './child-columns.ts'

const figure = (current: string | null, now: string | null, before: string | null, change: string | null) => ({
  current,
  previous: before,
  change,
  like_for_like: { current: now, previous: before },
})

function row(name: string, perArea: ChildRow['cost_per_sqft'], cost = '10.00'): ChildRow {
  const none = figure(null, null, null, null)
  return {
    id: 1,
    name,
    place: null,
    account_type: null,
    service_code: null,
    spark: [],
    area: perArea.current === null ? null : '100',
    cost: figure(cost, cost, '5.00', '100.00'),
    usage: none,
    unit_symbol: 'MMBtu',
    cost_per_sqft: perArea,
    energy_per_sqft: none,
    usage_per_sqft: none,
    benchmark: null,
    mtc02e: none,
    coverage: { current: '1.0000', previous: null },
    comparison: { state: 'complete', reason: null },
    notes: {
      usage: 'no energy',
      cost_per_sqft: perArea.current === null ? 'no area' : null,
      energy_per_sqft: null,
      usage_per_sqft: null,
      mtc02e: null,
    },
  }
}

const rows = [
  row('Store 10', figure('2.0000', '2.0000', '1.9000', '5.26')),
  row('Store 2', figure(null, null, null, null)),
  row('Store 3', figure('9.0000', '9.0000', '7.5000', '20.00')),
  // The change is withheld: it ranks nowhere, however large the amounts differ.
  row('Store 4', figure('9.0000', '9.0000', '1.0000', null)),
]
const names = (order: string) => sortedChildren(rows, order).map((one) => one.name)

test('the change of a figure sorts by its amount, and what has no change stands last either way', () => {
  expect(names('-cost_per_sqft_change')).toEqual(['Store 3', 'Store 10', 'Store 2', 'Store 4'])
  expect(names('cost_per_sqft_change')).toEqual(['Store 10', 'Store 3', 'Store 2', 'Store 4'])
  expect(names('name')).toEqual(['Store 2', 'Store 3', 'Store 4', 'Store 10'])
  expect(names('-cost_per_sqft')[0]).toBe('Store 3')
  expect([nextOrder('', 'cost'), nextOrder('-cost', 'cost'), nextOrder('', 'name')]).toEqual(['-cost', 'cost', 'name'])
})

test('the file holds every digit, says why a figure is missing, and runs nothing', () => {
  const [head = '', first = '', second = ''] = childrenCsv(
    [row('=SUM(A1), "x"', figure(null, null, null, null)), ...rows],
    'Facility',
    'fiscal',
  ).split('\r\n')
  expect(head.startsWith('Facility,Place,Square Footage,Usage Unit,Cost,Cost Previous,Cost Change %,')).toBe(true)
  expect(first.startsWith(`"'=SUM(A1), ""x""",,no area,MMBtu,10.00,5.00,100.00,`)).toBe(true)
  expect(second.startsWith('Store 10,,100,MMBtu,10.00,5.00,100.00,2.0000,1.9000,5.26,')).toBe(true)
  expect([head, second].map((line) => line.slice(line.lastIndexOf(',')))).toEqual([',Basis', ',Billed by fiscal month'])
  expect(new Set([head, second].map((line) => line.split(',').length)).size).toBe(1)
})

test('the file of facilities holds the rank and the band of each measure, or why there is none', () => {
  const ranked = {
    ...row('Store 1', figure('2.0000', '2.0000', '1.9000', '5.26')),
    benchmark: { unranked: null, cost_per_sqft: { rank: 3, band: 'high_outlier' as const }, energy_per_sqft: null, usage_per_sqft: null },
  }
  const left = {
    ...row('Store 2', figure(null, null, null, null)),
    benchmark: { unranked: 'no area', cost_per_sqft: null, energy_per_sqft: null, usage_per_sqft: null },
  }
  const [head = '', first = '', second = ''] = childrenCsv([ranked, left], 'Facility', 'fiscal').split('\r\n')
  expect(head).toMatch(/,Not Ranked,\$\/sq ft Rank,\$\/sq ft Band,.*,Basis$/)
  expect(first.endsWith(',,3,high outlier,,,,,Billed by fiscal month')).toBe(true)
  expect(second.endsWith(',no area,,,,,,,Billed by fiscal month')).toBe(true)
  expect(childrenCsv([row('Store 1', figure(null, null, null, null))], 'Account', 'fiscal')).not.toContain('Rank')
})
