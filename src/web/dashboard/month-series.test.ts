import type { DashboardAnswer, GraphSeries } from '#contract/dashboard/dashboard.ts'
import { expect, test } from 'vitest'
import { arrangementOf, drawnSeries, hasPartialMonth, monthAxis } from './month-series.ts'

/** Two months of electricity compared with two others; bills cover three quarters of the last month. */
function graphsOf(months: readonly [string, string], before: readonly [string, string]): DashboardAnswer['graphs'] {
  const points = months.map((month, place) => ({
    month,
    previous_month: before[place] ?? '',
    current: `${place + 3}.00`,
    previous: `${place + 1}.00`,
  }))
  const series: GraphSeries = {
    kind: 'service',
    id: 1,
    name: 'Electric',
    service_name: 'Electric',
    service_code: 'electric',
    unit_symbol: 'kWh',
    points,
  }
  const coverage = points.map(({ month, previous_month }, place) => ({
    month,
    previous_month,
    current: place === 1 ? '0.7427' : '1.0000',
    previous: '1.0000',
  }))
  return { graph_data_type: 'cost', series: [series], coverage }
}

test('the same months of two years stand beside each other, the earlier outlined, the partly billed month hatched', () => {
  const graphs = graphsOf(['2026-09', '2026-10'], ['2025-09', '2025-10'])
  const arrangement = arrangementOf(graphs, true)
  expect(arrangement).toBe('beside')
  expect(monthAxis(graphs, arrangement)).toMatchObject({
    categories: ['09/2026', '10/2026'],
    notes: ['100.0 % billed, 09/2025: 100.0 % billed', '74.2 % billed, 10/2025: 100.0 % billed'],
  })
  const [earlier, current] = drawnSeries(graphs, graphs.series, arrangement)
  expect(earlier).toMatchObject({ values: [1, 2], pointNames: ['09/2025', '10/2025'], looks: [{ outlined: true }, { outlined: true }] })
  expect(current).toMatchObject({ values: [3, 4], looks: [{ hatched: false }, { hatched: true }] })
  expect(hasPartialMonth(graphs, arrangement)).toBe(true)
})

test('other months stand in a row: no bar stands at the name of another month', () => {
  const graphs = graphsOf(['2026-09', '2026-10'], ['2026-07', '2026-08'])
  const arrangement = arrangementOf(graphs, true)
  expect(arrangement).toBe('in a row')
  expect(monthAxis(graphs, arrangement).categories).toEqual(['07/2026', '08/2026', '09/2026', '10/2026'])
  expect(drawnSeries(graphs, graphs.series, arrangement)).toMatchObject([
    { name: 'Electric', values: [1, 2, 3, 4], looks: [{ outlined: true }, { outlined: true }, { hatched: false }, { hatched: true }] },
  ])
})

test('without a comparison there is only the current period', () => {
  const graphs = graphsOf(['2026-09', '2026-10'], ['2025-09', '2025-10'])
  expect(arrangementOf(graphs, false)).toBe('alone')
  expect(drawnSeries(graphs, graphs.series, 'alone').map((series) => series.values)).toEqual([[3, 4]])
})
