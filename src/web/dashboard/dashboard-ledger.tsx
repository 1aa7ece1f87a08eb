import type { ReactNode } from 'react'
import type { Comparison, DashboardAnswer, NamedMetric, UnitMetric, WindowPair } from '#contract/dashboard/dashboard.ts'
import { UiLink } from '../ui/link.tsx'
import { cx } from '../ui/class-names.ts'
import styles from './dashboard.module.css'
import { MetricChange, MetricFigure } from './metric-figure.tsx'
import type { MetricKind } from './metric-text.ts'

interface LedgerRow {
  readonly key: string
  readonly label: ReactNode
  readonly kind: MetricKind
  readonly unit?: string | null
  readonly current: string | null
  readonly previous: string | null
  readonly change: string | null
  readonly like_for_like: WindowPair
  /** A quieter line below the name. */
  readonly note?: ReactNode
  /** The parts of the figure, on a line of full width. */
  readonly parts?: string
  readonly strong?: boolean
}

export interface DashboardLedgerProps {
  readonly answer: DashboardAnswer
  readonly clientId: number
  readonly compared: boolean
}

/** One line per metric, as in a ledger: current value, previous value and change. The bills' coverage is shown once, above. */
export function DashboardLedger({ answer, clientId, compared }: DashboardLedgerProps) {
  return (
    <div className={styles.tableFrame}>
      <table className={styles.ledger}>
        <caption className="sr-only">Metrics of the dashboard, now and before</caption>
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col" className={styles.right}>
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
          </tr>
        </thead>
        {groupsOf(answer, clientId).map((rows) => (
          <tbody key={rows[0]?.key}>
            {rows.map((row) => (
              <Line key={row.key} row={row} compared={compared} state={answer.comparison.state} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

function Line({ row, compared, state }: { row: LedgerRow; compared: boolean; state: Comparison['state'] }) {
  return (
    <>
      <tr className={cx(row.strong && styles.strong, row.parts && styles.continued)} data-metric={row.key}>
        <th scope="row">
          {row.label}
          {row.note && <span className={styles.note}>{row.note}</span>}
        </th>
        <td className={styles.right}>
          <MetricFigure value={row.current} kind={row.kind} unit={row.unit} />
        </td>
        {compared && (
          <>
            <td className={cx(styles.right, styles.before)}>
              <MetricFigure value={row.previous} kind={row.kind} unit={row.unit} />
            </td>
            <td className={styles.change}>
              <MetricChange
                change={row.change}
                like={row.like_for_like}
                kind={row.kind}
                state={row.kind === 'count' ? 'complete' : state}
              />
            </td>
          </>
        )}
      </tr>
      {row.parts && (
        <tr>
          <td colSpan={compared ? 4 : 2} className={styles.parts}>
            {row.parts}
          </td>
        </tr>
      )}
    </>
  )
}

function groupsOf({ dashboard, scope }: DashboardAnswer, clientId: number): LedgerRow[][] {
  const unit = dashboard.service_usage.unit_symbol
  const perUnit = (key: UnitCostKey, label: string): LedgerRow => ({
    key,
    label: <UnitLabel label={label} metric={dashboard[key]} />,
    kind: 'unit_cost',
    ...dashboard[key],
  })
  const at = `/clients/${clientId}`
  const meters = dashboard.total_active_meters
  return [
    [
      { key: 'total_utility_cost', label: 'Total Utility Cost', kind: 'money', strong: true, ...dashboard.total_utility_cost },
      { key: 'average_cost_per_day', label: 'Average Cost per Day', kind: 'money', ...dashboard.average_cost_per_day },
      {
        key: 'utility_cost_percentage',
        label: 'Utility Cost Percentage',
        kind: 'percent',
        ...dashboard.utility_cost_percentage,
        ...(scope.scope_type === 'client'
          ? { parts: dashboard.utility_cost_percentage.breakdown.map((one) => `${one.name} ${one.percentage}%`).join(' · ') }
          : { note: 'of the client’s cost' }),
      },
    ],
    [
      {
        key: 'service_usage',
        label: 'Service Usage',
        kind: 'usage',
        strong: true,
        unit,
        ...dashboard.service_usage,
      },
      perUnit('total_unit_cost', 'Total Unit Cost'),
      perUnit('distribution_unit', 'Distribution Unit Cost'),
      perUnit('supply_unit', 'Supply Unit Cost'),
      perUnit('account_total_unit', 'Account Total Unit Cost'),
    ],
    [
      {
        key: 'total_mtc02e',
        label: 'Total MTCO2e',
        kind: 'tonnes',
        unit: 'Tonnes',
        strong: true,
        ...dashboard.total_mtc02e,
        note: dashboard.total_mtc02e.note ?? 'location-based, US average',
      },
      {
        key: 'highest_mtc02e_facility',
        label: 'Highest MTCO2e Facility',
        kind: 'tonnes',
        unit: 'Tonnes',
        ...dashboard.highest_mtc02e_facility,
        note: nameOf(dashboard.highest_mtc02e_facility, `${at}/facilities`),
      },
    ],
    [
      {
        key: 'highest_cost_service',
        label: 'Highest Cost Service',
        kind: 'money',
        ...dashboard.highest_cost_service,
        note: nameOf(dashboard.highest_cost_service),
      },
      {
        key: 'highest_cost_division',
        label: 'Highest Cost Division',
        kind: 'money',
        ...dashboard.highest_cost_division,
        note: nameOf(dashboard.highest_cost_division, `${at}/divisions`),
      },
      {
        key: 'highest_cost_facility',
        label: 'Highest Cost Facility',
        kind: 'money',
        ...dashboard.highest_cost_facility,
        note: nameOf(dashboard.highest_cost_facility, `${at}/facilities`),
      },
    ],
    [
      {
        key: 'total_active_meters',
        label: 'Total Active Meters',
        kind: 'count',
        strong: true,
        ...meters,
        current: String(meters.current),
        previous: String(meters.previous),
        like_for_like: { current: String(meters.current), previous: String(meters.previous) },
        note: `${meters.configured} configured`,
      },
    ],
  ]
}

type UnitCostKey = 'total_unit_cost' | 'distribution_unit' | 'supply_unit' | 'account_total_unit'

/** The unit is shown once beside the name, because in each cell it would take the room of the figures: 'Total Unit Cost per kgal of water'. */
function UnitLabel({ label, metric: { unit_symbol, unit_of } }: { label: string; metric: UnitMetric }) {
  return (
    <>
      {label}
      {unit_symbol && (
        <span className={styles.quiet}>{` per ${unit_symbol}${unit_of === null ? '' : ` of ${unit_of.toLowerCase()}`}`}</span>
      )}
    </>
  )
}

function nameOf({ id, name, share }: NamedMetric, list?: string): ReactNode {
  if (name === null) return undefined
  return (
    <>
      {list && id !== null ? <UiLink href={`${list}/${id}/dashboard`}>{name}</UiLink> : name}
      {share !== null && ` · ${share}% of the whole`}
    </>
  )
}
