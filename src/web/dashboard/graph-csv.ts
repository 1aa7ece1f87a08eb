/** The values of a chart as a file: a line a month, each series in both periods with all its digits, and what bills cover. Pure. */
import { graphTypeLabels, type DashboardAnswer, type GraphSeries } from '#contract/dashboard/dashboard.ts'
import { csvText } from './child-columns.ts'

export function graphCsv(
  { graph_data_type: type, coverage }: DashboardAnswer['graphs'],
  own: readonly GraphSeries[],
  compared: boolean,
): string {
  const before = (cells: readonly string[]) => (compared ? cells : [])
  const named = own.map((series) => `${series.name} ${graphTypeLabels[type]}${unitText(type, series)}`)
  const head = [
    'Month',
    ...before(['Previous Month']),
    ...named.flatMap((name) => [name, ...before([`${name} Previous`])]),
    'Billed',
    ...before(['Billed Previous']),
  ]
  const lines = coverage.map((point, place) => [
    point.month,
    ...before([point.previous_month]),
    ...own.flatMap(({ points }) => [points[place]?.current ?? '', ...before([points[place]?.previous ?? ''])]),
    point.current ?? '',
    ...before([point.previous ?? '']),
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
