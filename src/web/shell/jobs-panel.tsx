import { useState } from 'react'
import { z } from 'zod'
import { taskCalls, type Task } from '#contract/tasks/task.ts'
import type { Call, Nothing, Result } from '#contract/kernel/call.ts'
import { callApi } from '../kernel/api.ts'
import { openFile } from '../kernel/open-file.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState, Skeleton } from '../ui/states.tsx'
import { StatusDot, type Tone } from '../ui/status.tsx'
import styles from './jobs.module.css'
import { isOpen, type Jobs } from './use-jobs.ts'

/** Running jobs, and those that ended in the last days. */
export function JobsPanel({ jobs: { tasks, error, retry } }: { jobs: Jobs }) {
  return (
    <div className={styles.panel}>
      <h2 className={styles.head}>Jobs</h2>
      {error && !tasks && <ErrorState title="Your jobs could not be loaded" onRetry={retry} />}
      {!tasks && !error && <Skeleton width={220} />}
      {tasks?.length === 0 && (
        <p className={styles.note}>Nothing runs. Exports and imports that you start show here, and what came out of them.</p>
      )}
      <ul>
        {tasks?.map((task) => (
          <Job key={task.id} task={task} />
        ))}
      </ul>
    </div>
  )
}

const states: Readonly<Record<Task['state'], { word: string; tone: Tone }>> = {
  waiting: { word: 'Waiting', tone: 'grey' },
  running: { word: 'Running', tone: 'info' },
  done: { word: 'Done', tone: 'ok' },
  failed: { word: 'Failed', tone: 'bad' },
  cancelled: { word: 'Cancelled', tone: 'grey' },
}

function Job({ task }: { task: Task }) {
  const { word, tone } = states[task.state]
  const share = shareOf(task)
  return (
    <li className={styles.job}>
      <div className={styles.line}>
        <strong className={styles.title}>{task.title}</strong>
        <NewYorkTime show="near" at={task.finished_at ?? task.created_at} className={styles.time} />
      </div>
      <div className={styles.line}>
        <StatusDot tone={tone}>{word}</StatusDot>
        <span className={`${styles.facts} num`}>{factsOf(task, share)}</span>
        <JobActions task={task} />
      </div>
      {isOpen(task) && (
        <progress className={styles.bar} aria-label={`${task.title}: progress`} {...(share === null ? {} : { value: share, max: 100 })} />
      )}
      {task.error && <p className={styles.error}>{task.error}</p>}
    </li>
  )
}

/** Returns whole percent, never 100 before the end; null if the total is unknown. */
function shareOf({ state, rows_done: done, rows_total: total }: Task): number | null {
  if (state !== 'running' || total === null || total === 0) return null
  return Math.min(99, Math.floor((done / total) * 100))
}

const counts = z.object({ refused: z.number().optional(), failed: z.number().optional(), duplicate: z.number().optional() }).catch({})

function factsOf({ state, rows_done, rows_total, result }: Task, share: number | null): string {
  const rows = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`
  if (state === 'waiting') return ''
  if (state === 'running')
    return share === null || rows_total === null
      ? rows(rows_done)
      : `${share}% · ${rows_done.toLocaleString('en-US')} of ${rows(rows_total)}`
  if (state !== 'done') return rows_done > 0 ? `after ${rows(rows_done)}` : ''
  const { refused = 0, failed = 0, duplicate = 0 } = counts.parse(result ?? {})
  const bad = refused + failed
  return [
    rows(rows_done),
    ...(bad > 0 ? [`${bad.toLocaleString('en-US')} failed`] : []),
    ...(duplicate > 0 ? [`${duplicate.toLocaleString('en-US')} duplicate`] : []),
  ].join(' · ')
}

type TaskCall = Call<{ id: number }, Nothing, Nothing, Result>

function JobActions({ task }: { task: Task }) {
  const [busy, setBusy] = useState(false)
  const ask = async (call: TaskCall) => {
    setBusy(true)
    try {
      resultNotice(await callApi(call, { params: { id: task.id } }))
    } catch (error) {
      problemNotice(error)
    } finally {
      setBusy(false)
      refresh('tasks')
    }
  }
  return (
    <span className={styles.actions}>
      {task.has_file && (
        <Button small aria-label={`Download ${task.title}`} onClick={() => void openFile(`/api/v5/tasks/${task.id}/file`)}>
          Download
        </Button>
      )}
      {isOpen(task) && (
        <Button small busy={busy} aria-label={`Cancel ${task.title}`} onClick={() => void ask(taskCalls.cancel)}>
          Cancel
        </Button>
      )}
      {task.can_retry && (
        <Button small busy={busy} aria-label={`Start again: ${task.title}`} onClick={() => void ask(taskCalls.retry)}>
          Start again
        </Button>
      )}
    </span>
  )
}
