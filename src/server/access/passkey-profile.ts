/** One's own passkeys: added and removed with a recent password, told by mail; named at will. */
import { passkeyCalls, passkeysPerUserMax, type PasskeyCreation } from '#contract/access/passkey.ts'
import { noCode } from '#contract/access/second-factor.ts'
import { generateRegistrationOptions } from '@simplewebauthn/server'
import type { Changes } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Asking, type Handler } from '../kernel/handler.ts'
import { invalid, notFound, refused } from '../kernel/problem.ts'
import type { BodyOf } from '#contract/kernel/call.ts'
import { passkeyAddedLetter, passkeyRemovedLetter } from './letters.ts'
import { ownTransaction } from './own-transaction.ts'
import { challengeSigned, passkeyAlgorithms, readAttestation, userHandleOf } from './passkey-answers.ts'
import { boundToSignIn, makePasskeyChallenge, passkeyTimeoutMs, spendPasskeyChallenge } from './passkey-challenge.ts'
import { deletePasskey, listPasskeys, passkeysAllowed, renamePasskey, storePasskey, type NewPasskey } from './passkeys.ts'
import { endSignIns } from './password-changes.ts'
import { passwordsAreOff } from './passwords-are-off.ts'
import { handleProven } from './proof.ts'
import { relyingPartyOf, type PasskeyPlace } from './relying-party.ts'
import { mustHavePassword, mustStayGuarded, tell } from './second-factor-profile.ts'
import { useCode } from './second-factor-steps.ts'
import { dropUselessCodes, hasApp, hasSecondFactor, lockPerson, renewRecoveryCodes, type FactorRules } from './second-factors.ts'
import { clearFailures } from './sign-in-brake.ts'

interface OwnPasskeyRules extends PasskeyPlace {
  readonly passwordSignIn: boolean
  readonly secondFactor: FactorRules
}
type Creating = Asking<unknown, unknown, BodyOf<typeof passkeyCalls.create>>

const changeOf = (from: string | null, to: string | null): Changes => ({ passkey: { from, to } })

export function ownPasskeyHandlers(rules: OwnPasskeyRules): Handler[] {
  return [
    handle(passkeyCalls.list, async ({ tx, principal }) => {
      const passkeys = await listPasskeys(tx, principal.user_id)
      return { passkeys, total: passkeys.length }
    }),
    handleProven(passkeyCalls.creationOptions, async (context, { http }) => {
      await mustBeAllowed(context, rules.passwordSignIn)
      const { id } = relyingPartyOf(rules, context.machinery.settings.publicUrl, http.request)
      return { options: await creationOptions(context, id) }
    }),
    handleProven(passkeyCalls.create, (context, asking) => addPasskey(context, asking, rules)),
    handle(passkeyCalls.rename, async ({ tx, principal, audit }, { params, body }) => {
      const former = await renamePasskey(tx, principal.user_id, params.id, body.name)
      if (former === null) throw notFound()
      await audit.updated('user', principal.user_id, 0, changeOf(former, body.name))
      return { success: true, message: 'Passkey renamed', id: params.id }
    }),
    handleProven(passkeyCalls.destroy, async (context, { params, http }) => {
      const { tx, principal } = context
      await lockPerson(tx, principal.user_id)
      const name = await deletePasskey(tx, principal.user_id, params.id)
      if (name === null) throw notFound()
      await mustStayGuarded(tx, principal.user_id, rules.secondFactor)
      const isLast = await dropUselessCodes(tx, principal.user_id)
      await tell(context, http.request, 'passkey_removed', changeOf(name, null), passkeyRemovedLetter(name, isLast))
      return { success: true, message: 'Passkey removed', id: params.id }
    }),
  ]
}

async function mustBeAllowed(context: Context, passwordSignIn: boolean): Promise<void> {
  if (!passwordSignIn) throw passwordsAreOff()
  await mustHavePassword(context)
}

async function creationOptions({ tx, principal, machinery }: Context, rpId: string): Promise<PasskeyCreation> {
  const { user_id: userId, email } = principal
  const challenge = makePasskeyChallenge(machinery.settings.secretKey, 'passkey_creation', boundToSignIn(principal))
  const { pubKeyCredParams } = await generateRegistrationOptions({
    rpName: 'Meterbook',
    rpID: rpId,
    userName: email,
    supportedAlgorithmIDs: passkeyAlgorithms,
  })
  return {
    challenge: Buffer.from(challenge).toString('base64url'),
    rp: { id: rpId, name: 'Meterbook' },
    user: { id: userHandleOf(userId), name: email, displayName: email },
    pubKeyCredParams: pubKeyCredParams.map(({ alg }) => ({ type: 'public-key', alg })),
    excludeCredentials: await passkeysAllowed(tx, userId),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
    timeout: passkeyTimeoutMs,
  }
}

/** The challenge is spent and a wrong code counted although the request is refused, so the rest has a transaction of its own. */
async function addPasskey(context: Context, { body, http }: Creating, rules: OwnPasskeyRules) {
  await mustBeAllowed(context, rules.passwordSignIn)
  const { tx, principal, machinery } = context
  const challenge = challengeSigned(body.credential.response)
  if (!(await spendPasskeyChallenge(tx, machinery.settings.secretKey, 'passkey_creation', boundToSignIn(principal), challenge)))
    throw invalid({ credential: ['This took too long. Add the passkey again'] })
  const party = relyingPartyOf(rules, machinery.settings.publicUrl, http.request)
  const made = await readAttestation(party, body.credential, challenge)
  if ('reason' in made) {
    machinery.log.info('passkey refused', { user_id: principal.user_id, ...made })
    throw invalid({ credential: ['This passkey cannot be used here. Use one that asks for a PIN, a face or a finger'] })
  }
  const proof = await appCode(context, body.code, http.request)
  return ownTransaction(context, async (inner) => {
    await lockPerson(inner, principal.user_id)
    if (proof) await clearFailures(inner, proof)
    return { principal, work: (inside) => keepPasskey(inside, { ...made, name: body.name }, http.request) }
  })
}

/** Throws unless a person with an app in force sends a code of it: a stolen sign-in together with the password must add no passkey. */
async function appCode(context: Context, code: string | undefined, request: Creating['http']['request']) {
  const { user_id: id, email } = context.principal
  if (!(await hasApp(context.tx, id))) return null
  if (!code) throw invalid({ code: [noCode] })
  return (await useCode(context, { id, email }, code, request)).given
}

async function keepPasskey(context: Context, made: NewPasskey, request: Creating['http']['request']) {
  const { tx, principal } = context
  const { user_id: userId } = principal
  const isFirst = !(await hasSecondFactor(tx, userId))
  if ((await passkeysAllowed(tx, userId)).length >= passkeysPerUserMax)
    throw refused(`You have ${passkeysPerUserMax} passkeys. Remove one before you add another.`)
  const id = await storePasskey(tx, userId, made)
  if (id === null) throw refused('This passkey is added already.')
  await tell(context, request, 'passkey_added', changeOf(null, made.name), passkeyAddedLetter(made.name, isFirst))
  const added = { success: true, message: 'Passkey added', id }
  if (!isFirst) return added
  // They were opened by the password alone.
  await endSignIns(context, userId, principal.session_id)
  return { ...added, recovery_codes: await renewRecoveryCodes(tx, userId) }
}
