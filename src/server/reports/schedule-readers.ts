/** The people who may be subscribed to a report of a client. */
import { providerRoles, roleNames, staffRoles } from '#contract/access/rights.ts'
import type { ReportForm } from '#contract/reports/report-form.ts'
import type { Subscriber } from '#contract/reports/report-schedule.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Principal } from '../kernel/principal.ts'
import { isStaff } from './asked-report.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

/** Most people that a list offers. */
const offeredMax = 1_000

export const personName = nameOfUser('person')

/**
 * Returns people with a role in this client that is wide enough for the report. The provider's staff is offered to staff alone. What each
 * of them sees is decided when the report is made for them.
 */
export async function readersOf(
  tx: Tx,
  principal: Principal,
  clientId: number,
  { reach }: Pick<ReportForm, 'reach'>,
): Promise<Subscriber[]> {
  const roles = roleNames.filter((name) => {
    const isOfStaff = staffRoles.includes(name)
    return isOfStaff ? isStaff(principal) : reach !== 'staff'
  })
  const whole = sql`not exists (select from user_role_divisions where user_role_id = held.id)
    and not exists (select from user_role_facilities where user_role_id = held.id)
    and not exists (select from user_role_billable_accounts where user_role_id = held.id)
    and not exists (select from user_role_supply_accounts where user_role_id = held.id)`
  const { rows } = await sql<Subscriber>`select person.id, ${personName} as name from users person
    where person.status = 'active' and exists (
      select from user_roles held join roles role on role.id = held.role_id
      where held.user_id = person.id and role.name = any(${roles}::text[]) and ${reach === 'client' ? whole : sql`true`} and (
        exists (select from user_role_clients where client_id = ${clientId} and user_role_id = held.id)
        or (role.name = 'channel_partner_admin' and held.channel_partner_id = (select channel_partner_id from clients where id = ${clientId}))
        or (role.name = any(${providerRoles}::text[]) and not exists (select from user_role_clients where user_role_id = held.id))))
    order by 2, 1 limit ${offeredMax}`.execute(tx)
  return rows
}
