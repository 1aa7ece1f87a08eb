/**
 * The person's long work: asked for once and again when this window starts some, then followed by the live channel; asked again where that is
 * silent. The live channel opens only when the page is idle, so work may start and end before it.
 */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useQuery } from '@tanstack/react-query'
import { taskCalls, type Task } from '#contract/tasks/task.ts'
import type { TaskProgress } from '#contract/notifications/notification.ts'
import { onTaskStarted } from '../kernel/api.ts'
import { liveState, onLiveProgress, subscribeLive } from '../kernel/notices/live.ts'
import { apiQuery, refresh } from '../kernel/query.ts'

/** Rows of the tray. */
const LISTED = 30
/** Ended work leaves the tray after this many days; what it made stays where it belongs. */
const DAYS_KEPT = 7
/** Between two questions (ms) while work runs and the live channel is down, and after a question that failed. */
const ASK_EVERY_MS = 3_000
const DAY_MS = 86_400_000

export interface Jobs {
  readonly tasks: readonly Task[] | undefined
  readonly running: number
  readonly error: Error | null
  readonly retry: () => void
}

export function useJobs(): Jobs {
  const live = useSyncExternalStore(subscribeLive, liveState)
  const [told, setTold] = useState<ReadonlyMap<number, TaskProgress>>(new Map())
  const { data, error, refetch } = useQuery({
    ...apiQuery(taskCalls.list, { query: { per: LISTED } }),
    refetchInterval: ({ state: { data: known, status } }) =>
      status === 'error' || (live !== 'open' && known?.tasks.some(isOpen)) ? ASK_EVERY_MS : false,
  })
  const hasOpen = data?.tasks.some(isOpen) ?? false
  // What ended between the answer and the opening of the channel is not sent again.
  useEffect(() => {
    if (live === 'open' && hasOpen) refresh('tasks')
  }, [live, hasOpen])
  useEffect(() => onTaskStarted(() => refresh('tasks')), [])
  useEffect(
    () =>
      onLiveProgress((progress) => {
        setTold((known) => new Map(known).set(progress.task_id, progress))
        // What has ended has a result now; what is heard of for the first time has a title.
        if (!isOpen(progress) || progress.rows_done === 0) refresh('tasks')
      }),
    [],
  )
  const recent = data?.tasks.map((task) => withProgress(task, told.get(task.id))).filter(isRecent)
  // What can still be stopped stands first; each part keeps the newest on top.
  const tasks = recent && [...recent.filter(isOpen), ...recent.filter((task) => !isOpen(task))]
  return { tasks, running: tasks?.filter(isOpen).length ?? 0, error, retry: () => void refetch() }
}

export function isOpen({ state }: Pick<Task, 'state'>): boolean {
  return state === 'waiting' || state === 'running'
}

/** Rows done grow; a word that is older than the answer is passed over. */
function withProgress(task: Task, progress: TaskProgress | undefined): Task {
  if (!progress || !isOpen(task) || !isOpen(progress) || progress.rows_done < task.rows_done) return task
  return { ...task, state: progress.state, rows_done: progress.rows_done, rows_total: progress.rows_total ?? task.rows_total }
}

function isRecent(task: Task): boolean {
  return isOpen(task) || Date.now() - Date.parse(task.finished_at ?? task.created_at) < DAYS_KEPT * DAY_MS
}
