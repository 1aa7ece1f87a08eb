import type { DashboardAnswer, GraphPoint, GraphSeries, GraphType } from '#contract/dashboard.ts'
import { graphTypeLabels } from '#contract/dashboard.ts'
import { formatMonth } from '#contract/kernel/date.ts'
import { approximately } from '#contract/kernel/decimal.ts'
import { Chart } from '../ui/charts/chart.tsx'
import type { ChartColor, ChartSeries } from '../ui/charts/chart-types.ts'
import { coverageText, shortText, type MetricKind } from './metric-text.ts'
import styles from './dashboard.module.css'

/** A point a month. What has different units is drawn apart, for no axis can carry kWh and gallons. */
export function DashboardCharts({ graphs, compared }: { graphs: DashboardAnswer['graphs']; compared: boolean }) {
  const { graph_data_type: type, series, coverage } = graphs
  const byUnit =
    type === 'cost' || type === 'emissions'
      ? new Map([['', series]])
      : Map.groupBy(
          series.filter((one) => one.unit_symbol !== null),
          (one) => one.unit_symbol ?? '',
        )
  const before = compared ? 'last year' : 'before'
  return (
    <section className={styles.charts} aria-label="Graphs">
      {byUnit.size === 0 && <p className={styles.quiet}>No data for these choices.</p>}
      {[...byUnit].map(([unit, own]) => (
        <Chart
          key={unit}
          title={titleOf(type, unit)}
          kind={type === 'unit_cost' ? 'line' : 'stacked'}
          categories={coverage.map((point) => formatMonth(point.month))}
          series={[
            ...own.map((one) => drawn(one, one.name)),
            ...own.filter(hasPrevious).map((one) => drawnBefore(one, `${one.name}, ${before}`)),
          ]}
          valueText={(value) => shortText(value.toFixed(4), kinds[type])}
          height={340}
        />
      ))}
      {series.some(hasPrevious) && (
        <p className={styles.legend}>{compared ? 'Paler: the same months of last year.' : 'Paler: the months before.'}</p>
      )}
      <details className={styles.coverage}>
        <summary>Coverage of each month</summary>
        <ul className="num">
          {coverage.map((point) => (
            <li key={point.month}>
              {formatMonth(point.month)}: {coverageText(point.current)}
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}

const kinds: Readonly<Record<GraphType, MetricKind>> = { cost: 'money', usage: 'usage', unit_cost: 'unit_cost', emissions: 'tonnes' }

function titleOf(type: GraphType, unit: string): string {
  if (type === 'emissions') return 'Emissions by month, Tonnes of CO2e'
  if (type === 'cost') return 'Cost by month'
  return type === 'usage' ? `${graphTypeLabels.usage} by month, ${unit}` : `${graphTypeLabels.unit_cost} by month, per ${unit}`
}

function drawn(series: GraphSeries, name: string): ChartSeries {
  return { name, color: colorOf(series.service_code), values: series.points.map((point) => numberOf(point.current)) }
}

function drawnBefore(series: GraphSeries, name: string): ChartSeries {
  return { name, color: colorOf(series.service_code), faint: true, values: series.points.map((point) => numberOf(point.previous)) }
}

function hasPrevious(series: GraphSeries): boolean {
  return series.points.some((point: GraphPoint) => point.previous !== null)
}

/** A chart draws floats; sums never come from here. */
function numberOf(value: string | null): number | null {
  return value === null ? null : approximately(value)
}

/** Colours belong to services. What has none of its own takes that of its nearest kin; fuels burn as gas does. */
export function colorOf(code: string | null): ChartColor {
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
