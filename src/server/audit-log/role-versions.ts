/** Who may do what, since when and by whom is asked of a person: their history holds what became of their roles, also of those taken away. */
import type { HistoryVersion } from '#contract/audit-log/audit-log.ts'
import { roleLabels } from '#contract/users/user-role.ts'
import type { RoleName } from '#contract/access/rights.ts'
import { sql, type SqlBool } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { and, type Condition } from '../kernel/lists/list.ts'
import { reachesEveryClient, reachOf } from '../kernel/principal.ts'

export interface RoleVersions {
  /** The trail's rows of these roles, as far as the reader reaches the clients that they speak of. */
  readonly condition: Condition
  /** The role as a version leaves it; what it is called by now, or was last, where the version speaks of its scope alone. */
  readonly nameOf: (version: HistoryVersion) => string | null
}

/** The versions of a person's roles; null where there are none that the reader may see. */
export async function roleVersionsOf(context: Context, userId: number): Promise<RoleVersions | null> {
  const clients = trailsInReach(context)
  const names = new Map([...(await takenAway(context, userId, clients)), ...(await held(context, userId))])
  if (names.size === 0) return null
  const ofRoles = sql<SqlBool>`audit_records.item_type = 'user_role' and audit_records.item_id = any(${[...names.keys()]}::bigint[])`
  const { rows } = await sql<{
    client_id: number
  }>`select distinct client_id from audit_records where ${and([clients, ofRoles])}`.execute(context.tx)
  // Named one by one: the page is then read by the index of records, however long the trail is.
  const told = rows.map((row) => row.client_id)
  if (told.length === 0) return null
  return {
    condition: sql<SqlBool>`audit_records.client_id = any(${told}::bigint[]) and ${ofRoles}`,
    nameOf: ({ item_id: id, changes }) => {
      const role = changes.find(({ key }) => key === 'role_name')
      return role?.to ?? role?.from ?? names.get(id ?? 0) ?? null
    },
  }
}

/** Whoever is narrowed inside a client reads no trail of it, and what stands on no client is the business of who reaches them all. */
function trailsInReach({ principal }: Context): Condition {
  const reach = reachOf(principal, 'user.read').filter(({ narrowed }) => Object.keys(narrowed).length === 0)
  if (reachesEveryClient(reach)) return sql<SqlBool>`audit_records.client_id in (select 0 union all select id from clients)`
  const ids = reach.flatMap(({ clients }) => (clients === 'all' ? [] : clients))
  return sql<SqlBool>`audit_records.client_id = any(${ids}::bigint[])`
}

async function held({ tx }: Context, userId: number): Promise<[number, string][]> {
  const { rows } = await sql<{ id: number; name: RoleName }>`select user_roles.id, roles.name
    from user_roles join roles on roles.id = user_roles.role_id where user_roles.user_id = ${userId}`.execute(tx)
  return rows.map(({ id, name }) => [id, roleLabels[name]])
}

/**
 * Of a role that is gone the trail remembers the email of its holder. Emails change and are given to others, so it is this person's where
 * they had that email then: the one that their next change of it took from them, or the one that they have now.
 */
async function takenAway({ tx }: Context, userId: number, clients: Condition): Promise<[number, string][]> {
  const { rows } = await sql<{ id: number; name: string | null }>`
    select distinct audit_records.item_id as id, audit_records.object_changes -> 'role_name' ->> 'from' as name
    from audit_records join users on users.id = ${userId} and audit_records.created_at >= users.created_at
    where ${clients} and audit_records.item_type = 'user_role' and audit_records.event = 'destroy'
      and lower(audit_records.object_changes -> 'user' ->> 'from') = lower(coalesce(
        (select changed.object_changes -> 'email' ->> 'from' from audit_records changed
          where changed.client_id = 0 and changed.item_type = 'user' and changed.item_id = ${userId} and changed.event = 'update'
            and changed.object_changes ? 'email' and changed.created_at > audit_records.created_at
          order by changed.created_at, changed.id limit 1), users.email))`.execute(tx)
  return rows.map(({ id, name }) => [id, name ?? ''])
}
