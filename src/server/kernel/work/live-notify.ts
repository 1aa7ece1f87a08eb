/** Notifies other processes of messages and progress. */
import { kindOfNotification, notificationPreferencesOf, type NotificationChoice } from '#contract/notifications/notification-preference.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database, Tx } from '../postgres/database.ts'
import type { Log } from '../log.ts'
import type { LiveChannel, LiveMessage } from '../machinery.ts'

/** PostgreSQL carries 8,000 bytes in a notification; the frame around the state needs some of them. */
const stateBytesMax = 7_500

/** Messages between processes: the row of a message, a passing state, or a sign-in that may have ended (0: all). */
export const told = z.union([
  z.object({ message: z.int(), user: z.int() }),
  z.object({ state: z.record(z.string(), z.unknown()), user: z.int(), connection: z.string().nullable() }),
  z.object({ forget: z.int(), reopen: z.boolean().optional() }),
])

export interface LiveSettings {
  readonly url: string
  readonly database: Database
  readonly log: Log
  readonly onForget?: (userId: number | null) => void
  /** Sends a message by mail, in the sender's transaction, to users who have chosen that. */
  readonly mailTo?: (tx: Tx, email: string, message: LiveMessage) => Promise<void>
}

/**
 * A muted message is a row like any other, marked as seen and read from the start: screens update because of it, its reader is not
 * notified.
 */
export function teller(mailTo: LiveSettings['mailTo']): LiveChannel['tell'] {
  return async (tx, to, message) => {
    // One writer per user until its commit: ids then appear in order, and a stream that resumes after an id has missed nothing below it.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`live-messages ${to.userId}`}, 0))`.execute(tx)
    const reader = await readerOf(tx, to.userId, message.type)
    const muted = !reader.wants.in_app
    const done = muted ? sql`now()` : sql`null`
    const { rows } = await sql<{ id: number }>`
      insert into notifications (user_id, connection_id, type, notification_type, message, description, error, link, payload, muted, seen_at, read_at)
      values (${to.userId}, ${to.connectionId}, ${message.type}, ${message.notification_type}, ${message.message}, ${[...(message.description ?? [])]}::text[],
        ${message.error ?? false}, ${message.link ?? null}, ${JSON.stringify(message.payload ?? {})}::jsonb, ${muted}, ${done}, ${done}) returning id`.execute(
      tx,
    )
    await notify(tx, { message: rows[0]?.id ?? 0, user: to.userId })
    if (reader.wants.mail && reader.email !== null && message.mailed !== true) await mailTo?.(tx, reader.email, message)
  }
}

/** Returns whether and how the person wants to be notified of this. The email address is absent if the account is not active. */
async function readerOf(tx: Tx, userId: number, type: string): Promise<{ wants: NotificationChoice; email: string | null }> {
  const { rows } = await sql<{ stored: unknown; email: string | null }>`select preferences -> 'notifications' as stored,
    case when status = 'active' then email end as email from users where id = ${userId}`.execute(tx)
  return { wants: notificationPreferencesOf(rows[0]?.stored)[kindOfNotification(type)], email: rows[0]?.email ?? null }
}

export const progress: LiveChannel['progress'] = async (tx, to, state) => {
  const size = Buffer.byteLength(JSON.stringify(state))
  if (size > stateBytesMax) throw new Error(`a passing state of ${size} bytes: at most ${stateBytesMax} go through`)
  await notify(tx, { state, user: to.userId, connection: to.connectionId })
}

export async function notify(tx: Tx, what: z.infer<typeof told>): Promise<void> {
  await sql`select pg_notify('meterbook_live', ${JSON.stringify(what)})`.execute(tx)
}
