/**
 * Devices from which an account has signed in. Each has a mark, which only proves that the device was used before: failures of others do
 * not slow it down. The mark is sent in the header `device-mark` and kept in local storage, where it outlives the sign-in.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { hashOf } from './credentials.ts'

const header = 'device-mark'
const devicesPerUserMax = 20
const markLengthMax = 100

/** The mark that the request carries; empty where it carries none. */
export function deviceMarkOf(request: FastifyRequest): string {
  const given = request.headers[header]
  return typeof given === 'string' && given.length <= markLengthMax ? given : ''
}

/**
 * Returns the device whose mark the request carries, if it belongs to this account. The statement runs either way, so that its duration
 * reveals nothing.
 */
export async function findDevice(tx: Tx, request: FastifyRequest, email: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`select device.id from known_devices device join users on users.id = device.user_id
    where device.mark_hash = ${hashOf(deviceMarkOf(request))} and lower(users.email) = lower(${email})`.execute(tx)
  return rows[0]?.id ?? null
}

/**
 * Stores the device of a sign-in: a known one as used, a new one with a mark that the answer carries. Beyond twenty, the least recently
 * used are deleted.
 */
export async function rememberDevice(tx: Tx, userId: number, deviceId: number | null, reply: FastifyReply): Promise<void> {
  if (deviceId !== null) {
    await sql`update known_devices set used_at = ${now()} where id = ${deviceId}`.execute(tx)
    return
  }
  const mark = randomBytes(32).toString('base64url')
  await sql`insert into known_devices (user_id, mark_hash, created_at, used_at) values (${userId}, ${hashOf(mark)}, ${now()}, ${now()})`.execute(
    tx,
  )
  await sql`delete from known_devices where user_id = ${userId}
    and id not in (select id from known_devices where user_id = ${userId} order by used_at desc, id desc limit ${devicesPerUserMax})`.execute(
    tx,
  )
  reply.header(header, mark)
}
