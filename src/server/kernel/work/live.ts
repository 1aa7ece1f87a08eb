/**
 * The live channel: server-sent events, fed by LISTEN/NOTIFY from every process. A message is stored as a row first, so nothing is lost
 * when a window or a process has ended; the notification only says that there is one.
 */
import { kindOfNotification, notificationPreferencesOf, type NotificationChoice } from '#contract/notifications/notification-preference.ts'
import type { LiveEvent, NoticeKind } from '#contract/notifications/notification.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import { answered } from '../handler.ts'
import type { Database, Tx } from '../postgres/database.ts'
import { createLiveListener } from './live-listener.ts'
import type { Log } from '../log.ts'
import type { Principal } from '../principal.ts'
import { tooMuch } from '../problem.ts'
import type { LiveChannel, LiveMessage } from '../machinery.ts'

/** Past messages that a new window receives. */
const missedDays = 7
const missedMax = 200
/** Streams of one user in one process. */
const streamsPerUserMax = 20
const heartbeatMs = 20_000
/** A stream ends at most this long after its sign-in has ended. */
const signInCheckMs = 3_000
/** Bytes that may wait for a slow reader before its stream is cut; it resumes where it was. */
const waitingBytesMax = 262_144
/** PostgreSQL carries 8,000 bytes in a notification; the frame around the state needs some of them. */
const stateBytesMax = 7_500
const reconnectMs = 2_000

/** Messages between processes: the row of a message, a passing state, or a sign-in that may have ended (0: all). */
const told = z.union([
  z.object({ message: z.int(), user: z.int() }),
  z.object({ state: z.record(z.string(), z.unknown()), user: z.int(), connection: z.string().nullable() }),
  z.object({ forget: z.int(), reopen: z.boolean().optional() }),
])

interface Stream {
  readonly userId: number
  readonly sessionId: number
  readonly connectionId: string
  readonly raw: FastifyReply['raw']
  /** Messages up to this id have been written. */
  lastId: number
}

export interface Live extends LiveChannel {
  start(): Promise<void>
  /** Ends every stream; windows reconnect to any remaining process. */
  stop(): Promise<void>
  /** Answers a request with the stream of its user. Throws too-many beyond twenty. */
  open(principal: Principal, connectionId: string, request: FastifyRequest, reply: FastifyReply): Promise<typeof answered>
  /** Tells every process that a user's sign-ins (null: all) must be read again; `onForget` is called there. Returns at once. */
  forget(userId: number | null): void
  streamCount(): number
}

export interface LiveSettings {
  readonly url: string
  readonly database: Database
  readonly log: Log
  readonly onForget?: (userId: number | null) => void
  /** Sends a message by mail, in the sender's transaction, to users who have chosen that. */
  readonly mailTo?: (tx: Tx, email: string, message: LiveMessage) => Promise<void>
}

/** Creates the channel. Nothing is connected before `start`. */
export function createLive(settings: LiveSettings): Live {
  const { database, log } = settings
  const streams = new Set<Stream>()
  const ofUser = (userId: number): Stream[] => [...streams].filter((stream) => stream.userId === userId)
  const end = (stream: Stream): void => {
    streams.delete(stream)
    stream.raw.end()
  }
  const deliver = inOrder(log, async (userIds: readonly number[]) =>
    deliverNew(
      database.db,
      [...streams].filter((stream) => userIds.includes(stream.userId)),
    ),
  )
  const checkSignIns = async (): Promise<void> => {
    const alive = await livingSessions(
      database.db,
      [...streams].map((stream) => stream.sessionId),
    )
    for (const stream of streams) if (!alive.has(stream.sessionId)) end(stream)
  }
  const listener = createLiveListener({
    url: settings.url,
    log,
    onText: (text) => {
      const read = told.parse(JSON.parse(text))
      if ('message' in read && ofUser(read.user).length > 0) deliver([read.user])
      if ('state' in read) for (const stream of ofUser(read.user)) write(stream, `event: progress\ndata: ${JSON.stringify(read.state)}\n\n`)
      if ('forget' in read) {
        settings.onForget?.(read.forget === 0 ? null : read.forget)
        if (read.reopen) for (const stream of ofUser(read.forget)) end(stream)
        void checkSignIns().catch((error: unknown) => log.warn('sign-ins of streams not checked', { error }))
      }
    },
    // Messages sent while the connection was down are in the table. Notices about sign-ins are not, so all sign-ins are read again.
    onConnect: () => {
      settings.onForget?.(null)
      deliver([...new Set([...streams].map((stream) => stream.userId))])
    },
  })
  const timers: NodeJS.Timeout[] = []
  return {
    tell: teller(settings.mailTo),
    progress,
    forget: (userId) => {
      void notify(database.db, { forget: userId ?? 0 }).catch((error: unknown) =>
        log.warn('other processes not told of a sign-out', { error }),
      )
    },
    streamCount: () => streams.size,
    async start() {
      await listener.start()
      timers.push(setInterval(() => [...streams].forEach((stream) => write(stream, ': here\n\n')), heartbeatMs))
      timers.push(
        setInterval(() => {
          if (streams.size > 0) void checkSignIns().catch((error: unknown) => log.warn('sign-ins of streams not checked', { error }))
        }, signInCheckMs),
      )
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      for (const stream of streams) end(stream)
      await listener.stop()
    },
    async open(principal, connectionId, request, reply) {
      const own = ofUser(principal.user_id)
      const former = own.find((stream) => stream.connectionId === connectionId)
      if (former) end(former)
      else if (own.length >= streamsPerUserMax) throw tooMuch('too_many', 'Too many windows are open.', 30)
      const start = await startingPoint(database.db, { userId: principal.user_id, connectionId, resumeId: resumeIdOf(request) })
      const raw = hijacked(reply)
      const stream: Stream = { userId: principal.user_id, sessionId: principal.session_id, connectionId, raw, lastId: start.lastId }
      raw.on('close', () => streams.delete(stream))
      raw.write(`retry: ${reconnectMs}\n: connected\n\n`)
      for (const message of start.missed) writeMessage(stream, message)
      streams.add(stream)
      // Messages committed between the reading and the adding are found by id.
      deliver([principal.user_id])
      return answered
    },
  }
}

/**
 * A muted message is a row like any other, marked as seen and read from the start: screens update because of it, its reader is not
 * notified.
 */
function teller(mailTo: LiveSettings['mailTo']): LiveChannel['tell'] {
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

const progress: LiveChannel['progress'] = async (tx, to, state) => {
  const size = Buffer.byteLength(JSON.stringify(state))
  if (size > stateBytesMax) throw new Error(`a passing state of ${size} bytes: at most ${stateBytesMax} go through`)
  await notify(tx, { state, user: to.userId, connection: to.connectionId })
}

async function notify(tx: Tx, what: z.infer<typeof told>): Promise<void> {
  await sql`select pg_notify('meterbook_live', ${JSON.stringify(what)})`.execute(tx)
}

/** Notifies with the caller's transaction: sent on commit, never sent on rollback, and not lost with the process. */
export async function forgetWithCommit(tx: Tx, userId: number): Promise<void> {
  await notify(tx, { forget: userId })
}

/** The same after a change of rights: the user's windows are disconnected too, and reconnect with the new rights. */
export async function reopenWithCommit(tx: Tx, userId: number): Promise<void> {
  await notify(tx, { forget: userId, reopen: true })
}

/** Runs one delivery after the other, so that a stream's messages keep their order. The next delivery makes up for a failed one. */
function inOrder(log: Log, act: (userIds: readonly number[]) => Promise<void>): (userIds: readonly number[]) => void {
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
/** Where a window's stream begins: after the message that it names, or as a new window. */
interface WindowPoint {
  readonly userId: number
  readonly connectionId: string
  readonly resumeId: number | null
}
const messageColumns = sql`id, user_id, connection_id, type, notification_type, message, description, error, link, payload, created_at, muted`

async function deliverNew(tx: Tx, streams: readonly Stream[]): Promise<void> {
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
async function startingPoint(tx: Tx, window: WindowPoint): Promise<{ lastId: number; missed: LiveEvent[] }> {
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

function writeMessage(stream: Stream, message: LiveEvent): void {
  stream.lastId = Math.max(stream.lastId, message.id)
  write(stream, `id: ${message.id}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`)
}

function write(stream: Stream, text: string): void {
  if (stream.raw.writableLength > waitingBytesMax) stream.raw.destroy()
  else if (!stream.raw.writableEnded && !stream.raw.destroyed) stream.raw.write(text)
}

async function livingSessions(tx: Tx, sessionIds: readonly number[]): Promise<Set<number>> {
  if (sessionIds.length === 0) return new Set()
  const { rows } = await sql<{
    id: number
  }>`select session.id from sessions session join users on users.id = session.user_id and users.status = 'active'
    where session.id = any(${[...new Set(sessionIds)]}::bigint[])`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

function resumeIdOf(request: FastifyRequest): number | null {
  const given = request.headers['last-event-id']
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : null
}

/** Takes the socket from Fastify, with the headers that hooks have set. */
function hijacked(reply: FastifyReply): FastifyReply['raw'] {
  const headers = reply.getHeaders()
  reply.hijack()
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
  })
  reply.raw.socket?.setTimeout(0)
  reply.raw.socket?.setNoDelay(true)
  return reply.raw
}
