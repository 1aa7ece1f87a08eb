/** The messages of a live stream: where it resumes, and what is new. */
import type { LiveEvent, NoticeKind } from '#contract/notifications/notification.ts'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import type { Tx } from '../postgres/database.ts'
import type { Log } from '../log.ts'

/** Past messages that a new window receives. */
const missedDays = 7
const missedMax = 200

/** Bytes that may wait for a slow reader before its stream is cut; it resumes where it was. */
const waitingBytesMax = 262_144

export interface Stream {
  readonly userId: number
  readonly sessionId: number
  readonly connectionId: string
  readonly raw: FastifyReply['raw']
  /** Messages up to this id have been written. */
  lastId: number
}

/** Runs one delivery after the other, so that a stream's messages keep their order. The next delivery makes up for a failed one. */
export function inOrder(log: Log, act: (userIds: readonly number[]) => Promise<void>): (userIds: readonly number[]) => void {
  let last = Promise.resolve()
  return (userIds) => {
    if (userIds.length === 0) return
    last = last.then(() => act(userIds)).catch((error: unknown) => log.warn('live messages not delivered', { error }))
  }
}

interface MessageRow extends Omit<LiveEvent, 'missed' | 'notification_type'> {
  readonly user_id: number
  readonly notification_type: NoticeKind
}
/** The start of a window's stream: after the message that it names, or as a new window. */
interface WindowPoint {
  readonly userId: number
  readonly connectionId: string
  readonly resumeId: number | null
}
const messageColumns = sql`id, user_id, connection_id, type, notification_type, message, description, error, link, payload, created_at, muted`

export async function deliverNew(tx: Tx, streams: readonly Stream[]): Promise<void> {
  if (streams.length === 0) return
  const from = Math.min(...streams.map((stream) => stream.lastId))
  const userIds = [...new Set(streams.map((stream) => stream.userId))]
  const { rows } =
    await sql<MessageRow>`select ${messageColumns} from notifications where user_id = any(${userIds}::bigint[]) and id > ${from}
    order by id limit ${missedMax * userIds.length}`.execute(tx)
  for (const row of rows) {
    for (const stream of streams)
      if (stream.userId === row.user_id && row.id > stream.lastId) writeMessage(stream, { ...messageOf(row), missed: false })
  }
}

/**
 * A window that reconnects gets all messages after its last id. A new one gets its user's unseen messages, marked as missed; a message for
 * this very window is not: its stream opened later than its request was answered.
 */
export async function startingPoint(tx: Tx, window: WindowPoint): Promise<{ lastId: number; missed: LiveEvent[] }> {
  const { userId, connectionId, resumeId } = window
  const { rows: heads } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from notifications where user_id = ${userId}`.execute(
    tx,
  )
  const head = heads[0]?.id ?? 0
  const which = resumeId === null ? sql`seen_at is null and not muted` : sql`id > ${resumeId}`
  const { rows } = await sql<MessageRow>`select ${messageColumns} from notifications
    where user_id = ${userId} and id <= ${head} and created_at > now() - make_interval(days => ${missedDays}::int) and ${which} order by id desc limit ${missedMax}`.execute(
    tx,
  )
  const isMissed = (row: MessageRow): boolean => resumeId === null && row.connection_id !== connectionId
  return { lastId: head, missed: rows.toReversed().map((row) => ({ ...messageOf(row), missed: isMissed(row) })) }
}

function messageOf(row: MessageRow): Omit<LiveEvent, 'missed'> {
  const { id, type, notification_type, message, description, error, link, payload, created_at, connection_id, muted } = row
  return { id, type, notification_type, message, description, error, link, payload, created_at, connection_id, muted }
}

export function writeMessage(stream: Stream, message: LiveEvent): void {
  stream.lastId = Math.max(stream.lastId, message.id)
  write(stream, `id: ${message.id}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`)
}

export function write(stream: Stream, text: string): void {
  if (stream.raw.writableLength > waitingBytesMax) stream.raw.destroy()
  else if (!stream.raw.writableEnded && !stream.raw.destroyed) stream.raw.write(text)
}
