/** The exceptions as one select: bills and accounts with their cost of lateness. Names are joined for the shown rows only. */
import {
  dueSoonDays,
  halfChanceDays,
  lateFeeHistoryDays,
  lateFeePercentDefault,
  lateFeePercentMax,
  lateFeePeriodDays,
  shutOffDays,
  shutOffWeightMax,
} from '#contract/exceptions/exception.ts'
import { addDays } from '#contract/kernel/date.ts'
import { sql, type RawBuilder } from 'kysely'
import { billScope, isOwed, isPayable, owedAmount } from '../estate/estate.ts'
import { scopeCondition, type Condition } from '../kernel/lists/list.ts'
import { type Asker, accountsBehind, accountsNeverBilled } from './exception-accounts.ts'

/** One row per bill or account. Plain arithmetic on a row is in the list's own columns, so that only shown rows pay for it. */
export function exceptionRows(asker: Asker): RawBuilder<unknown> {
  return sql`with charged as (${chargedBefore(asker)}),
    vendor_rate as (select client_id, vendor_id, ${rateOf} as rate from charged where vendor_id is not null group by client_id, vendor_id),
    account_rate as (select ${accountKey('charged')} as account, ${rateOf} as rate from charged group by account),
    found as (${billsDue(asker)} union all ${billsFlagged(asker)}
      union all ${accountsBehind('billable_account', asker)} union all ${accountsBehind('supply_account', asker)}
      union all ${accountsNeverBilled('billable_account', asker)} union all ${accountsNeverBilled('supply_account', asker)})
    ${ranked(asker)}`
}

/** Late fees and the amounts they were charged on: the balance brought forward, or else the charges. */
function chargedBefore(asker: Asker): RawBuilder<unknown> {
  return sql`select client_id, vendor_id, billable_account_id, supply_account_id, late_fee,
      case when balance_forward > 0 then balance_forward else current_charges end as base
    from bills where ${inBills(asker)} and late_fee > 0 and superseded_by_id is null and date >= ${addDays(asker.on, -lateFeeHistoryDays)}::date
      and (balance_forward > 0 or current_charges > 0)`
}

/** One number for accounts of both kinds: ids of a kind are unique across clients. */
function accountKey(rows: string): RawBuilder<unknown> {
  return sql`coalesce(${sql.ref(`${rows}.billable_account_id`)}, -${sql.ref(`${rows}.supply_account_id`)})`
}

const rateOf = sql`round(least(sum(late_fee) * 100 / sum(base), ${lateFeePercentMax}::numeric), 2)`

function inBills({ bills, clientId }: Asker): Condition {
  return scopeCondition({ scope: billScope }, { reach: bills, clientId })
}

/** An earlier unpaid bill of the same account already includes the balance. */
function isListedBefore(account: 'billable_account_id' | 'supply_account_id'): RawBuilder<unknown> {
  return sql`exists (select from bills prior where prior.client_id = bills.client_id and prior.${sql.ref(account)} = bills.${sql.ref(account)}
    and prior.id <> bills.id and prior.date <= bills.date and prior.due_date <= bills.due_date and prior.amount_due > 0
    and not prior.paid and not prior.finalized and prior.superseded_by_id is null and prior.group_bill_id is null)`
}

/** The part of a bill that no other row includes: without the balance of an earlier bill that is listed itself. */
const countedOnce = sql`(case when ${isOwed} and bills.balance_forward > 0 and case when bills.billable_account_id is null
    then ${isListedBefore('supply_account_id')} else ${isListedBefore('billable_account_id')} end
  then bills.current_charges + coalesce(bills.late_fee, 0) else ${owedAmount} end)::numeric(14,2)`

/** The amount is computed once per bill: `offset 0` keeps the planner from inlining it, with its lookups, wherever it is used. */
function billRows(condition: Condition, kind: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select bill.id * 4 as id, bill.client_id, bill.id as bill_id, bill.billable_account_id, bill.supply_account_id, bill.account_number,
      bill.vendor_id, bill.facility_id, bill.due_date, null::date as expected_on, bill.amount, nullif(bill.owed - bill.amount, 0) as carried_forward,
      bill.open_errors, ${kind} as kind
    from (select bills.id, bills.client_id, bills.billable_account_id, bills.supply_account_id, bills.account_number, bills.vendor_id, bills.facility_id, bills.due_date,
        ${countedOnce} as amount, ${owedAmount} as owed, bills.open_errors + bills.open_blocking as open_errors
      from bills where ${condition} offset 0) bill`
}

const hasErrors = sql`(bills.open_errors > 0 or bills.open_blocking > 0)`
/** A bill that belongs to a group's bill is paid with the group's bill, which is listed; its errors are its own. */
const isFlaggable = sql`not bills.paid and not bills.finalized and bills.superseded_by_id is null`

function billsDue(asker: Asker): RawBuilder<unknown> {
  const isDue = sql<boolean>`${inBills(asker)} and ${isPayable} and bills.amount_due > 0 and bills.due_date <= ${addDays(asker.on, dueSoonDays)}::date`
  return billRows(isDue, sql`case when bill.due_date < ${asker.on}::date then 'past_due' else 'due_soon' end`)
}

function billsFlagged(asker: Asker): RawBuilder<unknown> {
  const isElsewhere = sql`(not ${isOwed} or bills.amount_due <= 0 or bills.due_date > ${addDays(asker.on, dueSoonDays)}::date)`
  return billRows(sql<boolean>`${inBills(asker)} and ${isFlaggable} and ${hasErrors} and ${isElsewhere}`, sql`'flagged'`)
}

/** A fee is charged when the due date passes, and again for each further period: rate × amount × fees. */
function ranked({ on, clientId }: Asker): RawBuilder<unknown> {
  // Written as "not inactive": with a join to active clients the planner underestimates the rows and looks rates up one by one.
  const isServed =
    clientId === undefined
      ? sql`not exists (select from clients where clients.id = found.client_id and not active)`
      : sql`exists (select from clients where id = ${clientId} and active)`
  const rate = sql`coalesce(account_rate.rate, vendor_rate.rate, ${lateFeePercentDefault}::numeric)`
  const fees = sql`(greatest(${on}::date - found.due_date, 0) / ${lateFeePeriodDays}::int + 1)`
  return sql`select priced.*, ${urgencyOn(on)} as urgency from (select found.*, ${on}::date - coalesce(found.expected_on, found.due_date) as days, account_rate.rate as account_rate,
      vendor_rate.rate as vendor_rate, round(coalesce(greatest(found.amount, 0) * ${rate} * 0.01 * ${fees}, 0), 2) as cost
    from found
    left join vendor_rate on vendor_rate.client_id = found.client_id and vendor_rate.vendor_id = found.vendor_id
    left join account_rate on account_rate.account = ${accountKey('found')}
    where ${isServed} offset 0) priced`
}

/** Distance between rank classes, far above any weight inside one. */
const step = sql`10000000000::numeric`

/**
 * First past-due bills, where each day may cost: the fees, weighted by how near the shut-off is. Then upcoming ones: the fee times its
 * probability, by the days left. Then errors by due date, and last the accounts of which only the waiting time is known.
 */
function urgencyOn(on: string): RawBuilder<unknown> {
  const late = sql`(${on}::date - priced.due_date)`
  // Most late bills are so late that the weight is at its maximum, so the division is skipped for them.
  const weight = sql`case when ${late} >= ${sql.lit(shutOffDays * (shutOffWeightMax - 1))} then ${sql.lit(shutOffWeightMax)} else 1 + ${late} / ${sql.lit(shutOffDays)}::numeric end`
  const chance = sql`${sql.lit(halfChanceDays)} / (${sql.lit(halfChanceDays)}::numeric - ${late})`
  return sql`round(case when priced.kind = 'never_received' then priced.days when priced.kind = 'flagged' then ${step} + 1000000 + ${late}
    when ${late} > 0 then 3 * ${step} + priced.cost * ${weight} else 2 * ${step} + priced.cost * ${chance} end, 2)`
}
