/** The conditions under which an alert lists an account or a bill. They are registered by name, so that exports can rebuild them. */
import { estimatedReads, missingBillDays, pastDueDays } from '#contract/alerts/alert.ts'
import { addDays } from '#contract/kernel/date.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { accountTables, type AccountKind, isPayable } from '../estate/estate.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import type { Condition } from '../kernel/lists/list.ts'

/** The New York day for which the list was opened. An export keeps it, so that its rows match the screen. */
const day = z.object({ on: z.iso.date() })
const dayOfClient = day.extend({ client_id: z.int() })

const missingBillable = defineWhere('alert_billable_missing', day, ({ on }) => lastBilledBefore('billable_account', on))
const missingSupply = defineWhere('alert_supply_missing', day, ({ on }) => lastBilledBefore('supply_account', on))
export const withoutBill = { billable_account: missingBillable, supply_account: missingSupply }

/**
 * The account's last bill is dated before the window, or it has no bill and was created before it. A group's bills count for its subaccounts, as
 * in the bill calendar.
 */
function lastBilledBefore(kind: AccountKind, on: string): Condition {
  const { table, group } = accountTables[kind]
  const of = (column: string) => sql.ref(`${table}.${column}`)
  const since = addDays(on, -missingBillDays)
  return sql<SqlBool>`(${of('active')} and (${of('last_bill_date')} < ${since}::date or (${of('last_bill_date')} is null
      and (${of('created_at')} at time zone 'America/New_York')::date < ${since}::date))
    and (${of(group)} is null or not exists (select from ${sql.table(table)} gathering where gathering.client_id = ${of('client_id')}
      and gathering.id = ${of(group)} and gathering.last_bill_date >= ${since}::date)))`
}

/** The latest reads of any one active meter were all estimated. Meters with that many estimates are few, and are found first. */
export const estimatedInARow = defineWhere(
  'alert_estimated',
  dayOfClient,
  ({ client_id }) => sql<SqlBool>`(billable_accounts.active and billable_accounts.id in (
    select services.billable_account_id from (
      select service_id from service_bills where client_id = ${client_id} and estimated group by service_id having count(*) >= ${estimatedReads}) often
    join services on services.client_id = ${client_id} and services.id = often.service_id
    cross join lateral (select count(*) as reads, bool_and(read.estimated) as all_estimated from (
      select line.estimated from service_bills line join bills on bills.client_id = line.client_id and bills.id = line.bill_id
      where line.client_id = ${client_id} and line.service_id = services.id and line.read_date is not null and bills.superseded_by_id is null
      order by line.read_date desc, line.id desc limit ${estimatedReads}) read) last
    where services.active and services.billable_account_id is not null and last.reads = ${estimatedReads} and last.all_estimated))`,
)

/** Neither paid nor replaced, and past due for that long. */
export const longPastDue = defineWhere(
  'alert_past_due',
  day,
  ({ on }) => sql<SqlBool>`(${isPayable} and bills.due_date <= ${addDays(on, -pastDueDays)}::date)`,
)
