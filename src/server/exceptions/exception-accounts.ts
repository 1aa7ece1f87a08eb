/** Accounts whose bill is late, and accounts that were never billed. */
import { firstBillDays } from '#contract/exceptions/exception.ts'
import { receiptDaysDefault, toleranceDaysMax } from '#contract/bill-calendar/calendar-months.ts'
import { addDays } from '#contract/kernel/date.ts'
import { sql, type RawBuilder } from 'kysely'
import { accountTables, type AccountKind, billableAccountScope, supplyAccountScope } from '../estate/estate.ts'
import { scopeCondition, type Condition } from '../kernel/lists/list.ts'
import type { Reach } from '../kernel/principal.ts'

export interface Asker {
  /** Current day in New York. */
  readonly on: string
  readonly clientId: number | undefined
  readonly bills: Reach
  readonly billable: Reach
  readonly supply: Reach
}

function inAccounts(kind: AccountKind, { clientId, billable, supply }: Asker): Condition {
  const { table } = accountTables[kind]
  const scope = kind === 'billable_account' ? billableAccountScope : supplyAccountScope
  const reach = kind === 'billable_account' ? billable : supply
  return sql<boolean>`(${sql.ref(`${table}.active`)} and ${scopeCondition({ scope }, { reach, clientId })})`
}

function accountColumns(kind: AccountKind): RawBuilder<unknown> {
  const { table } = accountTables[kind]
  const of = (column: string) => sql.ref(`${table}.${column}`)
  const isBillable = kind === 'billable_account'
  return sql`${of('id')} * 4 + ${isBillable ? 1 : 2}::int as id, ${of('client_id')}, null::bigint as bill_id,
    ${isBillable ? of('id') : sql`null::bigint`} as billable_account_id, ${isBillable ? sql`null::bigint` : of('id')} as supply_account_id,
    ${of('account_number')}, ${of('vendor_id')}, ${of('facility_id')}`
}

/** The day by which the next bill is expected. Indexes contain this exact expression. */
function nextBillOf(alias: string): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`(${of('billed_until')} + coalesce(${of('usual_days')}, case ${of('billing_period')} when 0 then 7 when 1 then 14 when 3 then 91 else ${of('billing_cycle')} end)
    + coalesce(${of('usual_wait')}, ${sql.lit(receiptDaysDefault)}))`
}

/**
 * The next bill is expected one usual period and one usual wait after the coverage of the last one, as stored in accounts (last-bills.ts). A
 * group's bills cover its subaccounts.
 */
export function accountsBehind(kind: AccountKind, asker: Asker): RawBuilder<unknown> {
  const { table, group } = accountTables[kind]
  const of = (column: string) => sql.ref(`${table}.${column}`)
  const own = nextBillOf(table)
  // Few accounts belong to a group, and only these look it up.
  const expected = sql`case when ${of(group)} is null then ${own} else greatest(${own}, (select ${nextBillOf('gathering')}
    from ${sql.table(table)} gathering where gathering.client_id = ${of('client_id')} and gathering.id = ${of(group)})) end`
  const latest = sql`${addDays(asker.on, -toleranceDaysMax)}::date`
  return sql`select behind.id, behind.client_id, behind.bill_id, behind.billable_account_id, behind.supply_account_id, behind.account_number, behind.vendor_id, behind.facility_id,
      behind.expected_on + coalesce(vendors.payment_terms_days, 0) as due_date, behind.expected_on, behind.amount, null::numeric as carried_forward, 0 as open_errors, 'not_received' as kind
    from (select ${accountColumns(kind)}, ${expected} as expected_on, ${of('effective_to')}, ${of('usual_amount')} as amount
      from ${sql.table(table)} where ${inAccounts(kind, asker)} and ${own} < ${latest} offset 0) behind
    left join vendors on vendors.id = behind.vendor_id
    where behind.expected_on < ${latest} and (behind.effective_to is null or behind.effective_to >= behind.expected_on)`
}

export function accountsNeverBilled(kind: AccountKind, asker: Asker): RawBuilder<unknown> {
  const { table, group } = accountTables[kind]
  const of = (column: string) => sql.ref(`${table}.${column}`)
  const entered = sql`(${of('created_at')} at time zone 'America/New_York')::date`
  return sql`select ${accountColumns(kind)}, null::date as due_date, ${entered} + ${firstBillDays}::int as expected_on, null::numeric as amount,
      null::numeric as carried_forward, 0 as open_errors, 'never_received' as kind
    from ${sql.table(table)}
    where ${inAccounts(kind, asker)} and ${of('last_bill_date')} is null
      and ${of('created_at')} < ${addDays(asker.on, -firstBillDays)}::timestamp at time zone 'America/New_York'
      and (${of(group)} is null or not exists (select from ${sql.table(table)} gathering where gathering.client_id = ${of('client_id')}
        and gathering.id = ${of(group)} and gathering.last_bill_date is not null))`
}
