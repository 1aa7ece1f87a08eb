/**
 * API tokens: a user's rights, or a part of them, for a program. `authorization: Bearer mb_…` replaces the three headers. This file decides what
 * a token may call, for every present and future call.
 */
import { z } from 'zod'
import { call, exportOf, listReply, result, type Result } from '../kernel/call.ts'
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
import { models } from '../kernel/permission.ts'
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
