/** The expected-bill calendar, a tab beside the list of accounts of each kind. */
import { useQuery } from '@tanstack/react-query'
import {
  billableCalendar,
  billableCalendarCalls,
  supplyCalendar,
  supplyCalendarCalls,
  type CalendarCalls,
} from '#contract/bill-calendar/bill-calendar.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { keyOf } from '../kernel/query.ts'
import { callWith } from '../kernel/api.ts'
import { UiLink } from '../ui/link.tsx'
import { AccountListTabs } from './account-list-tabs.tsx'
import styles from './bill-calendar.module.css'
import { StateShape, stateWords } from './calendar-cell.tsx'
import { CalendarTable } from './calendar-table.tsx'

export function BillableAccountCalendar() {
  const clientId = usePathId('client_id')
  return (
    <>
      <AccountListTabs clientId={clientId} kind="billable_accounts" />
      <Summary calls={billableCalendarCalls} clientId={clientId} kind="billable_accounts" />
      <CalendarTable
        entity={billableCalendar}
        calls={billableCalendarCalls}
        clientId={clientId}
        accounts={`/clients/${clientId}/billable_accounts`}
      />
    </>
  )
}

export function SupplyAccountCalendar() {
  const clientId = usePathId('client_id')
  return (
    <>
      <AccountListTabs clientId={clientId} kind="supply_accounts" />
      <Summary calls={supplyCalendarCalls} clientId={clientId} kind="supply_accounts" />
      <CalendarTable
        entity={supplyCalendar}
        calls={supplyCalendarCalls}
        clientId={clientId}
        accounts={`/clients/${clientId}/supply_accounts`}
      />
    </>
  )
}

type SummaryProps = { calls: Pick<CalendarCalls<string>, 'totals'>; clientId: number; kind: string }

/** The client's waiting bills by state, each number linking to its accounts, and the legend of the shapes. */
function Summary({ calls, clientId, kind }: SummaryProps) {
  const params = { client_id: clientId }
  const { data } = useQuery({
    queryKey: keyOf(calls.totals, { params }),
    queryFn: ({ signal }) => callWith(calls.totals, { params, signal }),
  })
  const at = `/clients/${clientId}/${kind}/bill_calendar`
  return (
    <div className={styles.summary}>
      {data && (
        <>
          <Waiting count={data.missing_months} accounts={data.missing_accounts} word="missing" href={`${at}?missing_gteq=1`} />
          <Waiting count={data.late_months} accounts={data.late_accounts} word="late" href={`${at}?late_gteq=1`} />
        </>
      )}
      <ul className={styles.legend} aria-label="Meaning of the shapes">
        {(['billed', 'expected', 'late', 'missing'] as const).map((state) => (
          <li key={state}>
            <StateShape state={state} />
            {stateWords[state].word}: {stateWords[state].meaning}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Waiting({ count, accounts, word, href }: { count: number; accounts: number; word: string; href: string }) {
  const months = `${count.toLocaleString('en-US')} ${count === 1 ? 'month' : 'months'} ${word}`
  if (count === 0) return <span>No month {word}</span>
  return (
    <UiLink href={href}>
      {months} at {accounts.toLocaleString('en-US')} {accounts === 1 ? 'account' : 'accounts'}
    </UiLink>
  )
}
