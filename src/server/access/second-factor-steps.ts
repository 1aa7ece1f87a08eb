/** A code is counted before it is looked at, as a password is, and for the person alone: whoever has many challenges has no more tries. */
import { passkeyCalls } from '#contract/access/passkey.ts'
import { secondFactorCalls } from '#contract/access/second-factor.ts'
import type { PasskeyRequest } from '#contract/access/sign-in-steps.ts'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { networkOf } from '../kernel/http/networks.ts'
import { noteEvent } from '../kernel/http/security-facts.ts'
import type { Machinery } from '../kernel/machinery.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { invalid, signedOut } from '../kernel/problem.ts'
import type { Sessions } from './credentials.ts'
import { tellMailboxes } from './former-emails.ts'
import { findDevice } from './known-devices.ts'
import { recoveryCodeUsedLetter, wrongCodesLetter } from './letters.ts'
import { takeNotedTry } from './noted-tries.ts'
import { enter } from './opened-sign-ins.ts'
import { readAssertion } from './passkey-answers.ts'
import { passkeyRequestOf } from './passkey-sign-in.ts'
import { findPasskey, letPasskeySignIn, notePasskeyUse, passkeysAllowed } from './passkeys.ts'
import { relyingPartyOf, type PasskeyPlace, type RelyingParty } from './relying-party.ts'
import { challengedUser, endChallenge, isSpent, takeChallenge, type Challenge, type ChallengedUser } from './second-factor-challenge.ts'
import { hasApp, hasSecondFactor, spendCode, type SpentCode } from './second-factors.ts'
import { clearFailures, noteFailure, type Try } from './sign-in-brake.ts'

export const challengeOver = () => signedOut('This sign-in took too long, or had too many wrong codes. Please sign in again.')
const wrongPasskey = () => invalid({ credential: ['This passkey did not answer as it should. Try again, or use another way'] })
const wrongCode = () => invalid({ code: ['This code is wrong, or was used already'] })

export function secondStepHandlers(sessions: Sessions, place: PasskeyPlace): Handler[] {
  return [
    handle(secondFactorCalls.signIn, async (context, { body, http }) => {
      const { machinery } = context
      const challenge = await takeChallenge(context.tx, machinery.settings.secretKey, 'second_factor', body.challenge)
      const user = challenge && (await challengedUser(context.tx, challenge))
      if (!challenge || !user) throw challengeOver()
      const used = await useCode(context, user, body.code, http.request, () => tellIfSpent(context, user, challenge))
      return enterBySecondStep({ machinery, sessions, user, http, challenge, ...used }, async (tx) => {
        if (used.kind === 'recovery_code') await tellMailboxes({ tx, machinery }, user.id, recoveryCodeUsedLetter(), [user.email])
      })
    }),
    handle(passkeyCalls.secondStep, async (context, { body, http }) => {
      const { machinery } = context
      const challenge = await takeChallenge(context.tx, machinery.settings.secretKey, 'second_factor', body.challenge)
      const user = challenge && (await challengedUser(context.tx, challenge))
      if (!challenge || !user) throw challengeOver()
      const given = await takeFactorTry(context, user, http.request)
      const party = relyingPartyOf(place, machinery.settings.publicUrl, http.request)
      const held = await findPasskey(context.tx, body.credential.id)
      const signed = Buffer.from(body.challenge).toString('base64url')
      const used =
        held?.user_id === user.id ? await readAssertion(party, held, body.credential, signed) : { reason: 'no passkey of the person' }
      if (held === null || 'reason' in used) {
        machinery.log.info('passkey refused', { user_id: user.id, ...used })
        await noteWrong(context, user, given, http.request)
        await tellIfSpent(context, user, challenge)
        throw wrongPasskey()
      }
      return enterBySecondStep({ machinery, sessions, user, http, challenge, kind: 'passkey', given }, async (tx) => {
        if (!(await notePasskeyUse(tx, held.id, used))) throw challengeOver()
        await letPasskeySignIn(tx, held.id)
      })
    }),
  ]
}

async function tellIfSpent(context: Context, user: ChallengedUser, challenge: Challenge): Promise<void> {
  if (await isSpent(context.tx, challenge)) await tellMailboxes(context, user.id, wrongCodesLetter(), [user.email])
}

interface SecondStep {
  readonly machinery: Machinery
  readonly sessions: Sessions
  readonly user: ChallengedUser
  readonly http: Parameters<typeof enter>[3]
  readonly challenge: Challenge
  readonly kind: SpentCode | 'passkey'
  readonly given: Try
}

async function enterBySecondStep({ machinery, sessions, user, http, challenge, kind, given }: SecondStep, more: (tx: Tx) => Promise<void>) {
  await machinery.database.db.transaction().execute(async (tx) => {
    // Read again under the lock: the password or the factor may have changed while the answer was checked.
    if (!(await challengedUser(tx, challenge)) || !(await hasSecondFactor(tx, user.id))) throw challengeOver()
    await clearFailures(tx, given)
    await endChallenge(tx, challenge)
    await more(tx)
    await enter({ tx, machinery }, sessions, user, http, given.deviceId, { second_factor: { from: null, to: kind } })
  })
  return { success: true, message: 'Signed in', data: { id: user.id, email: user.email } }
}

/** How the second step may be answered: by a code of the app, and by which passkeys, which sign the challenge itself. */
export async function waysOfSecondStep(
  tx: Tx,
  userId: number,
  challenge: string,
  party: RelyingParty,
): Promise<{ app: boolean; passkey: PasskeyRequest | null }> {
  const allowed = await passkeysAllowed(tx, userId)
  return { app: await hasApp(tx, userId), passkey: allowed.length === 0 ? null : passkeyRequestOf(party, challenge, allowed) }
}

/** Spends a code of this person. Throws too-many where there were too many tries, and what is wrong with the code otherwise. */
export async function useCode(
  context: Pick<Context, 'tx' | 'machinery' | 'ip'>,
  user: ChallengedUser,
  code: string,
  request: FastifyRequest,
  onWrong: () => Promise<void> = () => Promise.resolve(),
): Promise<{ kind: SpentCode; given: Try }> {
  const { tx, machinery } = context
  const given = await takeFactorTry(context, user, request)
  const kind = await spendCode(tx, machinery.settings.secretKey, user.id, code)
  if (kind === null) {
    await noteWrong(context, user, given, request)
    await onWrong()
    throw wrongCode()
  }
  if (kind === 'recovery_code') noteEvent(request, 'recovery_code_used', user.id)
  return { kind, given }
}

async function takeFactorTry({ tx, ip }: Pick<Context, 'tx' | 'ip'>, user: ChallengedUser, request: FastifyRequest): Promise<Try> {
  const deviceId = await findDevice(tx, request, user.email)
  const given = { account: user.email, network: networkOf(ip), deviceId, factorOf: user.id }
  await takeNotedTry(tx, given, request)
  return given
}

async function noteWrong({ tx }: Pick<Context, 'tx'>, user: ChallengedUser, given: Try, request: FastifyRequest): Promise<void> {
  noteEvent(request, 'second_factor_refused', user.id)
  await noteFailure(tx, given)
}
