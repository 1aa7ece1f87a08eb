/**
 * Sets the bills of a vendor batch and the payment of each. Bills are taken and released under locks, so if two batches want a bill, one gets it
 * and the other is refused; the index payment_batch_bills_one_live ensures the same. Every bill of a live batch has one payment, of its own
 * vendor.
 */
import { formatDate } from '#contract/kernel/date.ts'
import type { PaymentBill } from '#contract/payment-batches/payment-bill.ts'
import { addedFault } from '#contract/payment-batches/payment-mix.ts'
import { paymentRefusalText } from '#contract/payment-batches/payment-refusal.ts'
import { sql } from 'kysely'
import { paidTwice, paidTwiceText } from '../estate/estate.ts'
import type { AuditEntry } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { billsOfPaymentBatch, paymentBillsByIds, paymentTermsOf, type AskedPaymentBatch } from './payment-bills.ts'
import { startAmount, takesBills } from './payment-rules.ts'

/** Most refused bills that a message names; all are counted. */
const NAMED_MAX = 5

/** Restricts the operation to the bills of this payment. */
export interface MeantPayment {
  readonly id: number
  readonly vendor_id: number
}

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

/** Bills that the batch held before may no longer go together; none of those that are added may be one more. */
function refuseMixed(bills: readonly PaymentBill[], taken: readonly number[]): void {
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
  // What is paid on both sides already is history, which no save can mend.
  const isOpen = sql`not ((child.paid or child.finalized) and (parent.paid or parent.finalized))`
  const twice = await paidTwice(tx, clientId, sql<boolean>`(child.id in (${members}) or child.group_bill_id in (${members})) and ${isOpen}`)
  if (twice !== null) throw invalid({ [field]: [paidTwiceText(twice)] })
}

async function refuseBills({ tx }: Context, batch: AskedPaymentBatch, ids: readonly number[]): Promise<void> {
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
async function refusePaid({ tx }: Context, { client_id: clientId }: AskedPaymentBatch, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ account_number: string; date: string }>`select account_number, date from bills where client_id = ${clientId}
    and id = any(${ids}::bigint[]) and (paid or finalized) order by id limit 1`.execute(tx)
  const [paid] = rows
  if (paid) throw invalid({ bill_ids: [`${paid.account_number}, ${formatDate(paid.date)} is paid, so it stays in its payment`] })
}

async function refuseOtherVendors(
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

/** Assigns each bill to `payment`, or to the first payment of its vendor that takes bills, which is created if the batch has none. */
async function takeBills(
  context: Context,
  { client_id: clientId, id }: AskedPaymentBatch,
  ids: readonly number[],
  payment: MeantPayment | null,
): Promise<void> {
  if (ids.length === 0) return
  if (payment === null) await makePayments(context, { clientId, batchId: id }, ids)
  await sql`insert into payment_batch_bills (client_id, bill_id, payment_batch_id, vendor_payment_id, amount_paid, created_by, created_at)
    select ${clientId}, bills.id, ${id}, coalesce(${payment?.id ?? null}::bigint, ${firstPayment(clientId, id)}),
      ${startAmount}, ${context.principal.user_id}, ${now()}
    from bills where bills.client_id = ${clientId} and bills.id = any(${ids}::bigint[])`.execute(context.tx)
  await namePayments(context, clientId, ids)
}

const firstPayment = (clientId: number, batchId: number) =>
  sql`(select min(payment.id) from vendor_payments payment where payment.client_id = ${clientId} and payment.payment_batch_id = ${batchId}
    and payment.vendor_id = bills.vendor_id and ${takesBills(clientId)})`

/**
 * Creates a payment for each vendor of these bills that has none in the batch which takes bills.
 * @returns the ids of the new payments.
 */
async function makePayments(
  context: Context,
  { clientId, batchId }: { readonly clientId: number; readonly batchId: number },
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number; vendor_id: number }>`
    insert into vendor_payments (client_id, payment_batch_id, vendor_id, created_at, updated_at)
    select distinct ${clientId}::bigint, ${batchId}::bigint, bills.vendor_id, ${now()}::timestamptz, ${now()}::timestamptz from bills
    where bills.client_id = ${clientId} and bills.id = any(${ids}::bigint[])
      and not exists (select 1 from vendor_payments payment where payment.client_id = ${clientId} and payment.payment_batch_id = ${batchId}
        and payment.vendor_id = bills.vendor_id and ${takesBills(clientId)})
    returning id, vendor_id`.execute(context.tx)
  await context.audit.many(
    rows.map(({ id, vendor_id }): AuditEntry => ({
      event: 'create',
      item_type: 'vendor_payment',
      item_id: id,
      client_id: clientId,
      changes: { vendor_id: { from: null, to: vendor_id }, payment_batch_id: { from: null, to: batchId } },
    })),
  )
  return rows.map(({ id }) => id)
}

/** Sets each bill's payment to that of its live membership; the bill's trail names both payments. */
async function namePayments(context: Context, clientId: number, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number; before: number | null; after: number | null }>`
    update bills set vendor_payment_id = wanted.after, lock_version = bills.lock_version + 1, updated_at = ${now()}
    from (select held.id, held.vendor_payment_id as before, member.vendor_payment_id as after from bills held
      left join payment_batch_bills member on member.client_id = ${clientId} and member.bill_id = held.id and member.released_at is null
      where held.client_id = ${clientId} and held.id = any(${ids}::bigint[])) wanted
    where bills.client_id = ${clientId} and bills.id = wanted.id and wanted.before is distinct from wanted.after
    returning bills.id, wanted.before, wanted.after`.execute(context.tx)
  await context.audit.many(
    rows.map((row): AuditEntry => ({
      event: 'update',
      item_type: 'bill',
      item_id: row.id,
      client_id: clientId,
      changes: { vendor_payment_id: { from: row.before, to: row.after } },
    })),
  )
}

/** Takes these bills from the batch, whatever their state; the caller has locked them. */
async function releaseBills(
  context: Context,
  { client_id: clientId, id }: Pick<AskedPaymentBatch, 'id' | 'client_id'>,
  ids: readonly number[],
): Promise<void> {
  await releaseBillsOf(context, clientId, [id], ids)
}

/** The same from whichever of these batches of a client holds them. */
export async function releaseBillsOf(
  context: Context,
  clientId: number,
  batches: readonly number[],
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`update payment_batch_bills set released_at = ${now()}, vendor_payment_id = null
    where client_id = ${clientId} and payment_batch_id = any(${batches}::bigint[]) and released_at is null
      and bill_id = any(${ids}::bigint[])`.execute(context.tx)
  await namePayments(context, clientId, ids)
}

async function moveBills(context: Context, batch: AskedPaymentBatch, ids: readonly number[], paymentId: number): Promise<void> {
  if (ids.length === 0) return
  await sql`update payment_batch_bills set vendor_payment_id = ${paymentId}
    where client_id = ${batch.client_id} and payment_batch_id = ${batch.id} and released_at is null and bill_id = any(${ids}::bigint[])`.execute(
    context.tx,
  )
  await namePayments(context, batch.client_id, ids)
}

/**
 * Deletes those of these payments that have no bills left and never paid one.
 * @returns how many were deleted.
 */
async function dropEmptied(context: Context, { client_id: clientId, id }: AskedPaymentBatch, payments: readonly number[]): Promise<number> {
  if (payments.length === 0) return 0
  const { rows } = await sql<{ id: number; vendor_id: number }>`delete from vendor_payments payment
    where payment.client_id = ${clientId} and payment.payment_batch_id = ${id} and payment.id = any(${payments}::bigint[])
      and not exists (select 1 from payment_batch_bills member where member.client_id = ${clientId} and member.vendor_payment_id = payment.id)
      and ${takesBills(clientId)}
    returning payment.id, payment.vendor_id`.execute(context.tx)
  await context.audit.many(
    rows.map((row): AuditEntry => ({
      event: 'destroy',
      item_type: 'vendor_payment',
      item_id: row.id,
      client_id: clientId,
      changes: { vendor_id: { from: row.vendor_id, to: null }, payment_batch_id: { from: id, to: null } },
    })),
  )
  return rows.length
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
