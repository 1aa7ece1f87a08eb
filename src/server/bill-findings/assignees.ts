/** Users who see bills of a client, to whom a finding may be assigned. */
import { permissionsOfRole, providerRoles, roleNames } from '#contract/access/rights.ts'
import type { OptionsInput } from '#contract/kernel/call.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { containing, or, type Condition } from '../kernel/lists/list.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/problem.ts'
import { visibleUsers } from '../users/users.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

const readingRoles = roleNames.filter((role) => permissionsOfRole(role).bill?.includes('read'))
const perMax = 1_000
const perDefault = 10

interface Assignee {
  readonly id: number
  readonly name: string
  readonly email: string
}

const name = nameOfUser('users')

/** Users that the caller may name as assignees: the caller and the users visible to them. */
export function knownTo({ principal }: Context): Condition {
  return or([sql<SqlBool>`users.id = ${principal.user_id}`, visibleUsers(principal)])
}

/** Returns the active users visible to the caller with a role that reads bills and reaches the client, in part or as a whole. */
export async function assigneesOf(
  context: Context,
  clientId: number,
  { search_term, values, page, per }: OptionsInput,
): Promise<{ users: Assignee[]; total: number }> {
  const ids = values === undefined ? null : idsIn(values)
  const limit = Math.min(whole(per, 'per', ids ? perMax : perDefault), perMax)
  const where = sql`users.status = 'active' and ${holdsRole(clientId)} and ${knownTo(context)}
    and ${ids === null ? sql`true` : sql`users.id = any(${ids}::bigint[])`}
    and ${search_term ? sql`(${name} ilike ${containing(search_term)} or users.email ilike ${containing(search_term)})` : sql`true`}`
  const { rows } = await sql<Assignee>`select users.id, ${name} as name, users.email from users where ${where}
    order by ${name}, users.id limit ${limit} offset ${(whole(page, 'page', 1) - 1) * limit}`.execute(context.tx)
  const { rows: counted } = await sql<{ total: number }>`select count(*)::int as total from users where ${where}`.execute(context.tx)
  return { users: rows, total: counted[0]?.total ?? 0 }
}

function holdsRole(clientId: number): RawBuilder<unknown> {
  const names = sql`exists (select from user_role_clients named where named.user_role_id = held.id and named.client_id = ${clientId})`
  return sql`exists (select from user_roles held join roles on roles.id = held.role_id where held.user_id = users.id
    and roles.name = any(${readingRoles}::text[]) and case
      when roles.name = any(${providerRoles}::text[]) then ${names} or not exists (select from user_role_clients named where named.user_role_id = held.id)
      when roles.name = 'channel_partner_admin' then exists (select from clients where clients.id = ${clientId} and clients.channel_partner_id = held.channel_partner_id)
      else ${names} end)`
}

function idsIn(values: string): number[] {
  try {
    const read: unknown = JSON.parse(values)
    if (Array.isArray(read) && read.length <= perMax && read.every((id) => Number.isSafeInteger(id))) return read.map(Number)
  } catch {
    // Thrown below, with the message of every list.
  }
  throw invalid({ values: ['values must be a list of ids'] })
}

function whole(given: string | number | undefined, key: string, otherwise: number): number {
  if (given === undefined) return otherwise
  const number = Number(given)
  if (!Number.isSafeInteger(number) || number < 1 || number > 1_000_000)
    throw invalid({ [key]: [`${key} must be a positive whole number`] })
  return number
}
