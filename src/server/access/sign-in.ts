/** Signing in and out. */
import { authCalls } from '#contract/access/auth.ts'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { writeAudit } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { networkOf } from '../kernel/http/networks.ts'
import { noteEvent } from '../kernel/http/security-facts.ts'
import { invalid, signedOut, type Failure } from '../kernel/problem.ts'
import type { Sessions } from './credentials.ts'
import { findDevice } from './known-devices.ts'
import { enter } from './opened-sign-ins.ts'
import { forgetSignIns } from './password-changes.ts'
import { isPassword } from './passwords.ts'
import { passwordsAreOff } from './passwords-are-off.ts'
import { relyingPartyOf, type PasskeyPlace, type RelyingParty } from './relying-party.ts'
import { makeChallenge } from './second-factor-challenge.ts'
import { waysOfSecondStep } from './second-factor-steps.ts'
import { factorDueAt, hasSecondFactor, type FactorRules } from './second-factors.ts'
import { takeNotedTry } from './noted-tries.ts'
import { clearFailures, noteFailure, type Try } from './sign-in-brake.ts'

const wrongCredentials = (): Failure => signedOut('Invalid login credentials. Please try again.')
/** The session goes on. An account without its own password signs in again at its provider instead. */
const notTheirPassword = (): Failure => invalid({ password: ['This is not your password. Without one, sign out and in again'] })

/** Else an open sign-in would make API tokens, which live on without the second factor. */
const mustSetUpFirst = (): Failure =>
  invalid({ password: ['Your role requires a second factor by now. Sign out and in again to set it up'] })

interface UserRow {
  id: number
  email: string
  password_hash: string | null
}

export interface SignInRules extends PasskeyPlace {
  /** Whether passwords sign in at all. */
  readonly passwordSignIn: boolean
  readonly secondFactor: FactorRules
}

export function signInHandlers(sessions: Sessions, rules: SignInRules): Handler[] {
  return [
    handle(authCalls.signIn, async (context, { body, http }) => {
      if (!rules.passwordSignIn) throw passwordsAreOff()
      const { user, given } = await provenUser(context, body.email, body.password, http.request)
      const { machinery } = context
      const party = relyingPartyOf(rules, machinery.settings.publicUrl, http.request)
      return machinery.database.db.transaction().execute(async (tx) => {
        await clearFailures(tx, given)
        const need = await factorNeed(tx, user.id, rules.secondFactor)
        if (need === 'setup') return setupAnswer(machinery.settings.secretKey, user)
        if (need === 'code') return secondStepAnswer(tx, machinery.settings.secretKey, user, party)
        await enter({ tx, machinery }, sessions, user, http, given.deviceId)
        const due = need === null ? {} : { second_factor_due_at: need.dueAt }
        return { success: true, message: 'Signed in', data: { id: user.id, email: user.email }, ...due }
      })
    }),
    handle(authCalls.prove, async (context, { body, http }) => {
      const { session_id: sessionId, user_id: userId, email } = context.principal
      if (!rules.passwordSignIn) throw notTheirPassword()
      const { given } = await provenUser(context, email, body.password, http.request, notTheirPassword)
      await context.machinery.database.db.transaction().execute(async (tx) => {
        await clearFailures(tx, given)
        if ((await factorNeed(tx, userId, rules.secondFactor)) === 'setup') throw mustSetUpFirst()
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

/** Returns the step that follows a right password: a code, the setup of a second factor, or none. `dueAt` is the end of the days of grace. */
async function factorNeed(tx: Tx, userId: number, rules: FactorRules): Promise<'code' | 'setup' | { dueAt: string } | null> {
  if (await hasSecondFactor(tx, userId)) return 'code'
  const dueAt = await factorDueAt(tx, userId, rules)
  if (dueAt === null) return null
  return Date.parse(dueAt) <= now().getTime() ? 'setup' : { dueAt }
}

function setupAnswer(secretKey: string, user: UserRow) {
  const second_factor_setup = makeChallenge(secretKey, 'second_factor_setup', user)
  return { success: false, data: null, message: 'Your role requires a second factor: set it up to sign in', second_factor_setup }
}

async function secondStepAnswer(tx: Tx, secretKey: string, user: UserRow, party: RelyingParty) {
  const asked = makeChallenge(secretKey, 'second_factor', user)
  const ways = await waysOfSecondStep(tx, user.id, asked.challenge, party)
  const message = ways.app ? 'Enter the code of your authenticator app' : 'Use your passkey'
  return { success: false, data: null, message, second_factor: { ...asked, ...ways } }
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
  await takeNotedTry(tx, given, request)
  const { rows } = await sql<UserRow>`select id, email, password_hash from users
    where lower(email) = lower(${email}) and status = 'active' and account_confirmed`.execute(tx)
  const user = rows[0]
  if (!(await isPassword(user?.password_hash ?? null, password)) || !user) {
    if (await noteFailure(tx, given)) machinery.log.warn('many sign-ins fail at once: new devices wait', { network: given.network })
    if (refusal !== wrongCredentials) noteEvent(request, 'proof_refused')
    throw refusal()
  }
  return { user, given }
}
