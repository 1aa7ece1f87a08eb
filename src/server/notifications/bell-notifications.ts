/** The notifications in a user's bell, and their seen and read marks. */
import { kindOfNotification } from '#contract/notifications/notification-preference.ts'
import {
  notificationsPerPageMax,
  type Notification,
  type notificationCalls,
  type NotificationKind,
} from '#contract/notifications/notification.ts'
import type { QueryOf, ReplyOf } from '#contract/kernel/call.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { notFound } from '../kernel/problem.ts'

const perPage = 20
const done = { success: true, message: '' }

type Asked = QueryOf<typeof notificationCalls.list>

export async function listNotifications(context: Context, query: Asked): Promise<ReplyOf<typeof notificationCalls.list>> {
  const per = Math.min(Number(query.per ?? perPage), notificationsPerPageMax)
  const own = sql`user_id = ${context.principal.user_id} and not muted`
  const kind = query.kind === undefined ? sql`` : await ofKind(context, own, query.kind)
  const where = sql`${own} ${kind} ${query.unread === undefined ? sql`` : sql`and (read_at is null) = ${query.unread === 'true'}`}`
  const { rows: notifications } = await sql<Notification>`
    select id, type, notification_type, message, description, error, link, payload, created_at, seen_at is not null as seen, read_at is not null as read
    from notifications where ${where} order by id desc limit ${per} offset ${(Number(query.page ?? 1) - 1) * per}`.execute(context.tx)
  const { rows: counts } = await sql<{ total: number; unseen: number; unread: number }>`
    select (select count(*) from notifications where ${where}) as total,
      (select count(*) from notifications where ${own} and seen_at is null) as unseen,
      (select count(*) from notifications where ${own} and read_at is null) as unread`.execute(context.tx)
  return { notifications, total: counts[0]?.total ?? 0, unseen: counts[0]?.unseen ?? 0, unread: counts[0]?.unread ?? 0 }
}

/** The contract assigns types to kinds; a user has notifications of only a handful of types. */
async function ofKind(context: Context, own: RawBuilder<unknown>, kind: NotificationKind): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ type: string }>`select distinct type from notifications where ${own}`.execute(context.tx)
  const types = rows.map(({ type }) => type).filter((type) => kindOfNotification(type) === kind)
  return sql`and type = any(${types}::text[])`
}

/** The bell was opened. */
export async function markSeen(context: Context, upToId: number | undefined) {
  await sql`update notifications set seen_at = now() where user_id = ${context.principal.user_id} and seen_at is null ${upTo(upToId)}`.execute(
    context.tx,
  )
  return done
}

/** Reading twice has no further effect; notifications of other users are not found. */
export async function markRead(context: Context, id: number) {
  const { rows } = await sql`update notifications set read_at = coalesce(read_at, now()), seen_at = coalesce(seen_at, now())
    where id = ${id} and user_id = ${context.principal.user_id} returning id`.execute(context.tx)
  if (rows.length === 0) throw notFound()
  return done
}

export async function markAllRead(context: Context, upToId: number | undefined) {
  await sql`update notifications set read_at = now(), seen_at = coalesce(seen_at, now())
    where user_id = ${context.principal.user_id} and read_at is null ${upTo(upToId)}`.execute(context.tx)
  return done
}

function upTo(id: number | undefined): RawBuilder<unknown> {
  return id === undefined ? sql`` : sql`and id <= ${id}`
}
