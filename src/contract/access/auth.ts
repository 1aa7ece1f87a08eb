/** Signing in and out, and the rights of the signed-in user. */
import { z } from 'zod'
import { call } from '../kernel/call.ts'
import { actions, models, type PermissionMap } from '../kernel/permission.ts'
import { roleNames } from './rights.ts'
import { factorSetupAsked, secondFactorAsked } from './sign-in-steps.ts'

export const passwordLengthMax = 256
/** Minutes after a sign-in, or after the password was given anew, in which an address, a password, a token and full bank numbers are in reach. */
export const provenMinutes = 10

const emailBody = z.string({ error: 'Email is required' }).trim().min(1, 'Email is required').max(254)

export const profile = z.object({
  id: z.int(),
  email: z.string(),
  username: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  title: z.string().nullable(),
  status: z.enum(['active', 'in_active']),
  account_confirmed: z.boolean(),
  preferences: z.record(z.string(), z.unknown()),
  lock_version: z.int(),
})
export type Profile = z.infer<typeof profile>

const permissionMap: z.ZodType<PermissionMap> = z.partialRecord(z.enum(models), z.array(z.enum(actions)))

export const accessAnswer = z.object({
  permissions: permissionMap,
  redirect_client_id: z.int().nullable(),
  redirect_to_home: z.boolean(),
  client_only_user: z.boolean(),
  roles: z.array(z.object({ id: z.int(), name: z.enum(roleNames) })),
  /** The logo of the user's channel partner, for the header (G-LOGO). */
  partner_logo_url: z.string().nullable(),
})
export type Access = z.infer<typeof accessAnswer>

/** One session of the signed-in user. */
export const signInPlace = z.object({
  id: z.int(),
  /** 'Chrome on Windows', as far as the browser reveals it. */
  device: z.string(),
  ip_address: z.string().nullable(),
  signed_in_at: z.string(),
  /** Precise to the minute. */
  used_at: z.string(),
  /** True for the session that sent the request. */
  current: z.boolean(),
})
export type SignInPlace = z.infer<typeof signInPlace>

const redirectUrl = z.string().max(2_000).optional()

export const authCalls = {
  signIn: call({
    name: 'auth.sign_in',
    method: 'POST',
    path: '/auth/sign_in',
    // It writes in its own transaction, after the password was checked.
    effect: 'read',
    may: 'public',
    summary:
      'Signs in; the answer’s headers access-token, client and uid are the credentials. A device-mark that comes along is sent with the next sign-in. Where the account has a second factor, `second_factor` comes without credentials, and `auth.second_factor` or `auth.second_factor_passkey` is the second step',
    body: z.object({
      email: emailBody,
      password: z.string({ error: 'Password is required' }).min(1, 'Password is required').max(passwordLengthMax),
    }),
    reply: z.object({
      success: z.boolean(),
      message: z.string(),
      data: z.object({ id: z.int(), email: z.string() }).nullable(),
      second_factor: secondFactorAsked.optional(),
      /** In place of credentials: the person’s role requires a second factor, and the days of grace are over. */
      second_factor_setup: factorSetupAsked.optional(),
      /** With credentials: until when such a person signs in without one. */
      second_factor_due_at: z.string().optional(),
    }),
  }),
  signOut: call({ name: 'auth.sign_out', method: 'DELETE', path: '/auth/sign_out', may: 'signed_in', summary: 'Ends this sign-in' }),
  requestPassword: call({
    name: 'auth.request_password',
    method: 'POST',
    path: '/auth/password',
    may: 'public',
    summary: 'Mails a link that sets a new password; the answer is the same whether the account exists or not',
    body: z.object({ email: z.email('Email must be an email address').max(254), redirect_url: redirectUrl }),
  }),
  confirm: call({
    name: 'auth.confirm',
    method: 'GET',
    path: '/auth/confirmation',
    may: 'public',
    effect: 'write',
    summary: 'The mailed link that confirms an account; leads to /forgot_password',
    // Mail services add their own parameters to links.
    query: z.looseObject({
      'access-token': z.string().max(200).default(''),
      client: z.string().max(100).default(''),
      uid: z.string().max(254).default(''),
    }),
    replyKind: 'stream',
    reply: z.string(),
  }),
  setPassword: call({
    name: 'auth.set_password',
    method: 'PUT',
    path: '/auth/password',
    may: 'public',
    summary: 'Sets a new password with the three credentials of a mailed link',
    body: z.object({
      password: z
        .string({ error: 'Password is required' })
        .max(passwordLengthMax, `Password must have at most ${passwordLengthMax} characters`),
      password_confirmation: z.string({ error: 'Password confirmation is required' }).max(passwordLengthMax),
      redirect_url: redirectUrl,
    }),
  }),
  prove: call({
    name: 'users.prove',
    method: 'POST',
    path: '/users/profile/proof',
    // It writes in a transaction of its own, after the password was checked.
    effect: 'read',
    may: 'signed_in',
    summary: 'Gives the password anew, for what is refused with `not_proven`; good for ten minutes of this sign-in',
    body: z.strictObject({
      password: z.string({ error: 'Password is required' }).min(1, 'Password is required').max(passwordLengthMax),
    }),
  }),
  profile: call({
    name: 'users.profile',
    method: 'GET',
    path: '/users/profile',
    may: 'signed_in',
    summary: 'The signed-in user',
    reply: z.object({ user: profile, success: z.boolean(), message: z.string() }),
  }),
  activeUser: call({
    name: 'users.active_user',
    method: 'GET',
    path: '/users/active_user',
    may: 'signed_in',
    summary: 'The signed-in user',
    reply: z.object({ user: profile }),
  }),
  signIns: call({
    name: 'users.sign_ins',
    method: 'GET',
    path: '/users/profile/sign_ins',
    may: 'signed_in',
    summary: 'Where the signed-in user is signed in, the last used first',
    reply: z.object({ sign_ins: z.array(signInPlace), total: z.int() }),
  }),
  endSignIn: call({
    name: 'users.end_sign_in',
    method: 'DELETE',
    path: '/users/profile/sign_ins/:id',
    may: 'signed_in',
    summary: 'Ends one sign-in of the signed-in user',
  }),
  endOtherSignIns: call({
    name: 'users.end_other_sign_ins',
    method: 'DELETE',
    path: '/users/profile/sign_ins',
    may: 'signed_in',
    summary: 'Ends every sign-in of the signed-in user but this one',
  }),
  /** Display preferences only; the seven fields of the profile belong to its form. */
  preferences: call({
    name: 'users.preferences',
    method: 'PATCH',
    path: '/users/preferences',
    may: 'signed_in',
    summary: 'Changes display preferences of the signed-in user',
    body: z.strictObject({
      preferences: z.strictObject({
        density: z.enum(['compact', 'normal', 'roomy']).optional(),
        notice_seconds: z.int().min(0).max(60).optional(),
        /** Percent, or the width of the pane. */
        document_zoom: z.union([z.literal('width'), z.int().min(25).max(400)]).optional(),
      }),
    }),
  }),
  access: call({
    name: 'user_roles.for_user',
    method: 'GET',
    path: '/user_roles/for_user',
    may: 'signed_in',
    summary: 'What the signed-in user may do, for a client or over all',
    query: z.object({
      client_id: z
        .string()
        .regex(/^\d{1,15}$/, 'must be an id')
        .or(z.literal(''))
        .optional(),
    }),
    reply: accessAnswer,
  }),
}
