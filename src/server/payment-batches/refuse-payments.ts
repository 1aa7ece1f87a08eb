/** The reasons why bills cannot be put into a payment. */
import { formatDate } from '#contract/kernel/date.ts'
import type { PaymentBill } from '#contract/payment-batches/payment-bill.ts'
import { addedFault } from '#contract/payment-batches/payment-mix.ts'
import { paymentRefusalText } from '#contract/payment-batches/payment-refusal.ts'
import { sql } from 'kysely'
import { paidTwice, paidTwiceText } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { paymentBillsByIds, paymentTermsOf, type AskedPaymentBatch } from './payment-bills.ts'

/** Most refused bills that a message names; all are counted. */
const NAMED_MAX = 5

/** Restricts the operation to the bills of this payment. */
export interface MeantPayment {
  readonly id: number
  readonly vendor_id: number
}

/** Bills that the batch held before may no longer go together; none of those that are added may be one more. */
export function refuseMixed(bills: readonly PaymentBill[], taken: readonly number[]): void {
  const added = new Set(taken)
  const fault = addedFault(
    bills.filter(({ id }) => !added.has(id)),
    bills.filter(({ id }) => added.has(id)),
  )
  if (fault !== null) throw invalid({ bill_ids: [fault] })
}

/** Throws 422 naming both bills if an amount is paid both for a member of a group and for its group's bill. The group's bills are locked. */
export async function refuseTwicePaid(
  { tx }: Context,
  { client_id: clientId, id }: Pick<AskedPaymentBatch, 'id' | 'client_id'>,
  field: string,
): Promise<void> {
  const members = sql`select bill_id from payment_batch_bills where client_id = ${clientId} and payment_batch_id = ${id} and released_at is null`
  // Bills that were paid on both sides already are history, which no save can change.
  const isOpen = sql`not ((child.paid or child.finalized) and (parent.paid or parent.finalized))`
  const twice = await paidTwice(tx, clientId, sql<boolean>`(child.id in (${members}) or child.group_bill_id in (${members})) and ${isOpen}`)
  if (twice !== null) throw invalid({ [field]: [paidTwiceText(twice)] })
}

export async function refuseBills({ tx }: Context, batch: AskedPaymentBatch, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const bills = await paymentBillsByIds(tx, await paymentTermsOf(tx, batch), ids)
  if (bills.length < ids.length) throw invalid({ bill_ids: ['One of these bills cannot be found'] })
  const faulty = bills.filter((bill) => bill.refusal !== null)
  if (faulty.length === 0) return
  const message = refusedPaymentsText(faulty)
  const tookFirst = faulty.find((bill) => bill.refusal === 'other_batch' || bill.refusal === 'paid')
  if (tookFirst) throw refused(message, tookFirst.id)
  throw invalid({ bill_ids: [message] })
}

/** Rejects removing paid bills: a reopened batch may hold some, and they stay where they were paid. */
export async function refusePaid({ tx }: Context, { client_id: clientId }: AskedPaymentBatch, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ account_number: string; date: string }>`select account_number, date from bills where client_id = ${clientId}
    and id = any(${ids}::bigint[]) and (paid or finalized) order by id limit 1`.execute(tx)
  const [paid] = rows
  if (paid) throw invalid({ bill_ids: [`${paid.account_number}, ${formatDate(paid.date)} is paid, so it stays in its payment`] })
}

export async function refuseOtherVendors(
  { tx }: Context,
  { client_id: clientId }: AskedPaymentBatch,
  ids: readonly number[],
  payment: MeantPayment,
): Promise<void> {
  const { rows } = await sql<{ account_number: string; date: string }>`select account_number, date from bills where client_id = ${clientId}
    and id = any(${ids}::bigint[]) and vendor_id is distinct from ${payment.vendor_id} order by id limit 1`.execute(tx)
  const [other] = rows
  if (other)
    throw invalid({ bill_ids: [`${other.account_number}, ${formatDate(other.date)} is a bill of another vendor than this payment’s`] })
}

/** '2 bills cannot be paid here: 5582-1, 11/02/2026 (Parked); 771, 11/05/2026 (In vendor batch 12).' */
export function refusedPaymentsText(bills: readonly PaymentBill[]): string {
  const named = bills.slice(0, NAMED_MAX).map((bill) => `${bill.account_number}, ${formatDate(bill.date)} (${reasonOf(bill)})`)
  const more = bills.length - named.length
  const count = bills.length === 1 ? '1 bill cannot be paid here' : `${bills.length.toLocaleString('en-US')} bills cannot be paid here`
  return `${count}: ${named.join('; ')}${more > 0 ? `; and ${more.toLocaleString('en-US')} more` : ''}.`
}

function reasonOf({ refusal, other_batch_id }: PaymentBill): string {
  return refusal === null ? '' : paymentRefusalText({ refusal, other_batch_id })
}
