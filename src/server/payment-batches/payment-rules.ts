/**
 * The rules of contract/payment-batches/payment-refusal.ts as SQL over `bills`, their live membership `member`, their vendor `vendor` and their
 * client `client`.
 */
import { payTypes } from '#contract/global-batches/pay-type.ts'
import { paymentRefusals, type PaymentRefusal } from '#contract/payment-batches/payment-refusal.ts'
import { sql, type RawBuilder } from 'kysely'
import { batchFault } from '../bills/bills.ts'
import type { Condition } from '../kernel/lists/list.ts'

/** For bills of several clients and batches, client, batch and setting are expressions over each bill. */
export interface PaymentTerms {
  readonly clientId: number | RawBuilder<number>
  /** Null for a batch that does not exist yet. */
  readonly batchId: number | null | RawBuilder<number | null>
  /** The paying division; null if the client itself pays, for all its divisions. */
  readonly divisionId: number | null
  /** True if the client allows bills with open errors in batches. */
  readonly takesFlagged: boolean | RawBuilder<boolean>
  /** True if the provider's desk pays: it takes the members of a group with an amount of zero, and needs a payment type. */
  readonly isGlobal: boolean
}

/** Rules that apply to only one of the two kinds of batch. */
const ofVendorBatches: readonly PaymentRefusal[] = ['group_child', 'other_payer']
const ofGlobalBatches: readonly PaymentRefusal[] = ['inactive_client', 'no_pay_type']

/** The first reason the batch may not take or keep a bill, or null. */
export function paymentRefusalColumn(terms: PaymentTerms): RawBuilder<PaymentRefusal | null> {
  const others = terms.isGlobal ? ofVendorBatches : ofGlobalBatches
  const rules = paymentRefusals.filter((refusal) => !others.includes(refusal) && (refusal !== 'open_errors' || terms.takesFlagged !== true))
  return sql`case ${sql.join(
    rules.map((refusal) => sql`when ${conditionOf(refusal, terms)} then ${sql.lit(refusal)}`),
    sql` `,
  )} end`
}

function conditionOf(refusal: PaymentRefusal, { clientId, batchId, divisionId, takesFlagged }: PaymentTerms): Condition {
  switch (refusal) {
    case 'paid':
      return sql<boolean>`((bills.paid or bills.finalized) and member.payment_batch_id is distinct from ${batchId}::bigint)`
    case 'other_batch':
      return sql<boolean>`(member.payment_batch_id is not null and member.payment_batch_id is distinct from ${batchId}::bigint)`
    case 'group_child':
      // A bill that joined its group later stays in its batch, and is paid with zero.
      return sql<boolean>`(bills.group_bill_id is not null and member.payment_batch_id is distinct from ${batchId}::bigint)`
    case 'other_payer':
      return sql<boolean>`(${divisionId}::bigint is not null and bills.division_id is distinct from ${divisionId}::bigint)`
    case 'no_vendor':
      return sql<boolean>`bills.vendor_id is null`
    case 'inactive_vendor':
      return sql<boolean>`not vendor.active`
    case 'inactive_client':
      return sql<boolean>`not client.active`
    case 'no_pay_type':
      return sql<boolean>`(${firstMethodOf(sql`bills.vendor_id`)} = any(${payTypes}::text[])) is not true`
    case 'open_errors':
      return sql<boolean>`(${batchFault(refusal, clientId)} and not ${takesFlagged}::boolean)`
    default:
      return batchFault(refusal, clientId)
  }
}

/** The first payment method of a vendor, by its name. */
export function firstMethodOf(vendorId: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`(select payment_methods.name from vendor_payment_methods chosen join payment_methods on payment_methods.id = chosen.payment_method_id
    where chosen.vendor_id = ${vendorId} order by chosen.position, payment_methods.id limit 1)`
}

/** The initial amount paid of a bill: the amount keyed for it, or else the amount due; a member of a group is paid with its group. */
export const startAmount: RawBuilder<string> = sql`case when bills.group_bill_id is not null then 0.00 else coalesce(bills.amount_paid, bills.amount_due) end`

/**
 * True of a `payment` that may take one more bill. A payment that was paid, sent or reversed has a date and an ID: a bill that came later
 * would be paid without either.
 */
export const takesBills = (clientId: number): Condition =>
  sql<boolean>`(not exists (select from payment_reversals reversal where reversal.client_id = ${clientId} and reversal.vendor_payment_id = payment.id)
    and not exists (select from payment_batch_bills held join bills held_bill on held_bill.client_id = ${clientId} and held_bill.id = held.bill_id
      where held.client_id = ${clientId} and held.vendor_payment_id = payment.id and held.released_at is null and (held_bill.paid or held_bill.finalized))
    and not exists (select from global_batch_file_payments sent where sent.client_id = ${clientId} and sent.vendor_payment_id = payment.id))`
