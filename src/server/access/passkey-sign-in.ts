/** Signing in by a passkey alone: it is something that the person has, opened by what they know or are, so no code is asked for. */
import { createHash } from 'node:crypto'
import { passkeyCalls, type Assertion } from '#contract/access/passkey.ts'
import type { PasskeyRequest } from '#contract/access/sign-in-steps.ts'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { networkOf } from '../kernel/http/networks.ts'
import { notePerson } from '../kernel/http/security-facts.ts'
import { signedOut } from '../kernel/problem.ts'
import type { Sessions } from './credentials.ts'
import { deviceMarkOf, findDevice } from './known-devices.ts'
import { takeNotedTry } from './noted-tries.ts'
import { enter } from './opened-sign-ins.ts'
import { challengeSigned, readAssertion, type Refused, type Used } from './passkey-answers.ts'
import { boundToDevice, makePasskeyChallenge, passkeyTimeoutMs, spendPasskeyChallenge } from './passkey-challenge.ts'
import { findPasskey, notePasskeyUse, type HeldPasskey } from './passkeys.ts'
import { passwordsAreOff } from './passwords-are-off.ts'
import { relyingPartyOf, type PasskeyPlace, type RelyingParty } from './relying-party.ts'
import { lockPerson } from './second-factors.ts'
import { clearFailures, noteFailure, type Try } from './sign-in-brake.ts'

const refusedPasskey = () => signedOut('This passkey does not sign in here. Please try again, or sign in with your password.')
const needsPassword = () =>
  signedOut(
    'Your password was replaced since. Sign in with the new password and this passkey once; then the passkey alone is enough again.',
  )

interface PasskeyRules extends PasskeyPlace {
  /** Passkeys follow the rule of passwords: where a provider is the only way in, they open nothing. */
  readonly passwordSignIn: boolean
}

export function passkeySignInHandlers(sessions: Sessions, rules: PasskeyRules): Handler[] {
  return [
    handle(passkeyCalls.signInOptions, ({ machinery }, { http }) => {
      if (!rules.passwordSignIn) throw passwordsAreOff()
      const { secretKey, publicUrl } = machinery.settings
      const challenge = makePasskeyChallenge(secretKey, 'passkey_sign_in', boundToDevice(deviceMarkOf(http.request)))
      // No names of passkeys: the browser shows those that it has.
      return Promise.resolve({ options: passkeyRequestOf(relyingPartyOf(rules, publicUrl, http.request), challenge, []) })
    }),
    handle(passkeyCalls.signIn, async (context, { body, http }) => {
      if (!rules.passwordSignIn) throw passwordsAreOff()
      const { machinery } = context
      const { held, used, given } = await provenPasskey(context, rules, body.credential, http.request)
      const user = { id: held.user_id, email: held.email }
      await machinery.database.db.transaction().execute(async (tx) => {
        // Read again under the lock: the person may have been deactivated, or the password recovered, while the signature was checked.
        await lockPerson(tx, user.id)
        const still = await findPasskey(tx, held.credential_id)
        if (!still?.may_enter || !still.signs_in || !(await notePasskeyUse(tx, held.id, used))) throw refusedPasskey()
        await clearFailures(tx, given)
        await enter({ tx, machinery }, sessions, user, http, given.deviceId, { passkey: { from: null, to: held.name } })
      })
      return { success: true, message: 'Signed in', data: user }
    }),
  ]
}

/** The options for a browser, of which the text of the challenge is signed. */
export function passkeyRequestOf(party: RelyingParty, challenge: string, allowed: PasskeyRequest['allowCredentials']): PasskeyRequest {
  return {
    challenge: Buffer.from(challenge).toString('base64url'),
    rpId: party.id,
    allowCredentials: allowed,
    userVerification: 'required',
    timeout: passkeyTimeoutMs,
  }
}

/**
 * Finds the person of the passkey. It runs outside any transaction, as the check of a password does, so that a failure's count outlives the
 * refusal. Tries are counted for the passkey, known or not: who guesses passwords of a person does not make their passkey wait.
 */
async function provenPasskey(
  context: Context,
  rules: PasskeyRules,
  credential: Assertion,
  request: FastifyRequest,
): Promise<{ held: HeldPasskey; used: Used; given: Try }> {
  const { tx, ip, machinery } = context
  const held = await findPasskey(tx, credential.id)
  if (held) notePerson(request, held.user_id)
  const account = `passkey:${createHash('sha256').update(credential.id).digest('base64url')}`
  const given = { account, network: networkOf(ip), deviceId: await findDevice(tx, request, held?.email ?? '') }
  await takeNotedTry(tx, given, request)
  const party = relyingPartyOf(rules, machinery.settings.publicUrl, request)
  const used = await readSignIn(context, party, held, credential, request)
  if (held === null || 'reason' in used) {
    machinery.log.info('passkey refused', { user_id: held?.user_id ?? null, ...used })
    await noteFailure(tx, given)
    throw refusedPasskey()
  }
  if (!held.signs_in) throw needsPassword()
  return { held, used, given }
}

async function readSignIn(
  { tx, machinery }: Context,
  party: RelyingParty,
  held: HeldPasskey | null,
  credential: Assertion,
  request: FastifyRequest,
): Promise<Used | Refused> {
  const challenge = challengeSigned(credential.response)
  const isOurs = await spendPasskeyChallenge(
    tx,
    machinery.settings.secretKey,
    'passkey_sign_in',
    boundToDevice(deviceMarkOf(request)),
    challenge,
  )
  if (!isOurs) return { reason: 'the challenge is not ours, over or spent' }
  if (!held) return { reason: 'the passkey is unknown' }
  if (!held.may_enter) return { reason: 'the person is inactive or not confirmed' }
  // Without the handle it was no discoverable passkey, so nothing says that the authenticator keeps it for this person.
  if (!credential.response.userHandle) return { reason: 'the passkey names nobody' }
  return readAssertion(party, held, credential, challenge)
}
