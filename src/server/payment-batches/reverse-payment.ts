/** Reversing a payment: its bills are unpaid again and leave the batch. What was paid stays on record as rows that nothing changes. */
import { formatDate } from '#contract/kernel/date.ts'
import type { PaymentReversal, ReversalDraft } from '#contract/payment-batches/payment-reversal.ts'
import type { VendorPayment } from '#contract/payment-batches/vendor-payment.ts'
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import { now, today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { nameOfUser } from './name-of-user.ts'
import type { AskedPaymentBatch } from './payment-bills.ts'
import { lockPaymentBills, releaseBills } from './store-payments.ts'

type Reversed = Pick<VendorPayment, 'id' | 'full_name' | 'payment_date' | 'reversed_amount'>

/**
 * Takes back a payment, in the caller's transaction, which holds the lock of its batch. Throws 409 where none of it is paid (somebody may have
 * reversed it a moment ago), and 422 where the day lies before the payment or after today.
 */
export async function reversePayment(
  context: Context,
  batch: Pick<AskedPaymentBatch, 'id' | 'client_id'>,
  payment: Reversed,
  sent: ReversalDraft,
): Promise<void> {
  checkDay(payment, sent)
  await lockPaymentBills(context, batch, [])
  const bills = await paidBillsOf(context.tx, batch.client_id, payment.id)
  if (bills.length === 0) throw refused(`${payment.full_name} is not paid, so there is nothing to reverse.`, payment.id)
  await storeReversals(context, batch.client_id, payment.id, bills, sent)
  const ids = bills.map(({ id }) => id)
  await releaseBills(context, batch, ids)
  await unpay(context, batch.client_id, ids)
  if (sent.kind === 'ach_return') await noteReturn(context, batch.client_id, payment.id, sent)
}

function checkDay({ payment_date: paidOn }: Reversed, { reversed_date: day }: ReversalDraft): void {
  if (day > today()) throw invalid({ reversed_date: ['Reversed On must not lie after today'] })
  if (paidOn !== null && day < paidOn)
    throw invalid({ reversed_date: [`Reversed On must not lie before the payment date, ${formatDate(paidOn)}`] })
}

interface PaidBill {
  readonly id: number
  readonly amount: string
  readonly finalized: boolean
}

/** What the payment has paid, in the order of the bills' ids. */
async function paidBillsOf(tx: Tx, clientId: number, paymentId: number): Promise<PaidBill[]> {
  const { rows } = await sql<PaidBill>`select bills.id, member.amount_paid::text as amount, bills.finalized from payment_batch_bills member
    join bills on bills.client_id = ${clientId} and bills.id = member.bill_id
    where member.client_id = ${clientId} and member.vendor_payment_id = ${paymentId} and member.released_at is null
      and (bills.paid or bills.finalized) order by bills.id`.execute(tx)
  return rows
}

async function storeReversals(
  context: Context,
  clientId: number,
  paymentId: number,
  bills: readonly PaidBill[],
  { kind, return_code = null, reversed_date, reason }: ReversalDraft,
): Promise<void> {
  const { rows } = await sql<{ id: number; bill_id: number; amount: string }>`
    insert into payment_reversals (client_id, vendor_payment_id, bill_id, kind, return_code, amount, reversed_date, reason, created_by, created_at)
    select ${clientId}, ${paymentId}, bill.id, ${kind}, ${return_code}, bill.amount, ${reversed_date}::date, ${reason}, ${context.principal.user_id}, ${now()}
    from jsonb_to_recordset(${JSON.stringify(bills)}::jsonb) as bill(id bigint, amount numeric(14,2)) order by bill.id
    returning id, bill_id, amount::text`.execute(context.tx)
  const told = { vendor_payment_id: paymentId, kind, return_code, reversed_date, reason }
  await context.audit.many(
    rows.map(({ id, ...row }): AuditEntry => ({
      event: 'create',
      item_type: 'payment_reversal',
      item_id: id,
      client_id: clientId,
      changes: Object.fromEntries(
        Object.entries({ ...told, ...row }).flatMap(([key, to]) => (to === null ? [] : [[key, { from: null, to }]])),
      ),
    })),
  )
}

async function unpay(context: Context, clientId: number, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number; paid: boolean; finalized: boolean }>`update bills set paid = false, finalized = false,
      lock_version = bills.lock_version + 1, updated_at = ${now()}
    from (select held.id, held.paid, held.finalized from bills held where held.client_id = ${clientId} and held.id = any(${ids}::bigint[])) was
    where bills.client_id = ${clientId} and bills.id = was.id returning bills.id, was.paid, was.finalized`.execute(context.tx)
  await context.audit.many(
    rows.map(({ id, paid, finalized }): AuditEntry => ({
      event: 'update',
      item_type: 'bill',
      item_id: id,
      client_id: clientId,
      changes: { ...(paid ? { paid: { from: true, to: false } } : {}), ...(finalized ? { finalized: { from: true, to: false } } : {}) },
    })),
  )
}

/** The payment itself says what the bank answered. */
async function noteReturn(
  context: Context,
  clientId: number,
  paymentId: number,
  { return_code: code = null, reversed_date: day }: ReversalDraft,
): Promise<void> {
  await sql`update vendor_payments set return_code = ${code}, returned_date = ${day}::date, lock_version = lock_version + 1, updated_at = ${now()}
    where client_id = ${clientId} and id = ${paymentId}`.execute(context.tx)
  await context.audit.updated('vendor_payment', paymentId, clientId, {
    ...(code === null ? {} : { return_code: { from: null, to: code } }),
    returned_date: { from: null, to: day },
  })
}

/** What was taken back of a payment, in the order in which it was written down. */
export async function reversalsOf(tx: Tx, clientId: number, paymentId: number): Promise<PaymentReversal[]> {
  const { rows } =
    await sql<PaymentReversal>`select reversal.id, reversal.bill_id, bills.account_number, bills.date as bill_date, reversal.kind,
      reversal.return_code, reversal.amount, reversal.reversed_date, reversal.reason, ${nameOfUser('author')} as created_by_name, reversal.created_at
    from payment_reversals reversal join bills on bills.client_id = ${clientId} and bills.id = reversal.bill_id
    left join users author on author.id = reversal.created_by
    where reversal.client_id = ${clientId} and reversal.vendor_payment_id = ${paymentId} order by reversal.id`.execute(tx)
  return rows
}
