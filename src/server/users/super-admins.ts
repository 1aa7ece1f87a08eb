/** One user with all rights must remain: the last one is neither deleted, nor deactivated, nor demoted, nor bound to clients. */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { refused } from '../kernel/problem.ts'

export const lastSuperAdminMessage = 'At least one active Super Admin must remain.'

/** Makes a change that may remove a super_admin. One at a time, so that the last two cannot remove each other at once. */
export async function keepingASuperAdmin<T>({ tx }: Pick<Context, 'tx'>, change: () => Promise<T>): Promise<T> {
  await sql`select pg_advisory_xact_lock(hashtext('super-admins'))`.execute(tx)
  const before = await superAdmins(tx)
  const result = await change()
  if (before > 0 && (await superAdmins(tx)) === 0) throw refused(lastSuperAdminMessage)
  return result
}

/** Counts those who can sign in and whose role is bound to no client. */
async function superAdmins(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(distinct users.id) as count
    from users join user_roles held on held.user_id = users.id join roles on roles.id = held.role_id
    where users.status = 'active' and users.account_confirmed and roles.name = 'super_admin'
      and not exists (select from user_role_clients owner where owner.user_role_id = held.id)`.execute(tx)
  return rows[0]?.count ?? 0
}
