/**
 * API tokens: a user's rights, or a part of them, for a program. `authorization: Bearer mb_…` replaces the three headers. This file decides what
 * a token may call, for every present and future call.
 */
import { z } from 'zod'
import { call, exportOf, listReply, result, type Call, type Result } from '../kernel/call.ts'
import {
  choice,
  date,
  defaulted,
  derived,
  entity,
  helped,
  instant,
  list,
  optional,
  ref,
  refs,
  text,
  type Draft,
  type Row,
} from '../kernel/entity.ts'
import { models, permissionsOf } from '../kernel/permission.ts'
import { listInput } from '../kernel/query.ts'

export const apiTokenPrefix = 'mb_'
export const apiTokenDaysDefault = 90
export const apiTokenDaysMax = 365
/** Tokens that one user may have, including expired ones. */
export const apiTokensPerUserMax = 50

export const apiToken = entity(
  'api_token',
  'api_tokens',
  {
    name: text('Name', 100),
    access: choice('Access', [
      { value: 'read', label: 'Read only' },
      { value: 'write', label: 'Read and write' },
    ]),
    /** Empty: everything its user may do. */
    models: defaulted(list('Records', z.array(z.enum(models), { error: 'Records must be a list' }).max(models.length)), []),
    /** Empty: every client its user reaches. */
    client_ids: helped(defaulted(refs('Clients', 'clients'), []), 'Empty: every client that you reach.'),
    expires_on: date('Expires On'),
    /** The visible part of the token: `mb_…` and its last four characters. */
    token: derived(text('Token')),
    last_used_at: derived(optional(instant('Last Used'))),
    last_used_ip: derived(optional(text('Last Used From'))),
    created_at: derived(instant('Created')),
    user_id: derived(ref('User Id', 'users')),
    user_email: derived(text('User')),
  },
  {
    filter: ['id', 'name', 'access', 'expires_on', 'last_used_at', 'user_email', 'created_at'],
    sort: ['name', 'access', 'expires_on', 'last_used_at', 'user_email', 'created_at', 'id'],
    defaultSort: 'created_at desc',
  },
  { label: 'API Token', labels: 'API Tokens' },
)
export type ApiToken = Row<typeof apiToken>
export type ApiTokenDraft = Draft<typeof apiToken>

const own = '/users/profile/api_tokens'
const all = '/settings/api_tokens'
const made: z.ZodType<Result & { api_token: ApiToken; token: string }> = z.object({
  success: z.boolean(),
  message: z.string(),
  id: z.int().optional(),
  api_token: apiToken.row,
  token: z.string(),
})

const listOwn = call({
  name: 'api_tokens.own',
  method: 'GET',
  path: own,
  may: 'signed_in',
  summary: 'The signed-in user’s API tokens; what opens the door is never answered again',
  query: listInput,
  reply: listReply('api_tokens', apiToken.row),
})
const listAll = call({
  name: 'api_tokens.list',
  method: 'GET',
  path: all,
  may: 'setting.update',
  summary: 'The API tokens of everybody, for whoever administers all clients',
  query: listInput,
  reply: listReply('api_tokens', apiToken.row),
})

export const apiTokenCalls = {
  own: listOwn,
  exportOwn: exportOf(listOwn, 'your API tokens'),
  create: call({
    name: 'api_tokens.create',
    method: 'POST',
    path: own,
    may: 'signed_in',
    summary: 'Makes an API token; `token` is answered this once',
    body: z.strictObject({ api_token: apiToken.draft }),
    reply: made,
    secretReply: true,
  }),
  destroy: call({
    name: 'api_tokens.destroy',
    method: 'DELETE',
    path: `${own}/:id`,
    may: 'signed_in',
    summary: 'Ends one’s own API token',
  }),
  list: listAll,
  exportCsv: exportOf(listAll, 'API tokens'),
  revoke: call({
    name: 'api_tokens.revoke',
    method: 'DELETE',
    path: `${all}/:id`,
    may: 'setting.update',
    summary: 'Ends anybody’s API token; its holder is told',
    reply: result,
  }),
}

/** Addresses of a user's personal data: sign-ins, passwords, profile, notifications, views, and the tokens themselves. */
const inPerson = [
  '/auth',
  // Payment files hold the account numbers of vendors.
  '/global_batch_files/:id/download',
  '/live',
  '/list_layouts',
  '/notifications',
  '/saved_views',
  '/settings/api_tokens',
  '/users/preferences',
  '/users/profile/',
]

/** Addresses of what only people change: where events are told, who is paid from which account, and what a second person decides. */
const changedInPerson = [
  '/bank_returns',
  '/clients/:client_id/payment_batches/:id/approve',
  '/clients/:client_id/payment_settings',
  '/export_releases',
  '/global_batches/export',
  '/global_batches/pay',
  '/originating_profiles',
  '/settings/webhooks',
  '/vendor_bank_changes',
]

export type TokenAccess = ApiToken['access']

/** Returns the reason a token may not make this call, or null if it may as far as its user's rights allow. */
export function tokenRefusal(asked: Call, access: TokenAccess): string | null {
  const { may, path, effect, method } = asked
  if (may === 'public' || may === 'signed_url') return null
  if (isInPerson(asked)) return personsOnly
  if (access === 'write' && may !== 'signed_in') return null
  // Some records can be read only with the right to change them.
  const permissions = permissionsOf(may)
  const readable = permissions.length === 0 || permissions.some((permission) => /\.read(_subscription)?$/.test(permission))
  const reads = effect === 'read' && method === 'GET' && readable
  // An export writes only its own file.
  const exports = method === 'GET' && path.endsWith('export_csv') && readable
  // Uploaded bytes without a record are swept; still, an upload is a write.
  const uploads = path === '/direct_upload_url'
  if (uploads ? access === 'write' : reads || exports) return null
  return access === 'read' ? readsOnly : personsOnly
}

const personsOnly = 'An API token cannot do this: sign in at the console.'
const readsOnly = 'This API token may only read.'

/** Only people may grant rights, pay, be a second person, make webhooks, decide on bank details, and see full bank numbers. */
function isInPerson({ path, may, method, effect }: Call): boolean {
  const grants = permissionsOf(may).some(
    (permission) => (permission.startsWith('user.') && permission !== 'user.read') || permission.startsWith('vendor_bank_detail.'),
  )
  const changesProfile = path.startsWith('/users/profile') && (method !== 'GET' || effect === 'write')
  const decides = effect === 'write' && !path.endsWith('export_csv') && changedInPerson.some((at) => isBelow(path, at))
  return grants || changesProfile || decides || inPerson.some((at) => isBelow(path, at))
}

function isBelow(path: string, at: string): boolean {
  return path === at || path.startsWith(at.endsWith('/') ? at : `${at}/`)
}
