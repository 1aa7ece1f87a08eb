/**
 * The live channel: server-sent events, fed by LISTEN/NOTIFY from every process. A message is stored as a row first, so nothing is lost
 * when a window or a process has ended; the notification only says that there is one.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answered } from '../handler.ts'
import type { Tx } from '../postgres/database.ts'
import { createLiveListener } from './live-listener.ts'
import type { Principal } from '../principal.ts'
import { tooMuch } from '../problem.ts'
import type { LiveChannel } from '../machinery.ts'
import { type Stream, inOrder, deliverNew, write, startingPoint, writeMessage } from './live-messages.ts'
import { type LiveSettings, told, teller, progress, notify } from './live-notify.ts'
import { livingSessions, resumeIdOf, hijacked } from './live-requests.ts'

/** Streams of one user in one process. */
const streamsPerUserMax = 20
const heartbeatMs = 20_000
/** A stream ends at most this long after its sign-in has ended. */
const signInCheckMs = 3_000

const reconnectMs = 2_000

export interface Live extends LiveChannel {
  start(): Promise<void>
  /** Ends every stream; windows reconnect to any remaining process. */
  stop(): Promise<void>
  /** Answers a request with the stream of its user. Throws too-many beyond twenty. */
  open(principal: Principal, connectionId: string, request: FastifyRequest, reply: FastifyReply): Promise<typeof answered>
  /** Notifies every process that a user's sign-ins (null: all) must be read again; `onForget` is called there. Returns at once. */
  forget(userId: number | null): void
  streamCount(): number
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

/** Notifies with the caller's transaction: sent on commit, never sent on rollback, and not lost with the process. */
export async function forgetWithCommit(tx: Tx, userId: number): Promise<void> {
  await notify(tx, { forget: userId })
}

/** The same after a change of rights: the user's windows are disconnected too, and reconnect with the new rights. */
export async function reopenWithCommit(tx: Tx, userId: number): Promise<void> {
  await notify(tx, { forget: userId, reopen: true })
}
