/**
 * The user's tasks. They are loaded once, and again when this window starts one; then the live channel follows them, and polling where it is
 * silent. The live channel opens only when the page is idle, so a task may start and end before that.
 */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useQuery } from '@tanstack/react-query'
import { taskCalls, type Task } from '#contract/tasks/task.ts'
import type { TaskProgress } from '#contract/notifications/notification.ts'
import { onTaskStarted } from '../kernel/api.ts'
import { liveState, onLiveProgress, subscribeLive } from '../kernel/notices/live.ts'
import { apiQuery, refresh } from '../kernel/query.ts'

/** Number of rows in the tray. */
const LISTED = 30
/** Finished jobs leave the tray after this many days; their results stay. */
const DAYS_KEPT = 7
/** Polling interval (ms) while tasks run and the live channel is down, and after a failed request. */
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
  // The end of a task between the response and the opening of the channel is not sent again.
  useEffect(() => {
    if (live === 'open' && hasOpen) refresh('tasks')
  }, [live, hasOpen])
  useEffect(() => onTaskStarted(() => refresh('tasks')), [])
  useEffect(
    () =>
      onLiveProgress((progress) => {
        setTold((known) => new Map(known).set(progress.task_id, progress))
        // A finished task has a result to load, and a new one a title.
        if (!isOpen(progress) || progress.rows_done === 0) refresh('tasks')
      }),
    [],
  )
  const recent = data?.tasks.map((task) => withProgress(task, told.get(task.id))).filter(isRecent)
  // Jobs that can still be stopped come first; both parts are sorted newest first.
  const tasks = recent && [...recent.filter(isOpen), ...recent.filter((task) => !isOpen(task))]
  return { tasks, running: tasks?.filter(isOpen).length ?? 0, error, retry: () => void refetch() }
}

export function isOpen({ state }: Pick<Task, 'state'>): boolean {
  return state === 'waiting' || state === 'running'
}

/** The number of finished rows only grows, so a message older than the response is ignored. */
function withProgress(task: Task, progress: TaskProgress | undefined): Task {
  if (!progress || !isOpen(task) || !isOpen(progress) || progress.rows_done < task.rows_done) return task
  return { ...task, state: progress.state, rows_done: progress.rows_done, rows_total: progress.rows_total ?? task.rows_total }
}

function isRecent(task: Task): boolean {
  return isOpen(task) || Date.now() - Date.parse(task.finished_at ?? task.created_at) < DAYS_KEPT * DAY_MS
}
