/** The state of the retrieval service, the date up to which statements were fetched, and the button that fetches more. */
import { useState } from 'react'
import { CloudDownload } from 'lucide-react'
import type { RetrievalStatus } from '#contract/bill-retrieval/bill-retrieval.ts'
import { billRetrievalCalls } from '#contract/bill-retrieval/retrieval-calls.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import type { Task } from '#contract/tasks/task.ts'
import { callApi } from '../kernel/api.ts'
import { problemNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'
import { RecordGate, type RecordGateProps } from '../kernel/record-gate.tsx'
import { TaskProgressLine } from '../kernel/notices/task-progress.tsx'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/states.tsx'
import { StatusDot } from '../ui/status.tsx'
import styles from './bill-retrieval.module.css'
import { isOpen } from './use-retrieval-tasks.ts'

interface ServiceLineProps {
  readonly clientId: number
  readonly asked: RecordGateProps<RetrievalStatus>['asked']
  readonly task: Task | undefined
}

export function ServiceLine({ clientId, asked, task }: ServiceLineProps) {
  const running = task !== undefined && isOpen(task)
  // One line high like the loaded content, so that the list below does not move.
  const isAsking = asked.data === undefined && asked.error === null
  return (
    <section aria-label="Retrieval service" className={styles.service}>
      {isAsking ? (
        <Skeleton width={320} />
      ) : (
        <RecordGate asked={asked}>{(status) => <ServiceWords status={status} task={task} />}</RecordGate>
      )}
      {running && <TaskProgressLine task={task} label="Fetching statements" noun="listed" />}
      <div className={styles.serviceAction}>
        <FetchButton clientId={clientId} busy={running} />
      </div>
    </section>
  )
}

function ServiceWords({ status, task }: { status: RetrievalStatus; task: Task | undefined }) {
  const { credentials, checked_at: checked, read_until: until } = status
  const failed = task?.state === 'failed' ? task.error : status.error
  return (
    <div className={styles.serviceWords}>
      <strong>{status.label}</strong>
      <StatusDot tone={status.ok ? 'ok' : 'bad'} shape={status.ok ? 'dot' : 'triangle'}>
        {status.ok ? 'Ready' : (status.message ?? 'Not reachable')}
      </StatusDot>
      <span className="num">
        {credentials.ok.toLocaleString('en-US')} {credentials.ok === 1 ? 'account' : 'accounts'}
        {credentials.failed > 0 && `, ${credentials.failed} failed to sign in`}
        {credentials.needs_action > 0 && `, ${credentials.needs_action} wait for somebody`}
      </span>
      <span className={styles.quiet}>
        {checked === null ? 'Never fetched' : `Fetched ${formatDate(todayIn(NEW_YORK, checked))}`}
        {until !== null && `, statements until ${formatDate(until)}`}
      </span>
      {failed !== null && (
        <span role="alert" className={styles.bad}>
          The last fetch stopped: {failed}
        </span>
      )}
    </div>
  )
}

function FetchButton({ clientId, busy }: { clientId: number; busy: boolean }) {
  const [asking, setAsking] = useState(false)
  const start = async () => {
    setAsking(true)
    try {
      await callApi(billRetrievalCalls.fetch, { params: { client_id: clientId } })
      refresh('tasks')
    } catch (error) {
      problemNotice(error)
    } finally {
      setAsking(false)
    }
  }
  return (
    <Button busy={asking || busy} onClick={() => void start()}>
      <CloudDownload size={14} aria-hidden="true" />
      {busy ? 'Fetching' : 'Fetch statements'}
    </Button>
  )
}
