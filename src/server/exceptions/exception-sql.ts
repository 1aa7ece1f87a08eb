/** What should not wait, as one statement: bills and accounts with what lateness costs, under the name `exception`. */
import {
  dueSoonDays,
  firstBillDays,
  lateFeeHistoryDays,
  lateFeePercentDefault,
  lateFeePercentMax,
  lateFeePeriodDays,
} from '#contract/exception.ts'
import { toleranceDaysMax } from '#contract/bill-calendar/rule.ts'
import { addDays } from '#contract/kernel/date.ts'
import { sql, type RawBuilder } from 'kysely'
import { rhythmOf } from '../bill-calendar/bill-calendar.ts'
import { accountTables, type AccountKind } from '../estate-accounts.ts'
import { billableAccountScope, billScope, supplyAccountScope } from '../estate-scope.ts'
import { scopeCondition, type Condition } from '../kernel/list.ts'
import type { Reach } from '../kernel/principal.ts'

/** Bills whose amounts tell what a bill that has not come will ask for. */
const usualBills = 3

export interface Asker {
  readonly on: string
  readonly clientId: number | undefined
  readonly bills: Reach
  readonly billable: Reach
  readonly supply: Reach
}

/** `with … ` up to and with the table `exception`: one row for a bill or an account. */
export function exceptionTable(asker: Asker): RawBuilder<unknown> {
  return sql`with charged as (${chargedBefore(asker)}),
    vendor_rate as (select client_id, vendor_id, ${rateOf} as rate from charged where vendor_id is not null group by 1, 2),
    account_rate as (select client_id, coalesce(billable_account_id, 0) as billable, coalesce(supply_account_id, 0) as supply, ${rateOf} as rate
      from charged group by 1, 2, 3),
    found as (${billsDue(asker)} union all ${billsFlagged(asker)}
      union all ${accountsBehind('billable_account', asker)} union all ${accountsBehind('supply_account', asker)}
      union all ${accountsNeverBilled('billable_account', asker)} union all ${accountsNeverBilled('supply_account', asker)}),
    exception as (${ranked(asker)})`
}

/** Late fees and what they were charged on: the balance that was brought forward, else the charges. */
function chargedBefore(asker: Asker): RawBuilder<unknown> {
  return sql`select client_id, vendor_id, billable_account_id, supply_account_id, late_fee,
      case when balance_forward > 0 then balance_forward else current_charges end as base
    from bills where ${inBills(asker)} and late_fee > 0 and superseded_by_id is null and date >= ${addDays(asker.on, -lateFeeHistoryDays)}::date
      and (balance_forward > 0 or current_charges > 0)`
}

const rateOf = sql`round(least(sum(late_fee) * 100 / sum(base), ${lateFeePercentMax}::numeric), 2)`

function inBills({ bills, clientId }: Asker): Condition {
  return scopeCondition({ scope: billScope }, { reach: bills, clientId })
}

const billColumns = sql`bills.id * 4 as id, bills.client_id, bills.id as bill_id, bills.billable_account_id, bills.supply_account_id, bills.account_number,
  bills.vendor_id, bills.facility_id, bills.due_date, null::date as expected_on, bills.amount_due as amount, bills.open_errors + bills.open_blocking as open_errors`
const hasErrors = sql`(bills.open_errors > 0 or bills.open_blocking > 0)`
const isOpen = sql`not bills.paid and bills.superseded_by_id is null`

function billsDue(asker: Asker): RawBuilder<unknown> {
  const late = sql`bills.due_date < ${asker.on}::date`
  return sql`select ${billColumns}, case when ${late} then 'past_due' else 'due_soon' end as kind,
      array_remove(array[case when ${late} then 'past_due' else 'due_soon' end, case when ${hasErrors} then 'flagged' end], null) as kinds
    from bills where ${inBills(asker)} and ${isOpen} and bills.amount_due > 0 and bills.due_date <= ${addDays(asker.on, dueSoonDays)}::date`
}

function billsFlagged(asker: Asker): RawBuilder<unknown> {
  return sql`select ${billColumns}, 'flagged' as kind, array['flagged'] as kinds
    from bills where ${inBills(asker)} and ${isOpen} and ${hasErrors} and (bills.amount_due <= 0 or bills.due_date > ${addDays(asker.on, dueSoonDays)}::date)`
}

/** Which accounts the asker reaches, whose client is still served. */
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

/**
 * The next bill is expected a usual period and a usual wait after what the last one answers for, as the calendar reckons them. They are asked
 * only for accounts whose last bill is older than the period that the account itself names.
 */
function accountsBehind(kind: AccountKind, asker: Asker): RawBuilder<unknown> {
  const { table, key } = accountTables[kind]
  const of = (column: string) => sql.ref(`${table}.${column}`)
  const named = sql`(case ${of('billing_period')} when 0 then 7 when 1 then 14 when 3 then 91 else ${of('billing_cycle')} end)`
  const expected = sql`(upper(rhythm.covered) + rhythm.days + rhythm.wait)`
  return sql`select ${accountColumns(kind)},
      ${expected} + coalesce((select payment_terms_days from vendors where vendors.id = ${of('vendor_id')}), 0) as due_date,
      ${expected} as expected_on,
      (select round(avg(usual.amount_due), 2) from (select bills.amount_due from bills where bills.client_id = ${of('client_id')} and ${sql.ref(`bills.${key}`)} = ${of('id')}
        and bills.superseded_by_id is null order by bills.date desc, bills.id desc limit ${usualBills}) usual) as amount,
      0 as open_errors, 'not_received' as kind, array['not_received'] as kinds
    from ${sql.table(table)} cross join lateral (${rhythmOf(kind, asker.on)}) rhythm
    where ${inAccounts(kind, asker)} and ${of('last_bill_date')} < ${asker.on}::date - ${named}
      and ${expected} < ${addDays(asker.on, -toleranceDaysMax)}::date
      and (${of('effective_to')} is null or ${of('effective_to')} >= ${expected})`
}

function accountsNeverBilled(kind: AccountKind, asker: Asker): RawBuilder<unknown> {
  const { table, group } = accountTables[kind]
  const of = (column: string) => sql.ref(`${table}.${column}`)
  const entered = sql`(${of('created_at')} at time zone 'America/New_York')::date`
  return sql`select ${accountColumns(kind)}, null::date as due_date, ${entered} + ${firstBillDays}::int as expected_on, null::numeric as amount,
      0 as open_errors, 'never_received' as kind, array['never_received'] as kinds
    from ${sql.table(table)}
    where ${inAccounts(kind, asker)} and ${of('last_bill_date')} is null and ${entered} < ${addDays(asker.on, -firstBillDays)}::date
      and (${of(group)} is null or not exists (select from ${sql.table(table)} gathering where gathering.client_id = ${of('client_id')}
        and gathering.id = ${of(group)} and gathering.last_bill_date is not null))`
}

/** A fee is charged when the due date passes, and again for each further period: rate × amount × fees. */
function ranked({ on }: Asker): RawBuilder<unknown> {
  const rate = sql`coalesce(account_rate.rate, vendor_rate.rate, ${lateFeePercentDefault}::numeric)`
  const fees = sql`(greatest(${on}::date - found.due_date, 0) / ${lateFeePeriodDays}::int + 1)`
  return sql`select found.id, 0 as lock_version, found.kind, found.kinds, found.client_id, client.name as client_name,
      case when found.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type,
      coalesce(found.billable_account_id, found.supply_account_id) as account_id, found.account_number,
      coalesce(billable.name, supply.name) as account_name, vendor.name as vendor_name, facility.name as facility_name,
      found.bill_id, found.due_date, found.expected_on, ${on}::date - coalesce(found.expected_on, found.due_date) as days,
      found.amount::numeric(14,2) as amount, ${rate}::numeric(6,2) as rate_percent,
      case when account_rate.rate is not null then 'account' when vendor_rate.rate is not null then 'vendor' else 'assumed' end as rate_source,
      round(coalesce(greatest(found.amount, 0) * ${rate} / 100 * ${fees}, 0), 2)::numeric(14,2) as cost, found.open_errors::int as open_errors
    from found
    join clients client on client.id = found.client_id and client.active
    left join vendors vendor on vendor.id = found.vendor_id
    left join facilities facility on facility.client_id = found.client_id and facility.id = found.facility_id
    left join billable_accounts billable on billable.client_id = found.client_id and billable.id = found.billable_account_id
    left join supply_accounts supply on supply.client_id = found.client_id and supply.id = found.supply_account_id
    left join vendor_rate on vendor_rate.client_id = found.client_id and vendor_rate.vendor_id = found.vendor_id
    left join account_rate on account_rate.client_id = found.client_id and account_rate.billable = coalesce(found.billable_account_id, 0)
      and account_rate.supply = coalesce(found.supply_account_id, 0)`
}
