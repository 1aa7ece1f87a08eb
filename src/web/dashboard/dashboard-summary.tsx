import type { Compared, SummaryRow } from '#contract/dashboard.ts'
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

/** A line a service: cost, usage, unit cost and tonnes, each with the window before and the change. */
export function DashboardSummary({ rows, hrefOf }: { rows: readonly SummaryRow[]; hrefOf: (serviceId: number) => string }) {
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
              {measures.map(({ key, label }) => (
                <th key={key} scope="colgroup" colSpan={3} className={styles.group}>
                  {label}
                </th>
              ))}
            </tr>
            <tr>
              {measures.map(({ key }) => (
                <MeasureHeads key={key} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.service_id ?? 0}>
                <th scope="row">{row.service_id === null ? row.name : <UiLink href={hrefOf(row.service_id)}>{row.name}</UiLink>}</th>
                <td>{row.unit_symbol ?? <Missing word="no unit" />}</td>
                {measures.map(({ key, kind }) => (
                  <MeasureCells key={key} values={row[key]} kind={kind} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function MeasureHeads() {
  return (
    <>
      <th scope="col" className={cx(styles.right, styles.group)}>
        Current
      </th>
      <th scope="col" className={styles.right}>
        Previous
      </th>
      <th scope="col" className={styles.change}>
        Change
      </th>
    </>
  )
}

function MeasureCells({ values, kind }: { values: Compared; kind: MetricKind }) {
  return (
    <>
      <td className={cx(styles.right, styles.group)}>
        <MetricFigure value={values.current} kind={kind} />
      </td>
      <td className={cx(styles.right, styles.before)}>
        <MetricFigure value={values.previous} kind={kind} />
      </td>
      <td className={styles.change}>
        <MetricChange {...values} kind={kind} />
      </td>
    </>
  )
}
