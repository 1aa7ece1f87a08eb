/** The scheduled reports of a client that the person sees. */
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { authCalls } from '#contract/access/auth.ts'
import { reportSchedule, reportScheduleCalls, type ReportSchedule } from '#contract/reports/report-schedule.ts'
import { scheduleText } from '#contract/reports/schedule-times.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import { dashboardHref, deliveriesHref, editScheduleHref } from './report-addresses.ts'
import { ReportTabs } from './report-tabs.tsx'
import { deleteSchedule, pauseSchedule, sendNow, unsubscribe } from './schedule-acts.ts'

export function ReportScheduleList() {
  const client_id = usePathId('client_id')
  const params = useMemo(() => ({ client_id }), [client_id])
  const mayChange = useMayChange()
  const me = useUserId()
  return (
    <>
      <ReportTabs clientId={client_id} current="scheduled" />
      <ListPage
        entity={reportSchedule}
        calls={reportScheduleCalls}
        params={params}
        columns={columns}
        cells={cells}
        rowHref={deliveriesHref}
        rowLabel={({ name }) => name}
        actions={(row) => <Acts row={row} mayChange={mayChange(row)} isSubscribed={me !== undefined && row.subscriber_ids.includes(me)} />}
        empty={
          <EmptyState title="No report is scheduled yet" actions={<UiLink href={dashboardHref(client_id)}>Reports Dashboard</UiLink>}>
            Choose “Schedule it” on the card of a report. It is then made and mailed at its due times.
          </EmptyState>
        }
      />
    </>
  )
}

const columns = [
  { key: 'name', width: 170 },
  { key: 'report', width: 150 },
  { key: 'frequency', label: 'Schedule', width: 220, cell: scheduleText, tip: scheduleText },
  { key: 'next_run_at', width: 190, grow: false },
  { key: 'last_run_at', width: 110, grow: false },
  { key: 'last_result', width: 110 },
  { key: 'subscribers', label: 'Subscribers', width: 160, tip: ({ subscribers }: ReportSchedule) => subscribers },
  { key: 'owner', width: 120 },
  { key: 'shared', width: 80, grow: false },
]

const cells = {
  next_run_at: ({ next_run_at, paused_reason }: ReportSchedule) =>
    next_run_at === null ? (
      <StatusDot tone="warn" shape="ring">
        <span title={paused_reason ?? undefined}>Paused</span>
      </StatusDot>
    ) : (
      <NewYorkTime at={next_run_at} />
    ),
  last_run_at: ({ last_run_at }: ReportSchedule) =>
    last_run_at === null ? <Missing word="none" /> : <NewYorkTime at={last_run_at} show="near" />,
  last_result: ({ last_result }: ReportSchedule) => last_result ?? <Missing word="none" />,
}

/** The id of the signed-in user, once it is known. */
export function useUserId(): number | undefined {
  return useQuery(apiQuery(authCalls.profile, {})).data?.user.id
}

/** A definition is changed by its owner and, where it is shared, by whoever may change reports of others. */
export function useMayChange(): (row: ReportSchedule) => boolean {
  const me = useUserId()
  const mayMake = useCan('generated_report.create')
  const mayChangeOthers = useCan('generated_report.update')
  return ({ owner_id, shared }) => mayMake && (owner_id === me || (shared && mayChangeOthers))
}

function Acts({ row, mayChange, isSubscribed }: { row: ReportSchedule; mayChange: boolean; isSubscribed: boolean }) {
  return (
    <>
      <MenuItem href={deliveriesHref(row)}>Show deliveries</MenuItem>
      {mayChange && (
        <>
          <MenuItem href={editScheduleHref(row)}>Edit</MenuItem>
          <MenuItem onSelect={() => void sendNow(row)}>Send now</MenuItem>
          <MenuItem onSelect={() => void pauseSchedule(row)}>{row.paused ? 'Resume' : 'Pause'}</MenuItem>
        </>
      )}
      {isSubscribed && <MenuItem onSelect={() => void unsubscribe(row)}>Unsubscribe me</MenuItem>}
      {mayChange && (
        <MenuItem danger onSelect={() => void deleteSchedule(row)}>
          Delete
        </MenuItem>
      )}
    </>
  )
}
