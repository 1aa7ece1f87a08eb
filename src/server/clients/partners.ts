/** The channel partners whose administrators the caller is. */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'

export async function partnersOf({ tx, principal }: Context): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct user_roles.channel_partner_id as id from user_roles join roles on roles.id = user_roles.role_id
    where user_roles.user_id = ${principal.user_id} and roles.name = 'channel_partner_admin' and user_roles.channel_partner_id is not null order by id`.execute(tx)
  return rows.map(({ id }) => id)
}
