/**
 * The readers of events: users who reach every client read all; others read the events of their whole clients, and events without a client
 * of people who lie inside their reach with all their roles. A role that is narrowed inside a client reads none.
 */
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { defineWhereOf } from '../kernel/lists/export.ts'
import type { Condition } from '../kernel/lists/list.ts'
import { isNarrowed, reachesEveryClient, reachOf, type Principal } from '../kernel/principal.ts'
import { visibleUsers } from '../users/users.ts'

export const inSight = defineWhereOf('security_events_in_sight', z.object({ of: z.string() }), (principal) => visibleEvents(principal))

function visibleEvents(principal: Principal): Condition {
  // Other roles of the same person, such as a manager's elsewhere, see people there and not what these tried.
  const manager = { ...principal, grants: principal.grants.filter((grant) => managesWholeClients(principal, grant)) }
  const reach = reachOf(manager, 'user.update')
  if (reachesEveryClient(reach)) return sql<SqlBool>`true`
  if (reach.length === 0) return sql<SqlBool>`false`
  const clientIds = [...new Set(reach.flatMap(({ clients }) => (clients === 'all' ? [] : clients)))]
  // Each part has its index. As one condition they would be looked for among all events of a flood.
  return sql<SqlBool>`(security_events.client_id, security_events.id) in (
    select event.client_id, event.id from security_events event where event.client_id = any(${clientIds}::bigint[])
    union all select event.client_id, event.id from security_events event
      where event.client_id = 0 and event.user_id in (select users.id from users where ${visibleUsers(manager)}))`
}

function managesWholeClients(principal: Principal, grant: Principal['grants'][number]): boolean {
  return !isNarrowed(grant) && reachOf({ ...principal, grants: [grant] }, 'user.update').length > 0
}
