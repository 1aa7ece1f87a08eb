/**
 * Sets the bills of a vendor batch and the payment of each. Bills are taken and released under locks, so if two batches want a bill, one gets it
 * and the other is refused; the index payment_batch_bills_one_live ensures the same. Every bill of a live batch has one payment, of its own
 * vendor.
 */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/problem.ts'
import { billsOfPaymentBatch, type AskedPaymentBatch } from './payment-bills.ts'
import { type MeantPayment, refuseBills, refusePaid, refuseOtherVendors, refuseMixed, refuseTwicePaid } from './refuse-payments.ts'
import { releaseBills, takeBills, moveBills, dropEmptied, makePayments, firstPayment, namePayments } from './move-payment-bills.ts'

/** Changes of a batch's bills, by id. */
export interface MovedPaymentBills {
  /** Number of bills that the batch held before. */
  readonly before: number
  readonly taken: readonly number[]
  readonly released: readonly number[]
  /** Bills that stayed in the batch but moved to another payment. */
  readonly moved: readonly number[]
}

/**
 * Replaces the bills of the batch, or of one of its payments, by `wanted`, in the caller's transaction. Throws 409 if another batch took a bill
 * first, and 422 if a bill may not be paid here or beside the others. Each bill is named with its reason, and nothing is stored. Bills can be
 * taken out whatever the others are: that is how a batch is mended whose vendors no longer go together.
 */
export async function storePaymentBills(
  context: Context,
  batch: AskedPaymentBatch,
  wanted: readonly number[],
  payment: MeantPayment | null,
): Promise<MovedPaymentBills> {
  const held = await lockPaymentBills(context, batch, wanted)
  if (batch.is_global && wanted.length === 0) throw invalid({ bill_ids: ['Batch must always be left with at least 1 bill.'] })
  const mine = [...held].filter(([, paymentId]) => payment === null || paymentId === payment.id).map(([id]) => id)
  const kept = new Set(wanted)
  const taken = wanted.filter((id) => !held.has(id))
  const moved = payment === null ? [] : wanted.filter((id) => held.has(id) && held.get(id) !== payment.id)
  const released = mine.filter((id) => !kept.has(id))
  await refuseBills(context, batch, taken)
  await refusePaid(context, batch, [...released, ...moved])
  if (payment !== null) await refuseOtherVendors(context, batch, wanted, payment)
  await releaseBills(context, batch, released)
  await takeBills(context, batch, taken, payment)
  if (payment !== null) await moveBills(context, batch, moved, payment.id)
  await dropEmptied(context, batch, [...new Set([...released, ...moved].map((id) => held.get(id) ?? 0))])
  const bills = await billsOfPaymentBatch(context.tx, batch)
  if (taken.length > 0) {
    refuseMixed(bills, taken)
    await refuseTwicePaid(context, batch, 'bill_ids')
  }
  await sql`update payment_batches set payment_method = ${bills[0]?.payment_method ?? null}
    where client_id = ${batch.client_id} and id = ${batch.id}`.execute(context.tx)
  return { before: held.size, taken, released, moved }
}

/** Releases every bill of a batch that is about to be deleted; keyed amounts stay. Throws 422 if one is paid. */
export async function releaseAllBills(context: Context, batch: AskedPaymentBatch): Promise<readonly number[]> {
  const held = [...(await lockPaymentBills(context, batch, [])).keys()]
  await refusePaid(context, batch, held)
  await releaseBills(context, batch, held)
  return held
}

/**
 * Releases the bills of one payment from its batch. Throws 422 if they are paid: another user may have closed the batch a moment ago.
 * @param next ids of bills that the caller takes afterwards; they are locked now, because a second round would break the order.
 */
export async function releasePayment(
  context: Context,
  batch: AskedPaymentBatch,
  paymentId: number,
  next: readonly number[] = [],
): Promise<readonly number[]> {
  const held = await lockPaymentBills(context, batch, next)
  const ids = [...held].filter(([, of]) => of === paymentId).map(([id]) => id)
  await refusePaid(context, batch, ids)
  await releaseBills(context, batch, ids)
  return ids
}

/**
 * Locks the added, kept and removed bills in id order.
 * @returns the payment of each bill that the batch holds.
 */
export async function lockPaymentBills(
  context: Context,
  { client_id: clientId, id }: Pick<AskedPaymentBatch, 'id' | 'client_id'>,
  wanted: readonly number[],
): Promise<Map<number, number>> {
  await lockBillsOfBatches(context, clientId, [id], wanted)
  const { rows } = await sql<{ bill_id: number; vendor_payment_id: number }>`select bill_id, vendor_payment_id from payment_batch_bills
    where client_id = ${clientId} and payment_batch_id = ${id} and released_at is null`.execute(context.tx)
  return new Map(rows.map((row) => [row.bill_id, row.vendor_payment_id]))
}

/** The same of several batches of one client, whose bills are locked in one order. */
export async function lockBillsOfBatches(
  { tx }: Context,
  clientId: number,
  batches: readonly number[],
  wanted: readonly number[],
): Promise<void> {
  const members = sql`select bill_id from payment_batch_bills where client_id = ${clientId} and payment_batch_id = any(${batches}::bigint[])
    and released_at is null`
  // A group's bill is the lock of what is paid in its place.
  const parents = sql`select group_bill_id from bills where client_id = ${clientId} and group_bill_id is not null
    and (id = any(${wanted}::bigint[]) or id in (${members}))`
  await sql`select id from bills where client_id = ${clientId} and (id = any(${wanted}::bigint[]) or id in (${members}) or id in (${parents}))
    order by id for no key update`.execute(tx)
}

export interface Synced {
  readonly made: number
  readonly emptied: number
  readonly moved: number
}

/**
 * Creates missing payments, assigns each unpaid bill to a payment of its own vendor, and deletes payments without a bill. A second call
 * changes nothing. A paid bill stays with the payment that has paid it.
 */
export async function syncPayments(context: Context, batch: AskedPaymentBatch): Promise<Synced> {
  const { client_id: clientId, id } = batch
  await lockPaymentBills(context, batch, [])
  const { rows: homeless } = await sql<{ bill_id: number }>`select member.bill_id from payment_batch_bills member
    join bills on bills.client_id = ${clientId} and bills.id = member.bill_id
    left join vendor_payments payment on payment.client_id = ${clientId} and payment.id = member.vendor_payment_id
    where member.client_id = ${clientId} and member.payment_batch_id = ${id} and member.released_at is null
      and not bills.paid and not bills.finalized and bills.vendor_id is not null and payment.vendor_id is distinct from bills.vendor_id`.execute(
    context.tx,
  )
  const ids = homeless.map(({ bill_id }) => bill_id)
  const made = await makePayments(context, { clientId, batchId: id }, ids)
  if (ids.length > 0) {
    await sql`update payment_batch_bills member set vendor_payment_id = ${firstPayment(clientId, id)}
      from bills where bills.client_id = ${clientId} and bills.id = member.bill_id and member.client_id = ${clientId}
        and member.payment_batch_id = ${id} and member.released_at is null and member.bill_id = any(${ids}::bigint[])`.execute(context.tx)
    await namePayments(context, clientId, ids)
  }
  const { rows: payments } = await sql<{
    id: number
  }>`select id from vendor_payments where client_id = ${clientId} and payment_batch_id = ${id}`.execute(context.tx)
  const emptied = await dropEmptied(
    context,
    batch,
    payments.map((payment) => payment.id),
  )
  return { made: made.length, emptied, moved: ids.length }
}
