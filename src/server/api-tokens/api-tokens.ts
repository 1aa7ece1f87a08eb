/** API tokens: made by a user for a program, shown once, stored as a hash, revoked by the user or an administrator. */
import { randomBytes } from 'node:crypto'
import {
  apiToken,
  apiTokenCalls,
  apiTokenDaysMax,
  apiTokenPrefix,
  apiTokensPerUserMax,
  type ApiToken,
  type ApiTokenDraft,
} from '#contract/access/api-token.ts'
import { addDays } from '#contract/kernel/date.ts'
import { mustBeProven, newTokenLetter, tellMailboxes } from '../access/access.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import type { Asked } from '../kernel/lists/list.ts'
import { covers, reachesEveryClient, wholeReach } from '../kernel/principal.ts'
import { forbidden, invalid, refused, unknownRecords } from '../kernel/problem.ts'
import { exportHandler, listAnswer, readRow, resource } from '../kernel/lists/resource.ts'
import { hashOf } from './token-principals.ts'

export { apiTokenJobs } from './expiry-notice.ts'
export { createTokenPrincipals, loadTaskPrincipal, type TokenPrincipals } from './token-principals.ts'

const tokenBytes = 32

const tokens = resource({
  entity: apiToken,
  table: 'api_tokens',
  scope: 'shared', // each call adds the condition for the token's user
  joins: { users: sql`join users on users.id = api_tokens.user_id` },
  columns: {
    user_email: { sql: sql`users.email`, joins: ['users'] },
    models: { sql: sql`coalesce(api_tokens.models, '{}')` },
    client_ids: { sql: sql`coalesce(api_tokens.client_ids, '{}')` },
    token: { sql: sql`${apiTokenPrefix}::text || '…' || api_tokens.token_last4` },
  },
})

export const apiTokenHandlers: readonly Handler[] = [
  handle(apiTokenCalls.own, (context, { query }) => listAnswer(context, tokens, query, ofPerson(context))),
  exportHandler(apiTokenCalls.exportOwn, tokens, ofPerson),
  handle(apiTokenCalls.create, async (context, { body }) => {
    await mustBeProven(context)
    const { id, token } = await makeToken(context, body.api_token)
    const row = await readRow(context, tokens, id, ofPerson(context))
    await context.audit.created('api_token', id, 0, tracked(row))
    await tellHolder(
      context,
      context.principal.user_id,
      'A new API token was made for you',
      `${titleOf(row)}. If it was not you, revoke it.`,
    )
    await tellMailboxes(context, context.principal.user_id, newTokenLetter(titleOf(row)))
    return { success: true, message: 'API Token created', id, api_token: row, token }
  }),
  handle(apiTokenCalls.destroy, async (context, { params }) => {
    await endToken(context, await readRow(context, tokens, params.id, ofPerson(context)))
    return { success: true, message: 'API Token revoked' }
  }),
  handle(apiTokenCalls.list, (context, { query }) => {
    mustAdministerAll(context)
    return listAnswer(context, tokens, query, { reach: context.reach })
  }),
  exportHandler(apiTokenCalls.exportCsv, tokens, (context) => {
    mustAdministerAll(context)
    return { reach: context.reach }
  }),
  handle(apiTokenCalls.revoke, async (context, { params }) => {
    mustAdministerAll(context)
    const row = await readRow(context, tokens, params.id, { reach: context.reach })
    await endToken(context, row)
    if (row.user_id !== null && row.user_id !== context.principal.user_id)
      await tellHolder(context, row.user_id, 'An API token of yours was revoked', `${titleOf(row)} was ended by an administrator.`)
    return { success: true, message: 'API Token revoked' }
  }),
]

const madeBy = defineWhere('tokens_of_user', z.object({ user_id: z.int() }), ({ user_id }) => sql<SqlBool>`api_tokens.user_id = ${user_id}`)

function ofPerson({ principal }: Context): Asked {
  return { reach: wholeReach(principal), ...madeBy({ user_id: principal.user_id }) }
}

/** Tokens belong to no client, so administrators of some clients only see none of them. */
function mustAdministerAll(context: Context): void {
  if (!reachesEveryClient(context.reach)) throw forbidden('Only who administers every client sees the API tokens of others.')
}

async function makeToken(context: Context, draft: ApiTokenDraft): Promise<{ id: number; token: string }> {
  const { tx, principal } = context
  const clients = given(draft.client_ids)
  checkExpiry(draft.expires_on)
  checkClients(context, clients ?? [])
  await refuseTooMany(context)
  const token = `${apiTokenPrefix}${randomBytes(tokenBytes).toString('base64url')}`
  const { rows } = await sql<{
    id: number
  }>`insert into api_tokens (user_id, name, access, models, client_ids, token_hash, token_last4, expires_on)
    values (${principal.user_id}, ${draft.name}, ${draft.access}, ${given(draft.models)}::text[], ${clients}::bigint[], ${hashOf(token)}, ${token.slice(-4)}, ${draft.expires_on}::date)
    returning id`.execute(tx)
  return { id: rows[0]?.id ?? 0, token }
}

/** An empty list is no restriction, like an empty field. */
function given<T>(list: readonly T[] = []): T[] | null {
  return list.length > 0 ? [...new Set(list)] : null
}

function checkExpiry(last: string): void {
  const present = today()
  if (last < present) throw invalid({ expires_on: ['Expires On must not lie in the past'] })
  if (last > addDays(present, apiTokenDaysMax)) throw invalid({ expires_on: [`Expires On must lie within ${apiTokenDaysMax} days`] })
}

/** Checks that the user reaches the clients through any role; rights are checked at each request. */
function checkClients({ principal }: Context, ids: readonly number[]): void {
  const reached = (id: number): boolean => principal.grants.some((grant) => covers(grant.clients, id))
  if (!ids.every(reached)) throw unknownRecords('client_ids', 2)
}

async function refuseTooMany({ tx, principal }: Context): Promise<void> {
  // Two requests for the user's last allowed token wait for each other, but not for rows that only refer to the user, such as exports.
  await sql`select id from users where id = ${principal.user_id} for no key update`.execute(tx)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from api_tokens where user_id = ${principal.user_id}`.execute(
    tx,
  )
  if ((rows[0]?.count ?? 0) >= apiTokensPerUserMax)
    throw refused(`At most ${apiTokensPerUserMax} API tokens are kept for a person. Revoke one that is not used any more.`)
}

async function endToken(context: Context, row: ApiToken): Promise<void> {
  await sql`delete from api_tokens where id = ${row.id}`.execute(context.tx)
  await context.audit.destroyed('api_token', row.id, 0, tracked(row))
  const userId = row.user_id
  if (userId !== null) context.afterCommit(() => context.machinery.sessions.forgetUser(userId))
}

/** Notifies the user, also of a new token: someone at an unattended console must not create one unnoticed. */
function tellHolder({ machinery, tx }: Context, userId: number, message: string, description: string): Promise<void> {
  return machinery.live.tell(
    tx,
    { userId, connectionId: null },
    {
      type: 'sign_in_token',
      notification_type: 'warning',
      message,
      description: [description],
      link: '/users/profile/api_tokens',
    },
  )
}

function titleOf({ name, token }: ApiToken): string {
  return `${name ?? ''} (${token ?? ''})`
}

/** The fields of a token that the trail records; never the token itself. */
function tracked({ name, access, models, client_ids, expires_on, token, user_email }: ApiToken) {
  return { name, access, models, client_ids, expires_on, token, user_email }
}
