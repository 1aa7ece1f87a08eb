/** Signing in and out. */
import { authCalls } from '#contract/access/auth.ts'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { writeAudit } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { now } from '../kernel/clock.ts'
import { networkOf } from '../kernel/http/networks.ts'
import { invalid, signedOut, type Failure } from '../kernel/problem.ts'
import type { Sessions } from './credentials.ts'
import { findDevice } from './known-devices.ts'
import { enter } from './opened-sign-ins.ts'
import { forgetSignIns } from './password-changes.ts'
import { isPassword } from './passwords.ts'
import { makeChallenge } from './second-factor-challenge.ts'
import { hasSecondFactor } from './second-factors.ts'
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
      const { machinery } = context
      return machinery.database.db.transaction().execute(async (tx) => {
        await clearFailures(tx, given)
        if (await hasSecondFactor(tx, user.id)) {
          const second_factor = makeChallenge(machinery.settings.secretKey, user)
          return { success: false, message: 'Enter the code of your authenticator app', data: null, second_factor }
        }
        await enter({ tx, machinery }, sessions, user, http, given.deviceId)
        return { success: true, message: 'Signed in', data: { id: user.id, email: user.email } }
      })
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
