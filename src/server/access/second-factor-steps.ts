/** A code is counted before it is looked at, as a password is, and for the person alone: whoever has many challenges has no more tries. */
import { secondFactorCalls } from '#contract/access/second-factor.ts'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { networkOf } from '../kernel/http/networks.ts'
import { noteEvent } from '../kernel/http/security-facts.ts'
import { invalid, signedOut } from '../kernel/problem.ts'
import type { Sessions } from './credentials.ts'
import { tellMailboxes } from './former-emails.ts'
import { findDevice } from './known-devices.ts'
import { recoveryCodeUsedLetter, wrongCodesLetter } from './letters.ts'
import { takeNotedTry } from './noted-tries.ts'
import { enter } from './opened-sign-ins.ts'
import { challengedUser, endChallenge, isSpent, takeChallenge, type ChallengedUser } from './second-factor-challenge.ts'
import { hasSecondFactor, spendCode, type SpentCode } from './second-factors.ts'
import { clearFailures, noteFailure, type Try } from './sign-in-brake.ts'

export const challengeOver = () => signedOut('This sign-in took too long, or had too many wrong codes. Please sign in again.')
const wrongCode = () => invalid({ code: ['This code is wrong, or was used already'] })

export function secondStepHandlers(sessions: Sessions): Handler[] {
  return [
    handle(secondFactorCalls.signIn, async (context, { body, http }) => {
      const { machinery } = context
      const challenge = await takeChallenge(context.tx, machinery.settings.secretKey, 'second_factor', body.challenge)
      const user = challenge && (await challengedUser(context.tx, challenge))
      if (!challenge || !user) throw challengeOver()
      const used = await useCode(context, user, body.code, http.request, async () => {
        if (await isSpent(context.tx, challenge)) await tellMailboxes(context, user.id, wrongCodesLetter(), [user.email])
      })
      await machinery.database.db.transaction().execute(async (tx) => {
        // Read again under the lock: the password or the factor may have changed while the code was checked.
        if (!(await challengedUser(tx, challenge)) || !(await hasSecondFactor(tx, user.id))) throw challengeOver()
        await clearFailures(tx, used.given)
        await endChallenge(tx, challenge)
        await enter({ tx, machinery }, sessions, user, http, used.given.deviceId, { second_factor: { from: null, to: used.kind } })
        if (used.kind === 'recovery_code') await tellMailboxes({ tx, machinery }, user.id, recoveryCodeUsedLetter(), [user.email])
      })
      return { success: true, message: 'Signed in', data: { id: user.id, email: user.email } }
    }),
  ]
}

/** Spends a code of this person. Throws too-many where there were too many tries, and what is wrong with the code otherwise. */
export async function useCode(
  context: Pick<Context, 'tx' | 'machinery' | 'ip'>,
  user: ChallengedUser,
  code: string,
  request: FastifyRequest,
  onWrong: () => Promise<void> = () => Promise.resolve(),
): Promise<{ kind: SpentCode; given: Try }> {
  const { tx, machinery, ip } = context
  const deviceId = await findDevice(tx, request, user.email)
  const given = { account: user.email, network: networkOf(ip), deviceId, factorOf: user.id }
  await takeNotedTry(tx, given, request)
  const kind = await spendCode(tx, machinery.settings.secretKey, user.id, code)
  if (kind === null) {
    noteEvent(request, 'second_factor_refused', user.id)
    await noteFailure(tx, given)
    await onWrong()
    throw wrongCode()
  }
  if (kind === 'recovery_code') noteEvent(request, 'recovery_code_used', user.id)
  return { kind, given }
}
