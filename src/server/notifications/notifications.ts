/** The bell and the live channel. */
import { liveCalls, notificationCalls, notificationsPerPageMax, type Notification } from '#contract/notification.ts'
import { sql } from 'kysely'
import { handle, type Handler } from '../kernel/handler.ts'
import type { Live } from '../kernel/live.ts'

const perPage = 20

/** Every person reads and marks their own notifications only; no permission stands between. */
export function notificationHandlers(live: Live): Handler[] {
  return [
    handle(notificationCalls.list, async (context, { query }) => {
      const per = Math.min(Number(query.per ?? perPage), notificationsPerPageMax)
      const userId = context.principal.user_id
      const { rows: notifications } = await sql<Notification>`
        select id, type, notification_type, message, description, error, link, payload, created_at, seen_at is not null as seen
        from notifications where user_id = ${userId} order by id desc limit ${per} offset ${(Number(query.page ?? 1) - 1) * per}`.execute(
        context.tx,
      )
      const { rows: counts } = await sql<{ total: number; unseen: number }>`
        select count(*) as total, count(*) filter (where seen_at is null) as unseen from notifications where user_id = ${userId}`.execute(
        context.tx,
      )
      return { notifications, total: counts[0]?.total ?? 0, unseen: counts[0]?.unseen ?? 0 }
    }),
    handle(notificationCalls.seen, async (context, { body }) => {
      const upTo = body.up_to_id === undefined ? sql`` : sql`and id <= ${body.up_to_id}`
      await sql`update notifications set seen_at = now() where user_id = ${context.principal.user_id} and seen_at is null ${upTo}`.execute(
        context.tx,
      )
      return { success: true, message: '' }
    }),
    handle(liveCalls.stream, async (context, { query, http }) =>
      live.open(context.principal, query.connection_id, http.request, http.reply),
    ),
  ]
}
