/** Channel partners, as far as clients and roles pick from them. */
import { channelPartnerCalls } from '#contract/channel-partner.ts'
import { sql, type SqlBool } from 'kysely'
import { clientScope } from '../estate-scope.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { reachesEveryClient } from '../kernel/principal.ts'
import { scopeCondition, type Condition } from '../kernel/list.ts'

export const channelPartnerHandlers: readonly Handler[] = [
  handle(channelPartnerCalls.flat, async (context) => {
    const { rows } = await sql<{
      id: number
      name: string
    }>`select id, name from channel_partners where ${reached(context)} order by name, id`.execute(context.tx)
    return { channel_partners: rows }
  }),
]

/** The partners whose administrators the caller is: their clients may still be to come. */
export async function partnersOf({ tx, principal }: Pick<Context, 'tx' | 'principal'>): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select distinct id from channel_partners where ${administered(principal.user_id)} order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

function reached({ reach, principal }: Context): Condition {
  if (reachesEveryClient(reach)) return sql<SqlBool>`true`
  return sql<SqlBool>`(${administered(principal.user_id)}
    or exists (select 1 from clients where clients.channel_partner_id = channel_partners.id and ${scopeCondition({ scope: clientScope }, { reach })}))`
}

function administered(userId: number): Condition {
  return sql<SqlBool>`channel_partners.id in (select user_roles.channel_partner_id from user_roles join roles on roles.id = user_roles.role_id
    where user_roles.user_id = ${userId} and roles.name = 'channel_partner_admin')`
}
