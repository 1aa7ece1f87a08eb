/** The second factor of people who sign in with a password: codes of an authenticator app (RFC 6238), passkeys, and recovery codes. */
import { z } from 'zod'
import { call, result, type Result } from '../kernel/call.ts'
import { challengeField } from './sign-in-steps.ts'

export const noCode = 'Code is required'

/** Digits of a code, and seconds for which the app shows it. */
export const codeDigits = 6
export const codeSeconds = 30
export const recoveryCodeCount = 10
/** Minutes after the password in which the code is taken, and wrong codes that end it. */
export const challengeMinutes = 5
export const challengeTries = 5
/** Minutes after the password in which a second factor that is required can be set up. */
export const setupMinutes = 15

const path = '/users/profile/second_factor'
const codeLengthMax = 64

const code = z.string({ error: noCode }).trim().min(1, noCode).max(codeLengthMax, `Code must have at most ${codeLengthMax} characters`)
const begun = z.object({ success: z.boolean(), message: z.string(), secret: z.string(), uri: z.string() })
const codeBody = z.strictObject({ code })

export const secondFactorState = z.object({
  /** Whether a sign-in by password needs one: an app is in force, or there is a passkey. */
  active: z.boolean(),
  /** Whether an authenticator app is in force. */
  app: z.boolean(),
  /** The last instant of a sign-in without one, where the person’s role requires it; null where it does not. */
  due_at: z.string().nullable(),
  /** When the app was set up. */
  confirmed_at: z.string().nullable(),
  recovery_codes_left: z.int(),
})
export type SecondFactorState = z.infer<typeof secondFactorState>

const newCodes: z.ZodType<Result & { recovery_codes: string[] }> = z.object({
  success: z.boolean(),
  message: z.string(),
  recovery_codes: z.array(z.string()),
})

export const secondFactorCalls = {
  signIn: call({
    name: 'auth.second_factor',
    method: 'POST',
    path: '/auth/sign_in/second_factor',
    // It writes in its own transaction, after the code was counted.
    effect: 'read',
    may: 'public',
    summary: 'Second step of a sign-in: the `challenge` of the first, and a code of the app or a recovery code',
    body: z.strictObject({
      challenge: challengeField,
      code,
    }),
    reply: z.object({ success: z.boolean(), message: z.string(), data: z.object({ id: z.int(), email: z.string() }) }),
  }),
  /** Where a role requires a second factor and its days of grace are over, these two come before the sign-in. */
  beginAtSignIn: call({
    name: 'auth.begin_second_factor',
    method: 'POST',
    path: '/auth/sign_in/second_factor_setup',
    may: 'public',
    summary: 'Makes the secret of a second factor that must be set up before the sign-in; answered this once',
    body: z.strictObject({ challenge: challengeField }),
    reply: begun,
    secretReply: true,
  }),
  confirmAtSignIn: call({
    name: 'auth.confirm_second_factor',
    method: 'POST',
    path: '/auth/sign_in/second_factor_setup/confirmation',
    effect: 'read',
    may: 'public',
    summary: 'Sets the second factor up by a first code, signs in, and answers the recovery codes this once',
    body: z.strictObject({ challenge: challengeField, code }),
    reply: z.object({
      success: z.boolean(),
      message: z.string(),
      data: z.object({ id: z.int(), email: z.string() }),
      recovery_codes: z.array(z.string()),
    }),
    secretReply: true,
  }),
  get: call({
    name: 'users.second_factor',
    method: 'GET',
    path,
    may: 'signed_in',
    summary: 'Whether the signed-in user has a second factor, and how many recovery codes are left',
    reply: z.object({ second_factor: secondFactorState }),
  }),
  begin: call({
    name: 'users.begin_second_factor',
    method: 'POST',
    path,
    may: 'signed_in',
    summary: 'Makes the secret of a second factor, which counts once a code of it is confirmed; answered this once',
    reply: begun,
    secretReply: true,
  }),
  confirm: call({
    name: 'users.confirm_second_factor',
    method: 'POST',
    path: `${path}/confirmation`,
    may: 'signed_in',
    summary: 'Sets the second factor up by a first code; ends every other sign-in, and answers the recovery codes this once',
    body: codeBody,
    reply: newCodes,
    secretReply: true,
  }),
  renewCodes: call({
    name: 'users.renew_recovery_codes',
    method: 'POST',
    path: `${path}/recovery_codes`,
    // This and the next write in a transaction of their own, after the code was counted.
    effect: 'read',
    may: 'signed_in',
    summary: 'Makes new recovery codes in place of the old ones, by a code; answers them this once',
    body: codeBody,
    reply: newCodes,
    secretReply: true,
  }),
  remove: call({
    name: 'users.remove_second_factor',
    method: 'POST',
    path: `${path}/removal`,
    effect: 'read',
    may: 'signed_in',
    summary: 'Switches the authenticator app off, by a code; the last second factor stays where a role requires one',
    body: codeBody,
    reply: result,
  }),
  removeOf: call({
    name: 'users.remove_second_factor_of',
    method: 'DELETE',
    path: '/users/:id/second_factor',
    may: 'user.update',
    summary: 'Removes the second factor of somebody who has lost it; they are told, and the caller is tied to them',
  }),
}
