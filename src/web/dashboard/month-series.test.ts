import type { DashboardAnswer, GraphSeries } from '#contract/dashboard/dashboard.ts'
import { expect, test } from 'vitest'
import { arrangementOf, drawnSeries, hasPartialMonth, monthAxis, monthsShown } from './month-series.ts'

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

test('the same months of two years stand at one place: this year as bars, last year as a line over them, the partly billed month hatched', () => {
  const graphs = graphsOf(['2026-09', '2026-10'], ['2025-09', '2025-10'])
  const arrangement = arrangementOf(graphs, true)
  expect(arrangement).toBe('beside')
  expect(monthAxis(graphs, arrangement, 'calendarized')).toMatchObject({
    categories: ['09/2026', '10/2026'],
    notes: ['100.0% billed, 09/2025: 100.0% billed', '74.2% billed, 10/2025: 100.0% billed'],
  })
  const [current, line, ...others] = drawnSeries(graphs, graphs.series, arrangement)
  expect(current).toMatchObject({ values: [3, 4], looks: [{ hatched: false }, { hatched: true }] })
  expect(line).toMatchObject({ name: 'Last year', isLine: true, values: [1, 2], pointNames: ['09/2025', '10/2025'] })
  expect(others).toEqual([])
  expect(hasPartialMonth(graphs, arrangement)).toBe(true)
})

test('other months stand in a row: no bar stands at the name of another month', () => {
  const graphs = graphsOf(['2026-09', '2026-10'], ['2026-07', '2026-08'])
  const arrangement = arrangementOf(graphs, true)
  expect(arrangement).toBe('in a row')
  expect(monthAxis(graphs, arrangement, 'calendarized').categories).toEqual(['07/2026', '08/2026', '09/2026', '10/2026'])
  expect(drawnSeries(graphs, graphs.series, arrangement)).toMatchObject([
    { name: 'Electric', values: [1, 2, 3, 4], looks: [{ outlined: true }, { outlined: true }, { hatched: false }, { hatched: true }] },
  ])
})

test('without a comparison there is only the current period', () => {
  const graphs = graphsOf(['2026-09', '2026-10'], ['2025-09', '2025-10'])
  expect(arrangementOf(graphs, false)).toBe('alone')
  expect(drawnSeries(graphs, graphs.series, 'alone').map((series) => series.values)).toEqual([[3, 4]])
})

test('of several series the line is their sum to the cent; the earlier values of each stay in the table, undrawn', () => {
  const graphs = graphsOf(['2026-09', '2026-10'], ['2025-09', '2025-10'])
  const [electric] = graphs.series
  if (!electric) throw new Error('no series')
  const gas = {
    ...electric,
    name: 'Gas',
    points: electric.points.map((point, place) => ({ ...point, previous: place === 0 ? '0.20' : null })),
  }
  const both = [{ ...electric, points: electric.points.map((point) => ({ ...point, previous: '0.10' })) }, gas]
  const drawn = drawnSeries(graphs, both, 'beside')
  expect(drawn.map(({ name, isHidden = false }) => [name, isHidden])).toEqual([
    ['Electric', false],
    ['Gas', false],
    ['Last year', false],
    ['Electric, last year', true],
    ['Gas, last year', true],
  ])
  expect(drawn[2]?.values).toEqual([0.3, 0.1])
  const years = graphsOf(['2024-09', '2026-10'], ['2022-09', '2024-10'])
  expect(drawnSeries(years, years.series, 'beside')[1]?.name).toBe('2 years earlier')
})

test('a month leads to its bills where something is billed in it; two years at one place lead to the current one', () => {
  const graphs = graphsOf(['2026-09', '2026-10'], ['2026-07', '2026-08'])
  expect(monthsShown(graphs, graphs.series, 'alone')).toEqual([
    { month: '2026-09', isBilled: true },
    { month: '2026-10', isBilled: true },
  ])
  expect(monthsShown(graphs, graphs.series, 'in a row').map(({ month }) => month)).toEqual(['2026-07', '2026-08', '2026-09', '2026-10'])
  const none = graphs.series.map((one) => ({ ...one, points: one.points.map((point) => ({ ...point, current: '0.00' })) }))
  expect(monthsShown(graphs, none, 'alone').map(({ isBilled }) => isBilled)).toEqual([false, false])
})
