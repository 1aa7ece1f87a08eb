/**
 * Accounts store values that their bills give for the next one, because lists sort and filter by them over many accounts: the date of the
 * last bill, the end of the billed period, the usual interval, and the usual amount. Code that creates, replaces or deletes bills updates
 * them in the same transaction.
 */
import { calendarMonthCount, rhythmMonths, usualBillsCount } from '#contract/bill-calendar/calendar-rule.ts'
import { periodDaysMax, receiptDaysMax, rhythmBillsMin } from '#contract/bill-calendar/calendar-months.ts'
import { sql, type RawBuilder } from 'kysely'
import { accountTables } from './estate-accounts.ts'
import type { Tx } from '../kernel/postgres/database.ts'

/** Number of weekly bills in the months that are read. */
const billsMax = 90

export interface BilledAccounts {
  readonly billable_account_ids: readonly number[]
  readonly supply_account_ids: readonly number[]
}

/** Reads the accounts' bills again. The accounts are locked first, so that two transactions do not miss each other's bills. */
export async function keepLastBills(tx: Tx, clientId: number, accounts: BilledAccounts): Promise<void> {
  await keepLast(tx, clientId, 'billable_account', accounts.billable_account_ids)
  await keepLast(tx, clientId, 'supply_account', accounts.supply_account_ids)
}

/**
 * Locks accounts in the order of bill saves: before their bills, billable accounts first, by their ids. Their groups are locked with them,
 * because a bill is linked to that of its group.
 */
export async function lockAccounts(tx: Tx, clientId: number, accounts: BilledAccounts): Promise<void> {
  await lockWithGroups(tx, clientId, 'billable_account', accounts.billable_account_ids)
  await lockWithGroups(tx, clientId, 'supply_account', accounts.supply_account_ids)
}

async function lockWithGroups(tx: Tx, clientId: number, kind: Kind, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const { table, group } = accountTables[kind]
  const named = sql`client_id = ${clientId} and id = any(${ids}::bigint[])`
  await sql`select from ${sql.table(table)} where client_id = ${clientId}
    and id in (select unnest(array[id, ${sql.ref(group)}]) from ${sql.table(table)} where ${named}) order by id for no key update`.execute(
    tx,
  )
}

async function lock(tx: Tx, clientId: number, table: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select from ${sql.table(table)} where client_id = ${clientId} and id = any(${ids}::bigint[]) order by id for no key update`.execute(
    tx,
  )
}

type Kind = 'billable_account' | 'supply_account'

async function keepLast(tx: Tx, clientId: number, kind: Kind, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await lock(tx, clientId, `${kind}s`, ids)
  const kept = ['last_bill_date', 'billed_until', 'usual_days', 'usual_wait', 'usual_amount']
  const of = (alias: string) => sql.join(kept.map((column) => sql.ref(`${alias}.${column}`)))
  await sql`update ${sql.table(`${kind}s`)} account set ${sql.join(kept.map((column) => sql`${sql.ref(column)} = ${sql.ref(`heard.${column}`)}`))}
    from (select asked.id, said.* from unnest(${ids}::bigint[]) as asked(id) cross join lateral (${saidBy(kind, clientId)}) said) heard
    where account.client_id = ${clientId} and account.id = heard.id and (${of('account')}) is distinct from (${of('heard')})`.execute(tx)
}

/**
 * Returns the values from the bills of the account `asked`, without replaced ones. The days between two reads and from a read to its bill
 * come from the bills of the calendar's months, computed as the calendar does; counted back from the last bill, so that the result does not
 * depend on the present day.
 */
function saidBy(kind: Kind, clientId: number): RawBuilder<unknown> {
  const months = calendarMonthCount + rhythmMonths - 1
  return sql`select max(date) as last_bill_date, max(case when plain then read_date else date end) as billed_until,
      case when count(*) filter (where plain) >= ${rhythmBillsMin}::int
        then percentile_disc(0.5) within group (order by read_date - previous_read_date) filter (where plain) end as usual_days,
      percentile_disc(0.5) within group (order by wait) as usual_wait, round(avg(amount_due) filter (where place <= ${usualBillsCount}::int), 2) as usual_amount
    from (
      select bill.*, case when not plain then null when received_on - read_date between 0 and ${receiptDaysMax}::int then received_on - read_date
          when date - read_date between 0 and ${receiptDaysMax}::int then date - read_date end as wait
      from (
        select bills.date, bills.previous_read_date, bills.read_date, bills.amount_due, (bills.created_at at time zone 'America/New_York')::date as received_on,
          (bills.previous_read_date < bills.read_date and bills.read_date - bills.previous_read_date <= ${periodDaysMax}::int) is true as plain,
          row_number() over newest_first as place, first_value(bills.date) over newest_first as newest
        from bills where bills.client_id = ${clientId} and ${sql.ref(`bills.${kind}_id`)} = asked.id and bills.superseded_by_id is null
        window newest_first as (order by bills.date desc, bills.id desc) order by bills.date desc, bills.id desc limit ${billsMax}) bill
      where date >= date_trunc('month', newest) - make_interval(months => ${months}::int)) told`
}
