/** The rows of a user's roles, with the names of what each reaches. */
import { pageSizeMax } from '#contract/kernel/query.ts'
import { userRole, type UserRole } from '#contract/users/user-role.ts'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import { listed, readOne, readPage, type Asked } from '../kernel/lists/list.ts'
import { notFound } from '../kernel/problem.ts'
import { everything, resource } from '../kernel/lists/resource.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'

const owners = sql`from user_role_clients owner join clients on clients.id = owner.client_id where owner.user_role_id = user_roles.id`

export const userRoles = resource({
  entity: userRole,
  table: 'user_roles',
  // Visibility of roles follows from visibility of users: every query names the user, who was found visible before.
  scope: 'shared',
  joins: { role: sql`join roles on roles.id = user_roles.role_id` },
  columns: {
    role_name: { sql: sql`roles.name`, joins: ['role'] },
    client_id: { sql: sql`(select min(owner.client_id) ${owners} having count(*) = 1)` },
    client_ids: { sql: sql`array(select owner.client_id ${owners} order by clients.name, clients.id)` },
    clients: {
      sql: sql`(select coalesce(json_agg(json_build_object('id', clients.id, 'name', clients.name) order by clients.name, clients.id), '[]') ${owners})`,
    },
    channel_partner_name: { sql: sql`(select name from channel_partners where channel_partners.id = user_roles.channel_partner_id)` },
    ...partColumns('division_ids', 'divisions', 'user_role_divisions', 'division_id', sql`part.name`),
    ...partColumns('facility_ids', 'facilities', 'user_role_facilities', 'facility_id', sql`part.name`),
    ...partColumns(
      'billable_account_ids',
      'billable_accounts',
      'user_role_billable_accounts',
      'billable_account_id',
      sql`part.account_number`,
    ),
    ...partColumns('supply_account_ids', 'supply_accounts', 'user_role_supply_accounts', 'supply_account_id', sql`part.account_number`),
  },
  cells: {
    clients: () => sql`(select string_agg(${listed(sql`clients.name`)}, '; ' order by clients.name, clients.id) ${owners})`,
  },
})

/** Returns the ids of a level to which a role is narrowed, and the records with their names. */
function partColumns<Ids extends string, Plural extends string>(
  ids: Ids,
  plural: Plural,
  links: string,
  column: string,
  name: RawBuilder<unknown>,
): Record<Ids | Plural, { sql: RawBuilder<unknown> }>
function partColumns(ids: string, plural: string, links: string, column: string, name: RawBuilder<unknown>): object {
  const from = sql`from ${sql.table(links)} link join ${sql.table(plural)} part on part.client_id = link.client_id and part.id = link.${sql.ref(column)}
    where link.user_role_id = user_roles.id`
  return {
    [ids]: { sql: sql`array(select part.id ${from} order by ${name}, part.id)` },
    [plural]: {
      sql: sql`(select coalesce(json_agg(json_build_object('id', part.id, 'name', ${name}, 'client_id', part.client_id) order by ${name}, part.id), '[]') ${from})`,
    },
  }
}

/** Returns the condition for the rows of one user. */
export function ofUser({ reach }: Pick<Context, 'reach'>, userId: number): Asked {
  return { reach, ...heldBy({ user_id: userId }) }
}
const heldBy = defineWhere('roles_of_user', z.object({ user_id: z.int() }), ({ user_id }) => sql`user_roles.user_id = ${user_id}`)

/** Returns one role of one user. Throws not-found for the role of another user. */
export async function roleOfUser(context: Context, userId: number, id: number, lock = false): Promise<UserRole> {
  const row = await readOne<UserRole>(context.tx, userRoles, id, ofUser(context, userId), lock)
  if (!row) throw notFound(`${userRole.label} not found.`)
  return row
}

/** Returns all present roles of one user. */
export async function rolesOfUser(context: Context, userId: number): Promise<readonly UserRole[]> {
  const { rows } = await readPage<UserRole>(
    context.tx,
    userRoles,
    checkedQuery(userRoles, { per: pageSizeMax }),
    ofUser({ reach: everything }, userId),
  )
  return rows
}
