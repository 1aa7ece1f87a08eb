import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { dashboardCalls, type UnbilledMeter } from '#contract/dashboard/dashboard.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { Missing } from '../ui/status.tsx'
import styles from './dashboard.module.css'
import { queryOf, type DashboardChoices, type DashboardSubject } from './use-dashboard.ts'

/** Active meters without a bill in the window, which explain a low coverage. Loaded on request. */
export function UnbilledMeters({ count, subject, choices }: { count: number; subject: DashboardSubject; choices: DashboardChoices }) {
  const [open, setOpen] = useState(false)
  if (count === 0) return null
  return (
    <section className={styles.unbilled} aria-label="Meters without bills">
      <p>
        {count === 1 ? '1 active meter has' : `${count} active meters have`} no bill in this window.{' '}
        <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide meters' : 'Show meters'}
        </Button>
      </p>
      {open && <MeterList subject={subject} choices={choices} />}
    </section>
  )
}

function MeterList({ subject, choices }: { subject: DashboardSubject; choices: DashboardChoices }) {
  const asked = useQuery(
    apiQuery(dashboardCalls.unbilledMeters, { params: { client_id: subject.client_id }, query: queryOf(subject, choices) }),
  )
  return (
    <RecordGate asked={asked}>
      {({ meters, total }) => (
        <div className={styles.tableFrame}>
          <table className={styles.ledger}>
            <caption className={styles.note}>
              {total > meters.length ? `The first ${meters.length} of ${total}, by account` : 'By account'}
            </caption>
            <thead>
              <tr>
                <th scope="col">Account</th>
                <th scope="col">Meter</th>
                <th scope="col">Service</th>
                <th scope="col">Facility</th>
              </tr>
            </thead>
            <tbody>
              {meters.map((meter) => (
                <tr key={meter.id}>
                  <th scope="row">
                    <UiLink href={servicesHref(subject.client_id, meter)}>{meter.account_number}</UiLink>
                  </th>
                  <td className="num">{meter.meter_number}</td>
                  <td>{meter.service_name ?? <Missing />}</td>
                  <td>{meter.facility ?? <Missing />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </RecordGate>
  )
}

function servicesHref(clientId: number, { account_type, account_id }: UnbilledMeter): string {
  return `/clients/${clientId}/${account_type === 'BillableAccount' ? 'billable_accounts' : 'supply_accounts'}/${account_id}/services`
}
