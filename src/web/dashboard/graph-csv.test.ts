import type { DashboardAnswer, GraphSeries } from '#contract/dashboard/dashboard.ts'
import { expect, test } from 'vitest'
import { basisInName, fileNameOf, graphCsv } from './graph-csv.ts'

const series: GraphSeries = {
  kind: 'service',
  id: 1,
  name: 'Power, =SUM(A1)',
  service_name: 'Electric',
  service_code: 'electric',
  unit_symbol: 'kWh',
  points: [
    { month: '2026-09', previous_month: '2025-09', current: '1234567.890', previous: null },
    { month: '2026-10', previous_month: '2025-10', current: '-5.000', previous: '7.125' },
  ],
}
const coverage = [
  { month: '2026-09', previous_month: '2025-09', current: '1.0000', previous: null },
  { month: '2026-10', previous_month: '2025-10', current: '0.7427', previous: '1.0000' },
]
const graphs: DashboardAnswer['graphs'] = { graph_data_type: 'usage', series: [series], coverage }

test('the file of a chart has all digits, its units, both periods and what bills cover', () => {
  expect(graphCsv(graphs, [series], true, 'calendarized').split('\r\n')).toEqual([
    'Month,Previous Month,"Power, =SUM(A1) Usage (kWh)","Power, =SUM(A1) Usage (kWh) Previous",Billed,Billed Previous,Basis',
    '2026-09,2025-09,1234567.890,,1.0000,,Calendarized',
    '2026-10,2025-10,-5.000,7.125,0.7427,1.0000,Calendarized',
    '',
  ])
  expect(graphCsv({ ...graphs, graph_data_type: 'unit_cost' }, [{ ...series, name: '=1+1' }], false, 'calendarized').split('\r\n')[0]).toBe(
    "Month,'=1+1 Unit Cost ($ per kWh),Billed,Basis",
  )
})

test('where bills count whole, the file of a chart says so and tells no share of a month', () => {
  expect(graphCsv(graphs, [series], true, 'billed').split('\r\n').slice(1, 3)).toEqual([
    '2026-09,2025-09,1234567.890,,Billed by bill date',
    '2026-10,2025-10,-5.000,7.125,Billed by bill date',
  ])
  expect(graphCsv(graphs, [series], false, 'fiscal').split('\r\n')[1]).toBe('2026-09,1234567.890,Billed by fiscal month')
  expect([basisInName('calendarized'), basisInName('fiscal')]).toEqual([[], ['fiscal']])
})

test('a file is named after the client and the scope, and after a client alone once', () => {
  expect(fileNameOf(['Harvest Lane', 'Store 1/West', '2026-09'])).toBe('harvest-lane-store-1-west-2026-09')
  expect(fileNameOf(['Harvest Lane', 'Harvest Lane'])).toBe('harvest-lane')
})
