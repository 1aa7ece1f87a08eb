import type { Compared, Comparison, SummaryRow } from '#contract/dashboard/dashboard.ts'
import { formatCoverage } from '#contract/dashboard/metrics.ts'
import { UiLink } from '../ui/link.tsx'
import { cx } from '../ui/class-names.ts'
import { Missing } from '../ui/status.tsx'
import styles from './dashboard.module.css'
import { MetricChange, MetricFigure } from './metric-figure.tsx'
import type { MetricKind } from './metric-text.ts'

const measures = [
  { key: 'cost', label: 'Cost', kind: 'money' },
  { key: 'usage', label: 'Usage', kind: 'usage' },
  { key: 'unit_cost', label: 'Unit Cost', kind: 'unit_cost' },
  { key: 'mtc02e', label: 'Tonnes CO2e', kind: 'tonnes' },
] as const satisfies readonly { key: keyof SummaryRow; label: string; kind: MetricKind }[]

export interface DashboardSummaryProps {
  readonly rows: readonly SummaryRow[]
  readonly hrefOf: (serviceId: number) => string
  readonly compared: boolean
}

/** One line per service: cost, usage, unit cost and tonnes, each with the previous window and the change. */
export function DashboardSummary({ rows, hrefOf, compared }: DashboardSummaryProps) {
  if (rows.length === 0) return null
  return (
    <section aria-label="Summary by service">
      <h2>Summary by service</h2>
      <div className={styles.tableFrame}>
        <table className={styles.ledger}>
          <caption className="sr-only">Summary by service</caption>
          <thead>
            <tr>
              <th scope="col" rowSpan={2}>
                Service
              </th>
              <th scope="col" rowSpan={2}>
                Unit
              </th>
              <th scope="col" rowSpan={2}>
                Billed
              </th>
              {measures.map(({ key, label }) => (
                <th key={key} scope="colgroup" colSpan={compared ? 3 : 1} className={styles.group}>
                  {label}
                </th>
              ))}
            </tr>
            <tr>
              {measures.map(({ key }) => (
                <MeasureHeads key={key} compared={compared} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.service_id ?? 0}>
                <th scope="row">{row.service_id === null ? row.name : <UiLink href={hrefOf(row.service_id)}>{row.name}</UiLink>}</th>
                <td>{row.unit_symbol ?? <Missing word="no unit" />}</td>
                <td className="num">
                  <BilledShares row={row} compared={compared} />
                </td>
                {measures.map(({ key, kind }) => (
                  <MeasureCells key={key} values={row[key]} kind={kind} state={row.comparison.state} compared={compared} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** The share of the service that bills cover in each window, and why its changes are withheld. */
function BilledShares({ row, compared }: { row: SummaryRow; compared: boolean }) {
  const shares = [row.coverage.current, ...(compared ? [row.coverage.previous] : [])].map(formatCoverage).join(' / ')
  return (
    <>
      {shares}
      {compared && row.comparison.state === 'withheld' && <span className={styles.note}>{row.comparison.reason}</span>}
    </>
  )
}

function MeasureHeads({ compared }: { compared: boolean }) {
  return (
    <>
      <th scope="col" className={cx(styles.right, styles.group)}>
        Current
      </th>
      {compared && (
        <>
          <th scope="col" className={styles.right}>
            Previous
          </th>
          <th scope="col" className={styles.change}>
            Change
          </th>
        </>
      )}
    </>
  )
}

interface MeasureCellsProps {
  readonly values: Compared
  readonly kind: MetricKind
  readonly state: Comparison['state']
  readonly compared: boolean
}

function MeasureCells({ values, kind, state, compared }: MeasureCellsProps) {
  return (
    <>
      <td className={cx(styles.right, styles.group)}>
        <MetricFigure value={values.current} kind={kind} />
      </td>
      {compared && (
        <>
          <td className={cx(styles.right, styles.before)}>
            <MetricFigure value={values.previous} kind={kind} />
          </td>
          <td className={styles.change}>
            <MetricChange change={values.change} like={values.like_for_like} kind={kind} state={state} />
          </td>
        </>
      )}
    </>
  )
}
