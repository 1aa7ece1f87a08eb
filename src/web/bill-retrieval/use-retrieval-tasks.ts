/** The fetch task and the import task of this page, followed by the live channel and, where that is silent, by polling. */
import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { taskCalls, type Task } from '#contract/tasks/task.ts'
import { onLiveMessage, onLiveProgress, type TaskProgress } from '../kernel/notices/live.ts'
import { apiQuery, refresh } from '../kernel/query.ts'

/** Polling interval (ms) while a task runs; the live channel is faster. */
const ASK_EVERY_MS = 2_000
const kinds = { fetch: 'retrieval_fetch', import: 'retrieval_import' } as const
/** Groups of the cache that an import changes. */
const changedGroups = ['bill_retrieval', 'bills', 'billable_accounts', 'services', 'facilities', 'vendors', 'dashboard'] as const

export interface RetrievalTasks {
  /** The newest task of each kind, running or finished; undefined if there was none. */
  readonly fetch: Task | undefined
  readonly import: Task | undefined
}

export function useRetrievalTasks(clientId: number): RetrievalTasks {
  const [told, setTold] = useState<ReadonlyMap<number, TaskProgress>>(new Map())
  const asked = useQuery({
    ...apiQuery(taskCalls.list, { query: { per: 50 } }),
    refetchInterval: ({ state }) => (state.data?.tasks.some((task) => isOfRetrieval(task) && isOpen(task)) ? ASK_EVERY_MS : false),
  })
  useEffect(
    () =>
      onLiveProgress((progress) => {
        if (!isOfRetrieval(progress)) return
        setTold((known) => new Map(known).set(progress.task_id, progress))
        if (!isOpen(progress)) refreshAll()
      }),
    [],
  )
  useEffect(
    () =>
      onLiveMessage((message) => {
        if (isOfRetrieval({ kind: message.type })) refreshAll()
      }),
    [],
  )
  const own = (asked.data?.tasks ?? []).filter((task) => task.client_id === clientId)
  const latest = (kind: string) =>
    withProgress(
      own.find((task) => task.kind === kind),
      told,
    )
  const tasks = { fetch: latest(kinds.fetch), import: latest(kinds.import) }
  useRefreshAtEnd(tasks)
  return tasks
}

/** Refreshes the lists also if only polling noticed the end. */
function useRefreshAtEnd(tasks: RetrievalTasks): void {
  const open = [tasks.fetch, tasks.import].flatMap((task) => (task && isOpen(task) ? [task.id] : [])).join()
  useEffect(() => (open === '' ? undefined : refreshChanged), [open])
}

/** Whether the task is not finished. */
export function isOpen({ state }: Pick<Task, 'state'>): boolean {
  return state === 'waiting' || state === 'running'
}

/** The number of finished rows only grows, so an older message of either channel is ignored. */
function withProgress(task: Task | undefined, told: ReadonlyMap<number, TaskProgress>): Task | undefined {
  const progress = task && told.get(task.id)
  if (!task || !progress || !isOpen(task) || !isOpen(progress) || progress.rows_done < task.rows_done) return task
  return { ...task, state: progress.state, rows_done: progress.rows_done, rows_total: progress.rows_total ?? task.rows_total }
}

function isOfRetrieval({ kind }: { readonly kind: string }): boolean {
  return kind === kinds.fetch || kind === kinds.import
}

function refreshAll(): void {
  refresh('tasks')
  refreshChanged()
}

function refreshChanged(): void {
  refresh(...changedGroups)
}
