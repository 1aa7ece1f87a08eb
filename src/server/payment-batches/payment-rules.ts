/** The rules of contract/payment-batches/payment-refusal.ts as SQL over `bills`, their live membership `member` and their vendor `vendor`. */
import { paymentRefusals, type PaymentRefusal } from '#contract/payment-batches/payment-refusal.ts'
import { sql, type RawBuilder } from 'kysely'
import { batchFault } from '../bills/bills.ts'
import type { Condition } from '../kernel/lists/list.ts'

export interface PaymentTerms {
  readonly clientId: number
  /** Null for a batch that is still to be made. */
  readonly batchId: number | null
  /** The division that pays; null where the client itself does, for all its divisions. */
  readonly divisionId: number | null
  /** The client lets bills with open errors be batched. */
  readonly takesFlagged: boolean
}

/** The first reason for which the batch may not take or keep a bill; null where it may. */
export function paymentRefusalColumn(terms: PaymentTerms): RawBuilder<PaymentRefusal | null> {
  const rules = paymentRefusals.filter((refusal) => refusal !== 'open_errors' || !terms.takesFlagged)
  return sql`case ${sql.join(
    rules.map((refusal) => sql`when ${conditionOf(refusal, terms)} then ${sql.lit(refusal)}`),
    sql` `,
  )} end`
}

function conditionOf(refusal: PaymentRefusal, { clientId, batchId, divisionId }: PaymentTerms): Condition {
  switch (refusal) {
    case 'paid':
      return sql<boolean>`((bills.paid or bills.finalized) and member.payment_batch_id is distinct from ${batchId}::bigint)`
    case 'other_batch':
      return sql<boolean>`(member.payment_batch_id is not null and member.payment_batch_id is distinct from ${batchId}::bigint)`
    case 'group_child':
      // A bill that came into its group later stays in its batch, and is paid with nothing.
      return sql<boolean>`(bills.group_bill_id is not null and member.payment_batch_id is distinct from ${batchId}::bigint)`
    case 'other_payer':
      return sql<boolean>`(${divisionId}::bigint is not null and bills.division_id is distinct from ${divisionId}::bigint)`
    case 'no_vendor':
      return sql<boolean>`bills.vendor_id is null`
    case 'inactive_vendor':
      return sql<boolean>`not vendor.active`
    default:
      return batchFault(refusal, clientId)
  }
}
