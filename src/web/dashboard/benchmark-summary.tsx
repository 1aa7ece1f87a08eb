/** Facilities compared with each other by square foot: the quartiles, the outliers by name, and those that are not compared. */
import { bandLabels, benchmarkedMin } from '#contract/dashboard/benchmark.ts'
import { benchmarkMeasures, type Benchmark, type BenchmarkMeasure, type ChildRow } from '#contract/dashboard/dashboard-children.ts'
import { Button } from '../ui/button.tsx'
import plain from '../ui/plain-table.module.css'
import { cx } from '../ui/class-names.ts'
import { benchmarkLabels, type MeasureKey } from './child-columns.ts'
import styles from './dashboard.module.css'
import { shortText, type MetricKind } from './metric-text.ts'

const kinds: Readonly<Record<BenchmarkMeasure, MetricKind>> = {
  cost_per_sqft: 'per_area',
  energy_per_sqft: 'ratio',
  usage_per_sqft: 'small_ratio',
}
const columns = [
  { key: 'count', label: 'Ranked' },
  { key: 'low', label: 'Low below' },
  { key: 'q1', label: 'First quartile' },
  { key: 'median', label: 'Median' },
  { key: 'q3', label: 'Third quartile' },
  { key: 'high', label: 'High above' },
] as const

interface SummaryProps {
  readonly benchmark: Benchmark
  readonly rows: readonly ChildRow[]
  /** The unit of the usage that the rows have in common. */
  readonly unit: string | null
  /** Sorts the facilities by a measure. */
  readonly onOrder: (order: string) => void
}

export function BenchmarkSummary({ benchmark, rows, unit, onOrder }: SummaryProps) {
  const measures = benchmarkMeasures.filter((measure) => benchmark[measure] !== null)
  const left = rows.flatMap((row) => (row.benchmark?.unranked ? [`${row.name} (${row.benchmark.unranked})`] : []))
  return (
    <section aria-label="Benchmark" className={styles.benchmark}>
      {measures.length === 0 ? (
        <p className={styles.note}>{`Facilities are ranked by square foot from ${benchmarkedMin} on that have an area and full bills.`}</p>
      ) : (
        <>
          <div className={plain.scroll}>
            <table className={plain.table}>
              <caption className="sr-only">Quartiles of the ranked facilities</caption>
              <thead>
                <tr>
                  <th scope="col">By square foot</th>
                  {columns.map(({ key, label }) => (
                    <th key={key} scope="col" className={plain.figure}>
                      {label}
                    </th>
                  ))}
                  <th scope="col">Outliers</th>
                </tr>
              </thead>
              <tbody>
                {measures.map((measure) => (
                  <Measure key={measure} measure={measure} benchmark={benchmark} rows={rows} unit={unit} onOrder={onOrder} />
                ))}
              </tbody>
            </table>
          </div>
          <p className={styles.note}>
            An outlier lies more than 1.5 times the distance of the quartiles below the first or above the third. Rank 1 is the highest.
          </p>
        </>
      )}
      {left.length > 0 && (
        <details className={styles.coverage}>
          <summary>{`${benchmark.unranked.toLocaleString('en-US')} not ranked`}</summary>
          <ul>
            {left.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function Measure({ measure, benchmark, rows, unit, onOrder }: SummaryProps & { measure: BenchmarkMeasure }) {
  const quartiles = benchmark[measure]
  if (quartiles === null) return null
  const outliers = rows.flatMap((row) => {
    const standing = row.benchmark?.[measure]
    return standing && (standing.band === 'high_outlier' || standing.band === 'low_outlier')
      ? [`${row.name} (${bandLabels[standing.band]})`]
      : []
  })
  return (
    <tr>
      <th scope="row">
        <Button small kind="quiet" onClick={() => onOrder(`-${measure}`)}>
          <span className="sr-only">Sort by </span>
          {measure === 'usage_per_sqft' && unit !== null ? `${unit}/sq ft` : benchmarkLabels[measure]}
        </Button>
      </th>
      {columns.map(({ key }) => (
        <td key={key} className={cx(plain.figure, 'num')}>
          {key === 'count' ? quartiles.count.toLocaleString('en-US') : limitText(quartiles[key], kinds[measure])}
        </td>
      ))}
      <td className={plain.text}>{outliers.length === 0 ? <span className={styles.quiet}>none</span> : outliers.join(', ')}</td>
    </tr>
  )
}

/** Nothing is below a limit under zero. */
function limitText(limit: string, kind: MetricKind): string {
  return limit.startsWith('-') ? 'none' : shortText(limit, kind)
}

/** The rank of a row by this measure, or why it has none. */
export function StandingText({ row, measure }: { row: ChildRow; measure: MeasureKey }) {
  const { benchmark } = row
  const own = benchmarkMeasures.find((one) => one === measure)
  if (benchmark === null || own === undefined || row[own].current === null) return null
  if (benchmark.unranked !== null) return <span className={styles.delta}>{`not ranked: ${benchmark.unranked}`}</span>
  const standing = benchmark[own]
  if (standing === null) return null
  const isOutlier = standing.band === 'high_outlier' || standing.band === 'low_outlier'
  return <span className={cx(styles.delta, 'num', isOutlier && styles.outlier)}>{`#${standing.rank} · ${bandLabels[standing.band]}`}</span>
}
