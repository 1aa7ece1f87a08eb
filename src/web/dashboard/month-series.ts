/** The data of a dashboard's charts: each value at its month, with its look. Pure. */
import { isWholeBills, type DashboardBasis } from '#contract/dashboard/basis.ts'
import type { DashboardAnswer, GraphPoint, GraphSeries } from '#contract/dashboard/dashboard.ts'
import { formatMonth } from '#contract/kernel/date.ts'
import { approximately, sumDecimals } from '#contract/kernel/decimal.ts'
import { comparisonState, formatCoverage } from '#contract/dashboard/metrics.ts'
import { hasBills } from './bills-behind.ts'
import type { ChartColor, ChartSeries, PointLook } from '../ui/charts/chart-types.ts'

export type Graphs = DashboardAnswer['graphs']

/**
 * Arrangement of two windows in a chart. `beside`: the same months of two years, both at one place per month. `in a row`: different months, each
 * at its own place, one window after the other. `alone`: no comparison.
 */
export type Arrangement = 'beside' | 'in a row' | 'alone'

export interface MonthAxis {
  readonly arrangement: Arrangement
  readonly categories: readonly string[]
  readonly notes: readonly string[]
}

export function arrangementOf({ series, coverage }: Graphs, compared: boolean): Arrangement {
  if (!compared || !series.some(hasPrevious)) return 'alone'
  return coverage.every(({ month, previous_month }) => month.slice(5) === previous_month.slice(5)) ? 'beside' : 'in a row'
}

/** A bill that counts whole has no share of a month. */
export function monthAxis({ coverage }: Graphs, arrangement: Arrangement, basis: DashboardBasis): MonthAxis {
  const before = coverage.map((point) => formatMonth(point.previous_month))
  const now = coverage.map((point) => formatMonth(point.month))
  const textOf = (covered: string | null) => (isWholeBills(basis) ? '' : billedText(covered))
  const billedNow = coverage.map((point) => textOf(point.current))
  const billedBefore = coverage.map((point) => textOf(point.previous))
  switch (arrangement) {
    case 'beside':
      return {
        arrangement,
        categories: now,
        notes: isWholeBills(basis)
          ? before.map((month) => `compared with ${month}`)
          : before.map((month, place) => `${billedNow[place]}, ${month}: ${billedBefore[place]}`),
      }
    case 'in a row':
      return {
        arrangement,
        categories: [...before, ...now],
        notes: [...billedBefore.map((text) => (text === '' ? 'previous period' : `previous period, ${text}`)), ...billedNow],
      }
    case 'alone':
      return { arrangement, categories: now, notes: billedNow }
  }
}

export interface MonthShown {
  readonly month: string
  /** Whether any of the chart's series has something in it. */
  readonly isBilled: boolean
}

/** The month at each place of the axis; where two years share a place, it is that of the current period. */
export function monthsShown({ coverage }: Graphs, own: readonly GraphSeries[], arrangement: Arrangement): MonthShown[] {
  const isBilled = (place: number, of: 'current' | 'previous') => own.some(({ points }) => hasBills(points[place]?.[of] ?? null))
  const now = coverage.map(({ month }, place) => ({ month, isBilled: isBilled(place, 'current') }))
  if (arrangement !== 'in a row') return now
  return [...coverage.map(({ previous_month: month }, place) => ({ month, isBilled: isBilled(place, 'previous') })), ...now]
}

/** Returns the series of a chart; those that share a colour differ in shade. */
export function drawnSeries(graphs: Graphs, own: readonly GraphSeries[], arrangement: Arrangement): ChartSeries[] {
  const seen = new Map<ChartColor, number>()
  const all = own.flatMap((series) => {
    const color = colorOf(series.service_code)
    const shade = seen.get(color) ?? 0
    seen.set(color, shade + 1)
    return drawn(graphs, series, { color, shade }, arrangement)
  })
  return arrangement === 'beside' && graphs.graph_data_type !== 'unit_cost' ? withEarlierLine(graphs, own, all) : all
}

/** The bars of this year, one line over them for what all series were in the earlier year, and each series' own earlier values undrawn. */
function withEarlierLine(graphs: Graphs, own: readonly GraphSeries[], all: readonly ChartSeries[]): ChartSeries[] {
  const earlier = all.filter(({ unlisted }) => unlisted)
  const line: ChartSeries = {
    name: earlierName(graphs),
    color: 'electric',
    isLine: true,
    pile: 'before',
    values: graphs.coverage.map((_, place) => earlierSum(own, place)),
    looks: graphs.coverage.map(({ previous }) => ({ outlined: true, hatched: isPartial(previous) })),
    pointNames: graphs.coverage.map(({ previous_month }) => formatMonth(previous_month)),
  }
  const undrawn = own.length > 1 ? earlier.map((one) => ({ ...one, isHidden: true })) : []
  return [
    ...all.filter(({ unlisted }) => !unlisted).map((one) => (own.length > 1 ? one : { ...one, besides: undefined })),
    line,
    ...undrawn,
  ]
}

function earlierSum(own: readonly GraphSeries[], place: number): number | null {
  const values = own.flatMap(({ points }) => points[place]?.previous ?? [])
  return values.length === 0 ? null : approximately(sumDecimals(values))
}

/** 'Last year', or how many years the compared months lie back. */
export function earlierName({ coverage }: Graphs): string {
  const [first] = coverage
  const years = first ? Number(first.month.slice(0, 4)) - Number(first.previous_month.slice(0, 4)) : 1
  return years === 1 ? 'Last year' : `${years} years earlier`
}

/** Whether any month is hatched, because bills leave some of its days open. */
export function hasPartialMonth({ coverage }: Graphs, arrangement: Arrangement): boolean {
  return coverage.some(({ current, previous }) => isPartial(current) || (arrangement !== 'alone' && isPartial(previous)))
}

function drawn(graphs: Graphs, series: GraphSeries, paint: { color: ChartColor; shade: number }, arrangement: Arrangement): ChartSeries[] {
  const { name, points } = series
  const looksNow = graphs.coverage.map(({ current }): PointLook => ({ hatched: isPartial(current) }))
  const looksBefore = graphs.coverage.map(({ previous }): PointLook => ({ outlined: true, hatched: isPartial(previous) }))
  const now = points.map((point) => numberOf(point.current))
  const before = points.map((point) => numberOf(point.previous))
  switch (arrangement) {
    case 'beside': {
      const current = { name, ...paint, values: now, looks: looksNow, pile: 'now', besides: name }
      if (!hasPrevious(series)) return [current]
      const pointNames = points.map((point) => formatMonth(point.previous_month))
      const earlier = {
        ...current,
        name: `${name}, ${earlierName(graphs).toLowerCase()}`,
        values: before,
        looks: looksBefore,
        pointNames,
        pile: 'before',
        unlisted: true,
      }
      return [earlier, current]
    }
    case 'in a row':
      return [{ name, ...paint, values: [...before, ...now], looks: [...looksBefore, ...looksNow] }]
    case 'alone':
      return [{ name, ...paint, values: now, looks: looksNow }]
  }
}

function billedText(covered: string | null): string {
  return covered === null ? 'no meter expected' : `${formatCoverage(covered)} billed`
}

function isPartial(covered: string | null): boolean {
  return comparisonState([covered]) !== 'complete'
}

function hasPrevious(series: GraphSeries): boolean {
  return series.points.some((point: GraphPoint) => point.previous !== null)
}

/** Charts draw floats; no sums are computed from them. */
function numberOf(value: string | null): number | null {
  return value === null ? null : approximately(value)
}

/** Returns the colour of a service. One without its own colour takes that of the most similar service; fuels take that of gas. */
function colorOf(code: string | null): ChartColor {
  switch (code) {
    case 'electric':
      return 'electric'
    case 'natural_gas':
    case 'propane':
    case 'diesel':
    case 'gasoline':
    case 'steam':
      return 'gas'
    case 'water':
    case 'chilled_water':
      return 'water'
    case 'sewer':
      return 'sewer'
    case 'telecom':
      return 'telecom'
    default:
      return 'waste'
  }
}
