/** Messages from the server to a user: the notifications of the bell, and the live channel that carries them. */
import { wholeNumber } from '../kernel/query.ts'
import { z } from 'zod'
import { call } from '../kernel/call.ts'

export const noticeKinds = ['success', 'info', 'warning', 'error'] as const
export type NoticeKind = (typeof noticeKinds)[number]

const notificationShape = {
  id: z.int(),
  /** The subject: generated_report, accounting_batch_upload_file, bill_documents, csv_export and others. */
  type: z.string(),
  notification_type: z.enum(noticeKinds),
  message: z.string(),
  description: z.array(z.string()),
  error: z.boolean(),
  /** A page, or a call that returns the address of a file (`/api/v5/tasks/:id/file`). */
  link: z.string().nullable(),
  /** Data that a screen needs to update itself, by type. */
  payload: z.record(z.string(), z.unknown()),
  created_at: z.string(),
}

export const notification = z.object({
  ...notificationShape,
  /** True if the bell was opened since it arrived. */
  seen: z.boolean(),
  /** True if its reader opened it, or marked all as read. */
  read: z.boolean(),
})
export type Notification = z.infer<typeof notification>

/** The `message` event of the live channel. */
export const liveMessage = z.object({
  ...notificationShape,
  /** The window that started the work; the user's other windows get the message too. */
  connection_id: z.string().nullable(),
  /** True if it existed before this window opened: for the bell, not for a toast. */
  missed: z.boolean(),
  /** True if its reader has switched this kind off: screens update, but the bell and the toasts do not show it. */
  muted: z.boolean(),
})
export type LiveEvent = z.infer<typeof liveMessage>

/** The `progress` event of the live channel for a task. Other transient states have their own keys. */
export const taskProgress = z.object({
  task_id: z.int(),
  kind: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  rows_done: z.int(),
  rows_total: z.int().nullable(),
})
export type TaskProgress = z.infer<typeof taskProgress>

/** By subject; `notification-preference.ts` assigns types to kinds. */
export const notificationKindNames = ['exports', 'imports', 'retrieval', 'reports', 'approvals', 'sign_in', 'security', 'other'] as const
export type NotificationKind = (typeof notificationKindNames)[number]

/** Rows of one page of the bell. */
export const notificationsPerPageMax = 100

export const notificationCalls = {
  list: call({
    name: 'notifications.list',
    method: 'GET',
    path: '/notifications',
    may: 'signed_in',
    summary: 'The signed-in user’s notifications, newest first, and how many are unseen',
    query: z.strictObject({
      page: wholeNumber.optional(),
      per: wholeNumber.optional(),
      kind: z.enum(notificationKindNames, { error: `must be one of ${notificationKindNames.join(', ')}` }).optional(),
      unread: z.enum(['true', 'false'], { error: 'must be true or false' }).optional(),
    }),
    reply: z.object({ notifications: z.array(notification), total: z.int(), unseen: z.int(), unread: z.int() }),
  }),
  seen: call({
    name: 'notifications.seen',
    method: 'POST',
    path: '/notifications/seen',
    may: 'signed_in',
    summary: 'The bell was opened: everything up to `up_to_id` counts as seen, so that what arrives meanwhile does not',
    body: z.strictObject({ up_to_id: z.int().positive().optional() }),
  }),
  read: call({
    name: 'notifications.read',
    method: 'POST',
    path: '/notifications/:id/read',
    may: 'signed_in',
    summary: 'Marks one of the signed-in user’s notifications as read',
  }),
  readAll: call({
    name: 'notifications.read_all',
    method: 'POST',
    path: '/notifications/read',
    may: 'signed_in',
    summary: 'Marks everything up to `up_to_id` as read, so that what arrives meanwhile is not',
    body: z.strictObject({ up_to_id: z.int().positive().optional() }),
  }),
}

export const liveCalls = {
  stream: call({
    name: 'live.stream',
    method: 'GET',
    path: '/live',
    may: 'signed_in',
    summary: 'Server-sent events: `message` (kept, with an id) and `progress` (passing). The header last-event-id resumes',
    query: z.strictObject({ connection_id: z.string({ error: 'is required' }).min(1, 'is required').max(100) }),
    replyKind: 'stream',
  }),
}
