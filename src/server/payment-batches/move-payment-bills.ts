/** Moves bills into payments, between them and out of them. */
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { AskedPaymentBatch } from './payment-bills.ts'
import { startAmount, takesBills } from './payment-rules.ts'
import type { MeantPayment } from './refuse-payments.ts'

/** Assigns each bill to `payment`, or to the first payment of its vendor that takes bills, which is created if the batch has none. */
export async function takeBills(
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

export const firstPayment = (clientId: number, batchId: number) =>
  sql`(select min(payment.id) from vendor_payments payment where payment.client_id = ${clientId} and payment.payment_batch_id = ${batchId}
    and payment.vendor_id = bills.vendor_id and ${takesBills(clientId)})`

/**
 * Creates a payment for each vendor of these bills that has none in the batch which takes bills.
 * @returns the ids of the new payments.
 */
export async function makePayments(
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
export async function namePayments(context: Context, clientId: number, ids: readonly number[]): Promise<void> {
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
export async function releaseBills(
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

export async function moveBills(context: Context, batch: AskedPaymentBatch, ids: readonly number[], paymentId: number): Promise<void> {
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
export async function dropEmptied(
  context: Context,
  { client_id: clientId, id }: AskedPaymentBatch,
  payments: readonly number[],
): Promise<number> {
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
