/** The request of a live stream: where it resumes, and its sign-in. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Tx } from '../postgres/database.ts'

export async function livingSessions(tx: Tx, sessionIds: readonly number[]): Promise<Set<number>> {
  if (sessionIds.length === 0) return new Set()
  const { rows } = await sql<{
    id: number
  }>`select session.id from sessions session join users on users.id = session.user_id and users.status = 'active'
    where session.id = any(${[...new Set(sessionIds)]}::bigint[])`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

export function resumeIdOf(request: FastifyRequest): number | null {
  const given = request.headers['last-event-id']
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : null
}

/** Takes the socket from Fastify, with the headers that hooks have set. */
export function hijacked(reply: FastifyReply): FastifyReply['raw'] {
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
