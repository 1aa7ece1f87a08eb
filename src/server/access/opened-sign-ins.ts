/** Opens a sign-in of a person who is proven, and tells its owner where the device is new. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { writeAudit, type Changes } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import { noteEvent } from '../kernel/http/security-facts.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Sessions } from './credentials.ts'
import { findDevice, rememberDevice } from './known-devices.ts'
import { tellOfNewDevice } from './new-devices.ts'
import { endLongestUnused } from './sign-in-limit.ts'

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}
interface Person {
  readonly id: number
  readonly email: string
}

/** The end of every sign-in by password. `changes` names what else has proven the person. */
export async function enter(
  { tx, machinery }: Pick<Context, 'tx' | 'machinery'>,
  sessions: Sessions,
  user: Person,
  http: Exchange,
  deviceId: number | null,
  changes: Changes = {},
): Promise<void> {
  const { isFirst } = await openSignIn(tx, sessions, user, http, changes, deviceId)
  if (deviceId === null && !isFirst) await tellOfNewDevice(machinery, tx, user.id, http.request)
}

/**
 * Opens a sign-in of a verified user: credentials, known device, trail. `changes` names other means of verification.
 * @returns whether this is the account's first sign-in.
 */
export async function openSignIn(
  tx: Tx,
  sessions: Sessions,
  user: Person,
  { request, reply }: Exchange,
  changes: Changes = {},
  deviceId?: number | null,
): Promise<{ isFirst: boolean }> {
  // Locked until the commit: of two simultaneous sign-ins the second counts the first.
  const { rows } = await sql<{
    last_sign_in_at: string | null
  }>`select last_sign_in_at from users where id = ${user.id} for no key update`.execute(tx)
  const device = deviceId === undefined ? await findDevice(tx, request, user.email) : deviceId
  const isFirst = rows[0]?.last_sign_in_at === null
  if (device === null && !isFirst) noteEvent(request, 'sign_in_new_device', user.id)
  await rememberDevice(tx, user.id, device, reply)
  await sessions.open(tx, user, request, reply)
  await endLongestUnused(tx, user.id)
  await sql`update users set last_sign_in_at = now() where id = ${user.id}`.execute(tx)
  const login = { event: 'login', item_type: 'user', item_id: user.id, client_id: 0, changes } as const
  await writeAudit(tx, { user_id: user.id, ip: request.ip }, [login])
  return { isFirst }
}
