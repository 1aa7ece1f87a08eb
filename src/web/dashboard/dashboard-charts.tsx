import { basisLabels, isWholeBills, type DashboardBasis } from '#contract/dashboard/basis.ts'
import type { DashboardAnswer, GraphSeries, GraphType } from '#contract/dashboard/dashboard.ts'
import { firstDayOf, formatMonth, lastDayOf } from '#contract/kernel/date.ts'
import { formatCoverage } from '#contract/dashboard/metrics.ts'
import { saveDrawing, saveText } from '../kernel/open-file.ts'
import { useLoadedClient } from '../kernel/scope.ts'
import type { ChartSaving } from '../ui/charts/chart-types.ts'
import { Chart } from '../ui/charts/chart.tsx'
import { billsBehind, type FigureOf } from './bills-behind.ts'
import { basisInName, fileNameOf, graphCsv, unitText } from './graph-csv.ts'
import { cx } from '../ui/class-names.ts'
import { fullText, type MetricKind } from './metric-text.ts'
import { arrangementOf, drawnSeries, hasPartialMonth, monthAxis, monthsShown, type Arrangement, type MonthShown } from './month-series.ts'
import styles from './dashboard.module.css'

export interface DashboardChartsProps {
  readonly graphs: DashboardAnswer['graphs']
  readonly basis: DashboardBasis
  readonly compared: boolean
  /** The subject of the figures; null if the person may not read their bills. */
  readonly bills: FigureOf | null
  /** The scope and its service, for the files. */
  readonly scopeName: string
}

/** One point per month. Values that cannot be summed have separate charts: usage per utility service, unit costs per unit. */
export function DashboardCharts({ graphs, basis, compared, bills, scopeName }: DashboardChartsProps) {
  const client = useLoadedClient()?.name
  const { graph_data_type: type } = graphs
  const arrangement = arrangementOf(graphs, compared)
  const { categories, notes } = monthAxis(graphs, arrangement, basis)
  const charts = chartsOf(type, graphs.series)
  return (
    <section className={styles.charts} aria-label="Graphs">
      {charts.size === 0 && <p className={styles.quiet}>No data for these choices.</p>}
      {[...charts].map(([title, own]) => (
        <Chart
          key={title}
          title={title}
          kind={type === 'unit_cost' ? 'line' : 'stacked'}
          categories={categories}
          categoryNotes={notes}
          series={drawnSeries(graphs, own, arrangement)}
          valueText={(value) => fullText(value.toFixed(4), kinds[type])}
          scalePrefix={type === 'cost' || type === 'unit_cost' ? '$' : ''}
          height={charts.size > 1 ? 240 : 340}
          links={bills ? monthsShown(graphs, own, arrangement).map((month) => billsOfMonth(bills, own, type, month)) : undefined}
          linkLabel="Bills of"
          saving={savingOf({ graphs, basis, own, compared, title, names: [...(client === undefined ? [] : [client]), scopeName] })}
        />
      ))}
      <LookLegend graphs={graphs} arrangement={arrangement} />
      {!isWholeBills(basis) && <MonthCoverage coverage={graphs.coverage} compared={compared} />}
    </section>
  )
}

function MonthCoverage({ coverage, compared }: { coverage: DashboardAnswer['graphs']['coverage']; compared: boolean }) {
  return (
    <details className={styles.coverage}>
      <summary>Coverage of each month</summary>
      <ul className="num">
        {coverage.map((point) => (
          <li key={point.month}>
            {formatMonth(point.month)}: {formatCoverage(point.current)}
            {compared && `, ${formatMonth(point.previous_month)}: ${formatCoverage(point.previous)}`}
          </li>
        ))}
      </ul>
    </details>
  )
}

interface Saved {
  readonly basis: DashboardBasis
  readonly graphs: DashboardAnswer['graphs']
  readonly own: readonly GraphSeries[]
  readonly compared: boolean
  readonly title: string
  /** The client and the scope. */
  readonly names: readonly string[]
}

/** Both files are named after the client, the scope, the chart, its months, and the basis where it is not the usual one. */
function savingOf({ graphs, basis, own, compared, title, names }: Saved): ChartSaving {
  const { graph_data_type: type, coverage } = graphs
  const [first, last] = [coverage[0], coverage.at(-1)]
  const file = fileNameOf([...names, title.replace(/ by month/, ''), first?.month ?? '', last?.month ?? '', ...basisInName(basis)])
  const range = `${formatMonth(first?.month)} – ${formatMonth(last?.month)}`
  const before = compared ? `, compared with ${formatMonth(first?.previous_month)} – ${formatMonth(last?.previous_month)}` : ''
  const lines = [
    [...new Set(names)].join(', '),
    `${range}${before}. ${basisLabels[basis]}${isWholeBills(basis) ? '' : ' months'}.${unitText(type, own[0])}`,
  ]
  return {
    lines,
    onPicture: (svg) => saveDrawing(`${file}.svg`, svg),
    onValues: () => saveText(`${file}.csv`, graphCsv(graphs, own, compared, basis)),
  }
}

/** The bills of a month; none where nothing is billed in it. A chart of one utility service leads to the bills of that service. */
function billsOfMonth(bills: FigureOf, own: readonly GraphSeries[], type: GraphType, { month, isBilled }: MonthShown): string | undefined {
  if (!isBilled) return undefined
  const [first] = own
  const service = type === 'usage' && first?.kind === 'service' && first.id !== null ? String(first.id) : bills.service
  return billsBehind({ ...bills, service, from: firstDayOf(month), to: lastDayOf(month) })
}

/** The legend of the bars' looks. */
function LookLegend({ graphs, arrangement }: { graphs: DashboardAnswer['graphs']; arrangement: Arrangement }) {
  const { coverage } = graphs
  const span = (months: readonly string[]) => `${formatMonth(months[0])} – ${formatMonth(months.at(-1))}`
  const isHatched = hasPartialMonth(graphs, arrangement)
  const isOverlaid = arrangement === 'beside' && graphs.graph_data_type !== 'unit_cost'
  if (arrangement === 'alone' && !isHatched) return null
  return (
    <ul className={cx(styles.legend, 'num')} aria-label="Legend">
      {arrangement !== 'alone' && (
        <>
          <li>
            <span className={styles.filledMark} aria-hidden="true" />
            {`${isOverlaid ? 'Bars' : 'Filled'}: ${span(coverage.map((point) => point.month))}`}
          </li>
          <li>
            <span className={isOverlaid ? styles.lineMark : styles.outlinedMark} aria-hidden="true" />
            {`${isOverlaid ? 'Line' : 'Outlined'}: ${span(coverage.map((point) => point.previous_month))}`}
          </li>
        </>
      )}
      {isHatched && (
        <li>
          <span className={styles.hatchedMark} aria-hidden="true" />
          Hatched: bills cover less than 95% of the month
        </li>
      )}
    </ul>
  )
}

const kinds: Readonly<Record<GraphType, MetricKind>> = { cost: 'money', usage: 'usage', unit_cost: 'unit_cost', emissions: 'tonnes' }

function chartsOf(type: GraphType, series: readonly GraphSeries[]): ReadonlyMap<string, readonly GraphSeries[]> {
  switch (type) {
    case 'cost':
      return new Map([['Cost by month', series]])
    case 'emissions':
      return new Map([['Emissions by month, Tonnes of CO2e', series]])
    case 'usage':
      return Map.groupBy(series.filter(hasUnit), (one) => `Usage by month: ${one.service_name}, ${one.unit_symbol}`)
    case 'unit_cost':
      return Map.groupBy(series.filter(hasUnit), (one) => `Unit Cost by month, per ${one.unit_symbol}`)
  }
}

function hasUnit(series: GraphSeries): boolean {
  return series.unit_symbol !== null
}
