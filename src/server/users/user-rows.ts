/** The rows of users: the columns that are read, and who may read them. Secrets are not columns here. */
import { user, type User, type UserDraft } from '#contract/users/user.ts'
import { roleLabels } from '#contract/users/user-role.ts'
import { roleNames } from '#contract/access/rights.ts'
import { sql } from 'kysely'
import type { Filter } from '#contract/kernel/query.ts'
import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { defineWhere, defineWhereOf } from '../kernel/lists/export.ts'
import { containing, type Asked, type Condition } from '../kernel/lists/list.ts'
import { reachesEveryClient, type Principal } from '../kernel/principal.ts'
import { invalid } from '../kernel/problem.ts'
import { resource } from '../kernel/lists/resource.ts'
import { isGuarded } from '../access/access.ts'
import { hasNoRole, manageableUsers, sightOf, visibleUsers } from './user-reach.ts'
import { roleIdOf } from './ranked-parts.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

const roleLabel = sql`case roles.name ${sql.join(
  roleNames.map((name) => sql`when ${sql.lit(name)} then ${sql.lit(roleLabels[name])}`),
  sql` `,
)} end`
const heldRoles = sql`from roles where roles.id in (select held.role_id from user_roles held where held.user_id = users.id)`
const namedClients = sql`from clients where clients.id in
  (select owner.client_id from user_roles held join user_role_clients owner on owner.user_role_id = held.id where held.user_id = users.id)`

export const users = resource({
  entity: user,
  table: 'users',
  // A user belongs to no single client: visible rows are those of `whoSees`, from which every query of this list starts.
  scope: 'shared',
  columns: {
    roles: { sql: sql`(select coalesce(string_agg(${roleLabel}, ', ' order by roles.id), '') ${heldRoles}) collate natural_order` },
    clients: { sql: sql`(select coalesce(string_agg(clients.name, ', ' order by clients.name, clients.id), '') ${namedClients})` },
    associated_entries: {
      sql: sql`json_build_object(
        'roles', (select coalesce(json_agg(json_build_object('id', roles.id, 'name', roles.name) order by roles.id), '[]') ${heldRoles}),
        'clients', (select coalesce(json_agg(json_build_object('id', clients.id, 'name', clients.name) order by clients.name, clients.id), '[]') ${namedClients}))`,
    },
    manageable: { sql: sql`false` },
    second_factor: { sql: isGuarded },
    name: { sql: nameOfUser('users', 'username') },
  },
  // Found through the named records: joining the names of a hundred thousand users first would take seconds.
  filters: { roles: byRole, clients: byClient },
  search: ['email', 'username', 'first_name', 'last_name'],
  check: isFreeForUser,
  present: withManageable,
})

/** Returns the condition for users with a role of this name, or, for an empty filter, without any role. */
function byRole({ predicate, value }: Filter): Condition {
  if (predicate === 'null') return value === true ? hasNoRole : sql`not (${hasNoRole})`
  const ids = roleNames.filter((name) => isCalled(roleLabels[name], predicate, value)).map(roleIdOf)
  const holders = sql`select held.user_id from user_roles held where held.role_id = any(${ids}::bigint[])`
  return predicate === 'not_eq' ? sql`users.id not in (${holders})` : sql`users.id in (${holders})`
}

function isCalled(label: string, predicate: Filter['predicate'], value: Filter['value']): boolean {
  const [name, asked] = [label.toLowerCase(), [value].flat().map((one) => String(one).toLowerCase())]
  return asked.some((text) => (predicate === 'cont' ? name.includes(text) : name === text))
}

/** Returns the condition for users with a role that names a client of this name, or, for an empty filter, no client. */
function byClient({ predicate, value }: Filter): Condition {
  const names = [value].flat().map(String)
  const isNamed =
    predicate === 'null'
      ? sql`true`
      : predicate === 'cont'
        ? sql`clients.name ilike ${containing(String(value))}`
        : sql`lower(clients.name) in (select lower(name) from unnest(${names}::text[]) as name)`
  const holders = sql`select held.user_id from clients join user_role_clients owner on owner.client_id = clients.id
    join user_roles held on held.id = owner.user_role_id where ${isNamed}`
  const isNegative = predicate === 'not_eq' || (predicate === 'null' && value === true)
  return isNegative ? sql`users.id not in (${holders})` : sql`users.id in (${holders})`
}

const inSight = defineWhereOf('users_in_sight', z.object({ of: z.string() }), (principal) => visibleUsers(principal))
/**
 * A user created for a client by its own administrator is visible there until a role decides otherwise: they would be visible nowhere else.
 */
const ofClient = defineWhere(
  'users_of_client',
  z.object({ client_id: z.int(), maker: z.int().nullable() }),
  ({ client_id: clientId, maker }) =>
    sql`(users.id in (select held.user_id from user_role_clients owner join user_roles held on held.id = owner.user_role_id where owner.client_id = ${clientId})
      or (users.created_by = ${maker}::bigint and ${hasNoRole}))`,
)

/** Starting point of every query of users: restricts it to the visible ones. */
export function whoSees({ principal, reach }: Pick<Context, 'principal' | 'reach'>, filters: object = {}): Asked {
  const { text, narrowed } = sightOf(principal)
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  // The reach of a narrowed role, and the names of clients, change without a change of any user: such totals are counted each time.
  const of = narrowed || 'clients' in filters || 'clients_cont' in filters ? `${digest}${randomUUID()}` : digest
  return { reach, ...inSight(principal, { of }) }
}

/** The same, for users whose roles name the client. */
export function whoSeesOf(context: Pick<Context, 'principal' | 'reach'>, clientId: number, filters: object = {}): Asked {
  const asked = whoSees(context, filters)
  const maker = reachesEveryClient(context.reach) ? null : context.principal.user_id
  const { where, whereKey } = ofClient({ client_id: clientId, maker })
  return { ...asked, where: [...(asked.where ?? []), ...where], whereKey: `${asked.whereKey ?? ''}\n${whereKey}` }
}

/** Returns those of these users whom the caller may change. */
export async function manageableAmong({ tx }: Pick<Context, 'tx'>, principal: Principal, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{
    id: number
  }>`select users.id from users where users.id = any(${ids}::bigint[]) and ${manageableUsers(principal, 'user.update')}`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

async function withManageable(context: Context, rows: readonly User[]): Promise<User[]> {
  const ids = rows.map(({ id }) => id)
  const manageable = await manageableAmong(context, context.principal, ids)
  return rows.map((row) => ({ ...row, manageable: manageable.has(row.id) }))
}

const uniqueKeys = { email: 'Email', username: 'Username' } as const

/** Email addresses and names must differ by more than their case. */
async function isFreeForUser({ tx }: Context, draft: Partial<UserDraft>, before: Pick<User, 'id'> | null): Promise<void> {
  const { email, username } = draft
  const { rows } = await sql<{ email: boolean; username: boolean }>`
    select coalesce(bool_or(lower(email) = lower(${email ?? null}::text)), false) as email,
      coalesce(bool_or(lower(username) = lower(${username ?? null}::text)), false) as username
    from users where (lower(email) = lower(${email ?? null}::text) or lower(username) = lower(${username ?? null}::text))
      and id is distinct from ${before?.id ?? null}::bigint`.execute(tx)
  const taken = (['email', 'username'] as const).filter((key) => rows[0]?.[key])
  if (taken.length > 0) throw invalid(Object.fromEntries(taken.map((key) => [key, [`${uniqueKeys[key]} is taken already`]])))
}
