/** Passkeys: a sign-in without a password, and the answer to the step after one (WebAuthn). */
import { z } from 'zod'
import { call, result, type Result } from '../kernel/call.ts'
import { challengeField, passkeyRequest } from './sign-in-steps.ts'

/** Minutes for which a challenge can be answered, once. */
export const passkeyMinutes = 5
export const passkeysPerUserMax = 20
export const passkeyNameLengthMax = 60

const path = '/users/profile/passkeys'
const idLengthMax = 1_400
const bytesLengthMax = 20_000
const transportsMax = 10
const transportLengthMax = 40

/** Bytes as base64url, as browsers send them. */
const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, 'must be base64url')
const id = bytes(idLengthMax)
const long = bytes(bytesLengthMax)

/** What `toJSON` of a browser's credential holds; what else it holds is left out. */
const assertion = z.object({
  id,
  rawId: id,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: long, authenticatorData: long, signature: long, userHandle: id.nullish() }),
})
export type Assertion = z.infer<typeof assertion>

const attestation = z.object({
  id,
  rawId: id,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: long,
    attestationObject: long,
    transports: z.array(z.string().min(1).max(transportLengthMax)).max(transportsMax).optional(),
  }),
})
export type Attestation = z.infer<typeof attestation>

const name = z.string().trim().min(1).max(passkeyNameLengthMax)

const passkey = z.object({
  id: z.int(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  /** Whether its maker keeps a copy, such as the account of the phone. */
  backed_up: z.boolean(),
  /** False after a recovery of the password, until it has answered the step after the new one. */
  signs_in: z.boolean(),
})
export type Passkey = z.infer<typeof passkey>

/** The options of `navigator.credentials.create`, as JSON. */
const passkeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  excludeCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
  timeout: z.int(),
})
export type PasskeyCreation = z.infer<typeof passkeyCreation>

const signedIn = z.object({ success: z.boolean(), message: z.string(), data: z.object({ id: z.int(), email: z.string() }) })

const added: z.ZodType<Result & { recovery_codes?: string[] | undefined }> = z.object({
  success: z.boolean(),
  message: z.string(),
  id: z.int().optional(),
  recovery_codes: z.array(z.string()).optional(),
})

export const passkeyCalls = {
  signInOptions: call({
    name: 'auth.passkey_options',
    method: 'POST',
    path: '/auth/sign_in/passkey_options',
    effect: 'read',
    may: 'public',
    summary: 'The challenge of a sign-in by a passkey, for `navigator.credentials.get`; it is answered once, from this device',
    reply: z.object({ options: passkeyRequest }),
  }),
  signIn: call({
    name: 'auth.passkey_sign_in',
    method: 'POST',
    path: '/auth/sign_in/passkey',
    // This and the next write in a transaction of their own, after the try was counted.
    effect: 'read',
    may: 'public',
    summary: 'Signs in by a passkey, without a password; the answer’s headers are the credentials, as those of `auth.sign_in`',
    body: z.strictObject({ credential: assertion }),
    reply: signedIn,
  }),
  secondStep: call({
    name: 'auth.second_factor_passkey',
    method: 'POST',
    path: '/auth/sign_in/second_factor/passkey',
    effect: 'read',
    may: 'public',
    summary: 'Second step of a sign-in by a passkey that has signed the `challenge` of the first',
    body: z.strictObject({ challenge: challengeField, credential: assertion }),
    reply: signedIn,
  }),
  list: call({
    name: 'users.passkeys',
    method: 'GET',
    path,
    may: 'signed_in',
    summary: 'The passkeys of the signed-in user, the oldest first',
    reply: z.object({ passkeys: z.array(passkey), total: z.int() }),
  }),
  creationOptions: call({
    name: 'users.passkey_options',
    method: 'POST',
    path: `${path}/options`,
    effect: 'read',
    may: 'signed_in',
    summary: 'The challenge of a new passkey, for `navigator.credentials.create`; it is answered once, in this sign-in',
    reply: z.object({ options: passkeyCreation }),
  }),
  create: call({
    name: 'users.create_passkey',
    method: 'POST',
    path,
    effect: 'read',
    may: 'signed_in',
    summary:
      'Adds a passkey; where an authenticator app is in force, by a `code` of it. The first second factor ends every other sign-in, and answers recovery codes this once',
    body: z.strictObject({
      name,
      credential: attestation,
      code: z.string({ error: 'Code must be text' }).trim().max(64, 'Code must have at most 64 characters').optional(),
    }),
    reply: added,
    secretReply: true,
  }),
  rename: call({
    name: 'users.rename_passkey',
    method: 'PATCH',
    path: `${path}/:id`,
    may: 'signed_in',
    summary: 'Names a passkey of the signed-in user',
    body: z.strictObject({ name }),
    reply: result,
  }),
  destroy: call({
    name: 'users.remove_passkey',
    method: 'DELETE',
    path: `${path}/:id`,
    may: 'signed_in',
    summary: 'Removes a passkey of the signed-in user; the last second factor stays where a role requires one',
    reply: result,
  }),
}
