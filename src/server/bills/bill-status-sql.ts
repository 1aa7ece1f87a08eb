/**
 * The statuses of bills as SQL, generated from the same table of rules as the pure function (contract/bills/bill-status.ts), so that a
 * filter and the status in a row can never disagree. Every condition is true or false, never null, because statuses negate one another.
 */
import { fullStatuses, statusesBefore, statusRules, type FullStatus } from '#contract/bills/bill-status.ts'
import type { StatusCondition } from '#contract/bills/status-facts.ts'
import { sql, type RawBuilder } from 'kysely'
import { and, or, type Condition } from '../kernel/lists/list.ts'

/** Joins that the expressions below need; a list names them with each column. */
export const statusJoins = ['payment', 'accounting_batch'] as const

/** True if a linked supply bill has an open error, or any flag at all. Linked lines are few, so each row costs one index lookup. */
export const anyLinkedErrors: Condition = linkedBill(sql<boolean>`(supply_bill.open_errors > 0 or supply_bill.open_blocking > 0)`)
export const anyLinkedFlags: Condition = linkedBill(sql<boolean>`supply_bill.open_errors + supply_bill.open_warnings > 0`)

/** Returns the condition of a filter: the rule of the status holds and no earlier rule does. */
export function hasStatus(status: FullStatus): Condition {
  const earlier = statusesBefore(status).map((other) => ruleOf(other))
  return earlier.length === 0 ? ruleOf(status) : sql<boolean>`(${ruleOf(status)} and not ${or(earlier)})`
}

/** Status that a row shows. */
export const fullStatusColumn: RawBuilder<string> = sql`case ${sql.join(
  fullStatuses.map((status) => sql`when ${ruleOf(status)} then ${sql.lit(status)}`),
  sql` `,
)} end`

/** Position of the status in the life of a bill, by which lists sort. */
export const fullStatusOrder: RawBuilder<number> = sql`case ${sql.join(
  fullStatuses.map((status, place) => sql`when ${ruleOf(status)} then ${sql.lit(place)}`),
  sql` `,
)} end`

export const accountingStatusColumn: RawBuilder<string> = sql`case when bills.accounting_batch_id is null then 'unbatched'
  when accounting_batch.invoiced is true then 'invoiced' when accounting_batch.closed is true then 'closed' else 'client_batched' end`

export const paymentStatusColumn: RawBuilder<string> = sql`case when (bills.finalized or bills.paid) and payment_batch.paid_as = 'NP' then 'no_pay'
  when bills.finalized then 'finalized' when bills.paid then 'paid' when bills.vendor_payment_id is null then case when bills.group_bill_id is null then 'unpaid' else 'group_bill' end
  when payment_batch.is_global is true then 'global_batched' else 'vendor_batched' end`

/** The rule Flagged by itself, whatever status precedes it. */
export const isFlagged: Condition = ruleOf('Flagged')

function ruleOf(status: FullStatus): Condition {
  const { all, any } = statusRules[status]
  const needed = all.map(conditionOf)
  return and(any.length === 0 ? needed : [...needed, or(any.map(conditionOf))])
}

function conditionOf(condition: StatusCondition): Condition {
  switch (condition.is) {
    case 'set':
      return sql<boolean>`bills.${sql.ref(condition.fact)} is not null`
    case 'true':
      return truthOf(condition.fact)
    case 'positive':
      return sql<boolean>`bills.${sql.ref(condition.fact)} > 0`
    case 'not_empty':
      return sql<boolean>`cardinality(bills.missing_fields) > 0`
  }
}

function truthOf(fact: Extract<StatusCondition, { is: 'true' }>['fact']): Condition {
  switch (fact) {
    case 'payment_batch_is_global':
      return sql<boolean>`payment_batch.is_global is true`
    case 'accounting_batch_closed':
      return sql<boolean>`accounting_batch.closed is true`
    case 'accounting_batch_invoiced':
      return sql<boolean>`accounting_batch.invoiced is true`
    case 'any_linked_errors':
      return anyLinkedErrors
    case 'finalized':
    case 'paid':
    case 'parked':
    case 'qc':
      return sql<boolean>`bills.${sql.ref(fact)}`
  }
}

function linkedBill(condition: Condition): Condition {
  return sql<boolean>`exists (select from bill_linked_service_bills link
    join service_bills linked_line on linked_line.client_id = link.client_id and linked_line.id = link.service_bill_id
    join bills supply_bill on supply_bill.client_id = linked_line.client_id and supply_bill.id = linked_line.bill_id
    where link.client_id = bills.client_id and link.bill_id = bills.id and ${condition})`
}
