/** The changes of a user's roles, including removed roles, as part of the user's history: which rights, since when, and by whom. */
import type { HistoryVersion } from '#contract/audit-log/audit-log.ts'
import { roleLabels } from '#contract/users/user-role.ts'
import type { RoleName } from '#contract/access/rights.ts'
import { sql, type SqlBool } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { and, type Condition } from '../kernel/lists/list.ts'
import { reachesEveryClient, reachOf } from '../kernel/principal.ts'

export interface RoleVersions {
  /** The trail's rows of these roles, limited to clients in the reader's reach. */
  readonly condition: Condition
  /** Returns the role's name as of a version; if the version changed only the scope, its current or last name. */
  readonly nameOf: (version: HistoryVersion) => string | null
}

/** Returns the versions of a user's roles, or null if the reader may see none. */
export async function roleVersionsOf(context: Context, userId: number): Promise<RoleVersions | null> {
  const clients = trailsInReach(context)
  const names = new Map([...(await takenAway(context, userId, clients)), ...(await held(context, userId))])
  if (names.size === 0) return null
  const ofRoles = sql<SqlBool>`audit_records.item_type = 'user_role' and audit_records.item_id = any(${[...names.keys()]}::bigint[])`
  const { rows } = await sql<{
    client_id: number
  }>`select distinct client_id from audit_records where ${and([clients, ofRoles])}`.execute(context.tx)
  // Roles are named one by one, so that the page is read by the index of records, however long the trail is.
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

/**
 * The clients whose trail the reader may see. Narrowed roles read no trail of a client, and versions without a client are shown only to users
 * who reach all clients.
 */
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
 * For a removed role, the trail only stores the email of its holder. Emails change and are reused, so the role belongs to this user if they had
 * that email at the time: the email that their next change replaced, or their current one.
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
