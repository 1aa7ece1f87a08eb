/** The values of a chart as a file: a line a month, each series in both periods with all its digits, what bills cover, and the basis. Pure. */
import { basisLabels, DEFAULT_BASIS, isWholeBills, type DashboardBasis } from '#contract/dashboard/basis.ts'
import { graphTypeLabels, type DashboardAnswer, type GraphSeries } from '#contract/dashboard/dashboard.ts'
import { csvText } from '../kernel/csv-text.ts'

export function graphCsv(
  { graph_data_type: type, coverage }: DashboardAnswer['graphs'],
  own: readonly GraphSeries[],
  compared: boolean,
  basis: DashboardBasis,
): string {
  const before = (cells: readonly string[]) => (compared ? cells : [])
  const covered = (cells: readonly string[]) => (isWholeBills(basis) ? [] : cells)
  const named = own.map((series) => `${series.name} ${graphTypeLabels[type]}${unitText(type, series)}`)
  const head = [
    'Month',
    ...before(['Previous Month']),
    ...named.flatMap((name) => [name, ...before([`${name} Previous`])]),
    ...covered(['Billed', ...before(['Billed Previous'])]),
    'Basis',
  ]
  const lines = coverage.map((point, place) => [
    point.month,
    ...before([point.previous_month]),
    ...own.flatMap(({ points }) => [points[place]?.current ?? '', ...before([points[place]?.previous ?? ''])]),
    ...covered([point.current ?? '', ...before([point.previous ?? ''])]),
    basisLabels[basis],
  ])
  return csvText([head, ...lines])
}

/** ' (kWh)', ' ($ per kWh)'; tonnes and dollars. */
export function unitText(type: DashboardAnswer['graphs']['graph_data_type'], series: GraphSeries | undefined): string {
  switch (type) {
    case 'cost':
      return ' ($)'
    case 'emissions':
      return ' (Tonnes of CO2e)'
    case 'usage':
      return ` (${series?.unit_symbol ?? ''})`
    case 'unit_cost':
      return ` ($ per ${series?.unit_symbol ?? ''})`
  }
}

/** The name of a file from what it is of: 'Harvest Lane', 'Store 1' is 'harvest-lane-store-1'. */
export function fileNameOf(parts: readonly string[]): string {
  return [...new Set(parts)]
    .join('-')
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
    .toLowerCase()
}

/** The part of a file's name that tells two bases of the same months apart. */
export function basisInName(basis: DashboardBasis): readonly string[] {
  return basis === DEFAULT_BASIS ? [] : [basis]
}
