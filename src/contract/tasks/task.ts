/** Long-running work that a user started and waits for: exports and imports. */
import { wholeNumber } from '../kernel/query.ts'
import { z } from 'zod'
import { call, started } from '../kernel/call.ts'

export const taskStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export type TaskState = (typeof taskStates)[number]

export const task = z.object({
  id: z.int(),
  kind: z.string(),
  /** Title of the work: 'Vendors export'. */
  title: z.string(),
  /** 0 if it belongs to no single client. */
  client_id: z.int(),
  state: z.enum(taskStates),
  rows_done: z.int(),
  rows_total: z.int().nullable(),
  /** The result when it is done; its keys depend on the kind. */
  result: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
  has_file: z.boolean(),
  /** True if it failed or was stopped and may be started again. */
  can_retry: z.boolean(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
})
export type Task = z.infer<typeof task>

export const tasksPerPageMax = 100

export const taskCalls = {
  list: call({
    name: 'tasks.list',
    method: 'GET',
    path: '/tasks',
    may: 'signed_in',
    summary: 'The signed-in user’s long work, newest first',
    query: z.strictObject({ page: wholeNumber.optional(), per: wholeNumber.optional(), state: z.enum(taskStates).optional() }),
    reply: z.object({ tasks: z.array(task), total: z.int() }),
  }),
  cancel: call({
    name: 'tasks.cancel',
    method: 'POST',
    path: '/tasks/:id/cancel',
    may: 'signed_in',
    summary: 'Stops work that waits or runs',
  }),
  retry: call({
    name: 'tasks.retry',
    method: 'POST',
    path: '/tasks/:id/retry',
    may: 'signed_in',
    summary: 'Starts work again that failed or was stopped',
    reply: started,
  }),
  file: call({
    name: 'tasks.file',
    method: 'GET',
    path: '/tasks/:id/file',
    may: 'signed_in',
    summary: 'The address of the file that came out, good for five minutes',
    reply: z.object({ url: z.string(), filename: z.string() }),
  }),
}

/** The notice that an export was started, if the product's text differs from '{Labels} export started'. */
const ownWords: Readonly<Record<string, string>> = {
  bills: 'bills export started',
  accounting_batches: 'Client batch export started',
  payment_batches: 'Vendor batches export started',
}
export function exportStartedMessage(plural: string, labels: string): string {
  return ownWords[plural] ?? `${labels} export started`
}
