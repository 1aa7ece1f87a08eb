/** Signing in and out. */
import { authCalls } from '#contract/access/auth.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { writeAudit, type Changes } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { now } from '../kernel/clock.ts'
import { networkOf } from '../kernel/http/networks.ts'
import { invalid, signedOut, type Failure } from '../kernel/problem.ts'
import type { Sessions } from './credentials.ts'
import { findDevice, rememberDevice } from './known-devices.ts'
import { tellOfNewDevice } from './new-devices.ts'
import { forgetSignIns } from './password-changes.ts'
import { isPassword } from './passwords.ts'
import { endLongestUnused } from './sign-in-limit.ts'
import { clearFailures, noteFailure, takeTry, type Try } from './sign-in-brake.ts'

const wrongCredentials = (): Failure => signedOut('Invalid login credentials. Please try again.')
/** Whoever is signed in stays so; an account without a password of its own signs in anew at its provider instead. */
const notTheirPassword = (): Failure => invalid({ password: ['This is not your password. Without one, sign out and in again'] })

interface UserRow {
  id: number
  email: string
  password_hash: string | null
}

export function signInHandlers(sessions: Sessions): Handler[] {
  return [
    handle(authCalls.signIn, async (context, { body, http }) => {
      const { user, given } = await provenUser(context, body.email, body.password, http.request)
      await context.machinery.database.db.transaction().execute(async (tx) => {
        await clearFailures(tx, given)
        const { isFirst } = await openSignIn(tx, sessions, user, http, {}, given.deviceId)
        if (given.deviceId === null && !isFirst) await tellOfNewDevice(context.machinery, tx, user.id, http.request)
      })
      return { success: true, message: 'Signed in', data: { id: user.id, email: user.email } }
    }),
    handle(authCalls.prove, async (context, { body, http }) => {
      const { session_id: sessionId, user_id: userId, email } = context.principal
      const { given } = await provenUser(context, email, body.password, http.request, notTheirPassword)
      await context.machinery.database.db.transaction().execute(async (tx) => {
        await clearFailures(tx, given)
        await sql`update sessions set proven_at = ${now()} where id = ${sessionId}`.execute(tx)
        const changes = { proven: { from: null, to: 'by password' } }
        await writeAudit(tx, { user_id: userId, ip: context.ip }, [
          { event: 'login', item_type: 'session', item_id: sessionId, client_id: 0, changes },
        ])
      })
      return { success: true, message: 'Password accepted' }
    }),
    handle(authCalls.signOut, async (context) => {
      const { session_id: sessionId, user_id: userId } = context.principal
      await sql`delete from sessions where id = ${sessionId}`.execute(context.tx)
      await forgetSignIns(context, userId)
      return { success: true, message: 'Signed out' }
    }),
  ]
}

/**
 * Opens a sign-in of a verified user: credentials, known device, trail. `changes` names other means of verification.
 * @returns whether this is the account's first sign-in.
 */
export async function openSignIn(
  tx: Tx,
  sessions: Sessions,
  user: { readonly id: number; readonly email: string },
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  changes: Changes = {},
  deviceId?: number | null,
): Promise<{ isFirst: boolean }> {
  // Locked until the commit: of two simultaneous sign-ins the second counts the first.
  const { rows } = await sql<{
    last_sign_in_at: string | null
  }>`select last_sign_in_at from users where id = ${user.id} for no key update`.execute(tx)
  await rememberDevice(tx, user.id, deviceId === undefined ? await findDevice(tx, request, user.email) : deviceId, reply)
  await sessions.open(tx, user, request, reply)
  await endLongestUnused(tx, user.id)
  await sql`update users set last_sign_in_at = now() where id = ${user.id}`.execute(tx)
  const login = { event: 'login', item_type: 'user', item_id: user.id, client_id: 0, changes } as const
  await writeAudit(tx, { user_id: user.id, ip: request.ip }, [login])
  return { isFirst: rows[0]?.last_sign_in_at === null }
}

/**
 * Finds the user for these credentials. A wrong address, a wrong password, an inactive user and one who has not confirmed the account get
 * one answer after the same time. It runs outside any transaction: a failure's count outlives the refusal, and no connection is held while
 * a password is checked. Holding one connection while waiting for a second would deadlock the pool under load.
 */
async function provenUser(
  { tx, ip, machinery }: Context,
  email: string,
  password: string,
  request: FastifyRequest,
  refusal = wrongCredentials,
): Promise<{ user: UserRow; given: Try }> {
  const given = { account: email, network: networkOf(ip), deviceId: await findDevice(tx, request, email) }
  await takeTry(tx, given)
  const { rows } = await sql<UserRow>`select id, email, password_hash from users
    where lower(email) = lower(${email}) and status = 'active' and account_confirmed`.execute(tx)
  const user = rows[0]
  if (!(await isPassword(user?.password_hash ?? null, password)) || !user) {
    if (await noteFailure(tx, given)) machinery.log.warn('many sign-ins fail at once: new devices wait', { network: given.network })
    throw refusal()
  }
  return { user, given }
}
