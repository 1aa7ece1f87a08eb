/** One scheduled report: its schedule, its next run, and what each subscriber got of each run. */
import { useEffect, useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import {
  reportDelivery,
  reportDeliveryCalls,
  reportSchedule,
  reportScheduleCalls,
  type DeliveryState,
  type ReportDelivery,
  type ReportSchedule,
} from '#contract/reports/report-schedule.ts'
import { scheduleText } from '#contract/reports/schedule-times.ts'
import { BackLink } from '../kernel/back-link.tsx'
import { HistoryButton } from '../kernel/history/history-button.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { onLiveProgress } from '../kernel/notices/live.ts'
import { apiQuery, refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Missing, StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'
import { editScheduleHref, schedulesHref } from './report-addresses.ts'
import { useMayChange } from './report-schedule-list.tsx'
import { ReportTabs } from './report-tabs.tsx'
import { pauseSchedule, sendNow } from './schedule-acts.ts'
import styles from './reports.module.css'

export function ReportDeliveryList() {
  const client_id = usePathId('client_id')
  const id = usePathId('report_schedule_id')
  const asked = useQuery(apiQuery(reportScheduleCalls.get, { params: { client_id, id } }))
  useDeliveriesInWork()
  return (
    <>
      <ReportTabs clientId={client_id} current="scheduled" />
      <BackLink href={schedulesHref(client_id)} />
      <RecordGate asked={asked}>{({ report_schedule: row }) => <Deliveries row={row} />}</RecordGate>
    </>
  )
}

function Deliveries({ row }: { row: ReportSchedule }) {
  const { client_id, id } = row
  const params = useMemo(() => ({ client_id, report_schedule_id: id }), [client_id, id])
  return (
    <>
      <Head row={row} />
      <ListPage
        entity={reportDelivery}
        calls={reportDeliveryCalls}
        params={params}
        columns={columns}
        cells={cells}
        title=""
        rowLabel={({ subscriber, due_at }) => `${subscriber}, ${due_at}`}
        empty="Nothing was sent yet. What each subscriber got of each run is listed here."
      />
    </>
  )
}

function Head({ row }: { row: ReportSchedule }) {
  const mayChange = useMayChange()(row)
  const people = row.subscriber_ids.length
  return (
    <>
      <PageHeader
        title={row.name}
        count={row.report}
        actions={
          <>
            <HistoryButton item={reportSchedule.name} id={row.id} clientId={row.client_id} />
            {mayChange && (
              <>
                <Button onClick={() => void pauseSchedule(row)}>{row.paused ? 'Resume' : 'Pause'}</Button>
                <ButtonLink href={editScheduleHref(row)}>Edit</ButtonLink>
                <Button kind="primary" onClick={() => void sendNow(row)}>
                  <Send size={14} aria-hidden="true" />
                  Send now · {people} {people === 1 ? 'person' : 'people'}
                </Button>
              </>
            )}
          </>
        }
      />
      <p className={styles.quiet}>
        {scheduleText(row)} ·{' '}
        {row.next_run_at === null ? (
          `Paused. ${row.paused_reason ?? ''}`
        ) : (
          <>
            Next run <NewYorkTime at={row.next_run_at} />
          </>
        )}
      </p>
      <p className={styles.quiet}>For {row.subscribers}</p>
    </>
  )
}

const columns = [
  { key: 'due_at', width: 190, grow: false },
  { key: 'by_hand', width: 110, grow: false },
  { key: 'subscriber', width: 170 },
  { key: 'state', width: 110, grow: false },
  { key: 'error', width: 220, tip: ({ error }: ReportDelivery) => error ?? undefined },
  { key: 'mail', width: 90, grow: false },
  { key: 'finished_at', width: 190, grow: false },
]

const looks: Readonly<Record<DeliveryState, { tone: Tone; shape: StatusShape }>> = {
  waiting: { tone: 'info', shape: 'ring' },
  sent: { tone: 'ok', shape: 'dot' },
  skipped: { tone: 'warn', shape: 'ring' },
  failed: { tone: 'bad', shape: 'triangle' },
}

const cells = {
  due_at: ({ due_at }: ReportDelivery) => <NewYorkTime at={due_at} />,
  finished_at: ({ finished_at }: ReportDelivery) => (finished_at === null ? <Missing word="not yet" /> : <NewYorkTime at={finished_at} />),
  state: ({ state }: ReportDelivery) => (
    <StatusDot {...looks[state]}>{reportDelivery.fields.state.choices?.find(({ value }) => value === state)?.label ?? state}</StatusDot>
  ),
  error: ({ error }: ReportDelivery) => error ?? <Missing word="none" />,
  mail: ({ mail }: ReportDelivery) => mail ?? <Missing word="none" />,
}

/** The work of one's own subscription is announced; the list then shows its end. */
function useDeliveriesInWork(): void {
  useEffect(
    () =>
      onLiveProgress(({ kind, state }) => {
        if (kind === 'scheduled_report' && state !== 'running') {
          refresh('report_deliveries')
          refresh('report_schedules')
        }
      }),
    [],
  )
}
