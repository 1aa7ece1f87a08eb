import { expect, test } from 'vitest'
import type { CostChange, CostChangeRow, ServiceSplit } from '#contract/dashboard/dashboard-cost-change.ts'
import { changeSentence, costChangeCsv, signedMoney, sortedChanges, unitsSentence } from './cost-change-columns.ts'

const split = {
  previous: '1200.00',
  current: '1644.00',
  change: '444.00',
  by_usage: '240.00',
  by_price: '144.00',
  unsplit: '60.00',
  reasons: [{ reason: 'no_usage' as const, amount: '60.00' }],
}
const service: ServiceSplit = {
  ...split,
  service_id: 1,
  name: 'Electric',
  service_code: 'electric',
  unit_symbol: 'kWh',
  usage: { current: '14400.000', previous: '12000.000' },
  unit_cost: { current: '0.1100', previous: '0.1000' },
}
const row = (name: string, change: string): CostChangeRow => ({
  ...split,
  change,
  id: 1,
  name,
  place: 'West',
  account_type: null,
  services: [service],
})
const answer: CostChange = {
  children: 'facilities',
  basis: 'calendarized',
  windows: { current: { from: '2025-01-01', to: '2025-12-31' }, previous: { from: '2024-01-01', to: '2024-12-31' } },
  total: split,
  services: [service],
  rows: [],
  count: 2,
}

test('a change is told in a sentence whose parts add up to it, with the usage and the unit cost before and now', () => {
  expect(changeSentence(split)).toBe('Cost rose by $444.00: +$240.00 by usage, +$144.00 by price, +$60.00 that cannot be split.')
  expect(changeSentence({ ...split, change: '-120.00', by_usage: '-300.00', by_price: '180.00', unsplit: '0.00', reasons: [] })).toBe(
    'Cost fell by $120.00: −$300.00 by usage, +$180.00 by price.',
  )
  expect(unitsSentence(service)).toBe('12,000 → 14,400 kWh, $0.1000 → $0.1100 per kWh')
  expect(unitsSentence({ ...service, usage: { current: null, previous: null } })).toBe('')
  expect([signedMoney('0.00'), signedMoney('-0.05'), signedMoney('5.00')]).toEqual(['$0.00', '−$0.05', '+$5.00'])
})

test('rows sort by a change with its sign, and by name', () => {
  const rows = [row('Store 10', '5.00'), row('Store 2', '-700.00'), row('Store 3', '44.00')]
  expect(sortedChanges(rows, '-change').map(({ name }) => name)).toEqual(['Store 3', 'Store 10', 'Store 2'])
  expect(sortedChanges(rows, 'change').map(({ name }) => name)).toEqual(['Store 2', 'Store 10', 'Store 3'])
  expect(sortedChanges(rows, 'name').map(({ name }) => name)).toEqual(['Store 2', 'Store 3', 'Store 10'])
})

test('the file has a line for each row and service with the amount of each reason, and runs nothing', () => {
  const [head = '', first = '', end = ''] = costChangeCsv(answer, [row('=1+1', '444.00')]).split('\r\n')
  expect(head).toContain(
    'Change,By Usage,By Price,Not Split,Not billed the year before,Not billed any more,Days billed in one year only,No usage on the bills,',
  )
  expect(first).toBe(
    "'=1+1,West,Electric,2025-01-01,2025-12-31,2024-01-01,2024-12-31,1200.00,1644.00,444.00,240.00,144.00,60.00,0.00,0.00,0.00,60.00,0.00,kWh,12000.000,14400.000,0.1000,0.1100,Calendarized",
  )
  expect(end).toBe('')
})
