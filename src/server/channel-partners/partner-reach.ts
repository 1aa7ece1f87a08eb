/** The channel partners in a user's reach: all for staff of the provider, else the partners of their clients. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import { isWholeRole } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import type { Asked, Condition } from '../kernel/lists/list.ts'
import { reachesEveryClient, type Reach } from '../kernel/principal.ts'

/** A partner administrator's own partners, which may have no clients yet, and the partners of the clients in reach. */
const lookedAfter = defineWhere(
  'partners_looked_after',
  z.object({ user_id: z.int(), client_ids: z.array(z.int()) }),
  ({ user_id, client_ids }) => sql<SqlBool>`(${administeredBy(user_id)}
    or channel_partners.id in (select channel_partner_id from clients where id = any(${client_ids}::bigint[])))`,
)

/** Parameters of a list of partners. */
export function partnersAsked({ reach, principal }: Pick<Context, 'reach' | 'principal'>): Asked {
  if (reachesEveryClient(reach)) return { reach }
  return { reach, ...lookedAfter({ user_id: principal.user_id, client_ids: clientsIn(reach) }) }
}

/** The partners whose administrators the caller is, as a whole: who administers a part of one client does not speak for the partner. */
export async function partnersOf({ tx, principal }: Pick<Context, 'tx' | 'principal'>): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select id from channel_partners where ${administeredBy(principal.user_id, isWholeRole('user_roles'))} order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

function administeredBy(userId: number, held: Condition = sql<SqlBool>`true`): Condition {
  return sql<SqlBool>`channel_partners.id in (select user_roles.channel_partner_id from user_roles join roles on roles.id = user_roles.role_id
    where user_roles.user_id = ${userId} and roles.name = 'channel_partner_admin' and ${held})`
}

/** One cell with the names of a partner's clients that are in reach. */
export function clientNamesCell({ reach }: Asked): RawBuilder<unknown> {
  const reached = reachesEveryClient(reach) ? sql`true` : sql`clients.id = any(${clientsIn(reach)}::bigint[])`
  return sql`(select string_agg(clients.name, '; ' order by clients.name, clients.id) from clients
    where clients.channel_partner_id = channel_partners.id and ${reached})`
}

function clientsIn(reach: Reach): number[] {
  return reach.flatMap(({ clients }) => (clients === 'all' ? [] : clients))
}
