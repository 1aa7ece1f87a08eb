/** Users: their identity, whether they may sign in, and a summary of their roles. Their rights are in their roles, `user-role.ts`. */
import { fieldWords } from '../kernel/field-words.ts'
import { z } from 'zod'
import { passwordLengthMax } from '../access/auth.ts'
import { call, crudCalls, exportInput, listReply, result, started } from '../kernel/call.ts'
import {
  boolean,
  choice,
  defaulted,
  derived,
  email,
  entity,
  list,
  optional,
  shownOnly,
  text,
  writeOnly,
  type Draft,
  type Field,
  type Row,
} from '../kernel/entity.ts'
import { listInput } from '../kernel/query.ts'
import { searchCall } from '../kernel/lookup.ts'

/** Used by the form and the server. */
export const passwordMessages = {
  both: 'You must supply both a password and a password confirmation when resetting your password.',
  match: 'Password and password confirmation must match.',
} as const

export const user = entity(
  'user',
  'users',
  {
    email: email('Email'),
    username: text('Username', 100),
    first_name: optional(text('First Name', 100)),
    last_name: optional(text('Last Name', 100)),
    title: optional(text('Title', 100)),
    status: defaulted(
      choice('Status', [
        { value: 'active', label: 'Active' },
        { value: 'in_active', label: 'Inactive' },
      ]),
      'active',
    ),
    account_confirmed: derived(boolean('Confirmed')),
    password: password('Password'),
    password_confirmation: password('Password Confirmation'),
    /** Names of the user's roles, each once, highest rank first, comma-separated. */
    roles: derived(text('Roles')),
    /** Names of the roles' clients, comma-separated. */
    clients: derived(text('Clients')),
    associated_entries: shownOnly(
      list(
        'Roles and Clients',
        z.object({
          roles: z.array(z.object({ id: z.int(), name: z.string() })),
          clients: z.array(z.object({ id: z.int(), name: z.string() })),
        }),
      ),
    ),
    /** Whether the caller may change this user: no user above their rank, none whose roles reach beyond theirs. */
    manageable: shownOnly(boolean('May Be Changed')),
    /** Whether a sign-in with the password also needs a code. */
    second_factor: shownOnly(boolean('Second Factor')),
  },
  {
    filter: ['id', 'email', 'username', 'first_name', 'last_name', 'title', 'status', 'account_confirmed', 'roles', 'clients'],
    sort: ['email', 'first_name', 'last_name', 'username', 'title', 'status', 'account_confirmed', 'roles', 'clients', 'id'],
    defaultSort: 'email asc',
  },
)
export type User = Row<typeof user>
export type UserDraft = Draft<typeof user>

const userOption = z.object({ id: z.int(), name: z.string(), email: z.string() })

/** The seven fields that users may change of themselves (G-PROFILE-PATCH). */
const { email: profileEmail, username, first_name, last_name, title, password: secret, password_confirmation } = user.fields
export const profileFields = {
  email: profileEmail,
  username,
  first_name,
  last_name,
  title,
  password: secret,
  password_confirmation,
}
const profileDraft = z.strictObject({
  email: z.optional(profileEmail.schema),
  username: z.optional(username.schema),
  first_name: z.optional(first_name.schema),
  last_name: z.optional(last_name.schema),
  title: z.optional(title.schema),
  password: z.optional(secret.schema),
  password_confirmation: z.optional(password_confirmation.schema),
  lock_version: z.int().min(0).optional(),
})
export type ProfileDraft = z.infer<typeof profileDraft>

export const userCalls = {
  ...crudCalls(user, '/users', { read: 'user.read', create: 'user.create', update: 'user.update', destroy: 'user.destroy' }),
  /** The same rows, for users whose roles include this client. */
  ofClient: call({
    name: 'clients.users',
    method: 'GET',
    path: '/clients/:client_id/users',
    may: 'user.read',
    summary: 'Lists the users whose roles name this client',
    query: listInput,
    reply: listReply('users', user.row),
  }),
  exportOfClient: call({
    name: 'clients.users_export',
    method: 'GET',
    path: '/clients/:client_id/users/export_csv',
    effect: 'write',
    may: 'user.read',
    summary: 'Starts a CSV export of the users whose roles name this client',
    query: exportInput,
    reply: started,
  }),
  search: searchCall('users', '/users/search', 'user.read', userOption),
  resendConfirmationEmail: call({
    name: 'users.resend_confirmation_email',
    method: 'GET',
    path: '/users/:id/resend_confirmation_email',
    effect: 'write',
    may: 'user.update',
    summary: 'Mails the confirmation again, or a link for a new password where the account is confirmed (G-RESEND)',
  }),
  accessReport: call({
    name: 'users.access_report',
    method: 'GET',
    path: '/users/access_report',
    effect: 'write',
    may: 'user.read',
    summary: 'Starts a CSV of who may do what: a row a user and role, with what it reaches and its rights on each model',
    query: z.strictObject({ connection_id: z.string().max(100).optional() }),
    reply: started,
  }),
  /** Changing the password ends every other session. A change of the email returns the new `uid` header. */
  updateProfile: call({
    name: 'users.update_profile',
    method: 'PATCH',
    path: '/users/profile',
    may: 'signed_in',
    summary: 'Changes the signed-in user: the seven fields of the profile',
    body: z.strictObject({ user: profileDraft }),
    reply: result,
  }),
}

/** Stored as typed: a trailing space is part of a password. */
function password(label: string): Field<string | null, 'write_only'> {
  const schema = z
    .string({ error: fieldWords.text(label) })
    .max(passwordLengthMax, fieldWords.characters(label, passwordLengthMax))
    .nullable()
    .transform((value) => (value === '' ? null : value))
  return writeOnly({ kind: 'text', label, use: 'optional', max: passwordLengthMax, schema })
}
