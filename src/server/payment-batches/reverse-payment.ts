/** Reverses a payment: its bills are unpaid again and leave the batch. The paid amounts stay on record in rows that never change. */
import { formatDate } from '#contract/kernel/date.ts'
import type { PaymentReversal, ReversalDraft } from '#contract/payment-batches/payment-reversal.ts'
import type { VendorPayment } from '#contract/payment-batches/vendor-payment.ts'
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import { now, today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'
import type { AskedPaymentBatch } from './payment-bills.ts'
import { withdrawAdvices } from './queue-advices.ts'
import { lockBillsOfBatches } from './store-payments.ts'
import { releaseBillsOf } from './move-payment-bills.ts'
import { type Reversing, noteReturns } from './note-returns.ts'

type Reversed = Pick<VendorPayment, 'id' | 'full_name' | 'payment_date'>

export interface ReversedBill {
  readonly id: number
  readonly vendor_payment_id: number
  readonly amount: string
}

/**
 * Reverses a payment in the caller's transaction, which holds the lock of its batch. Throws 409 if none of it is paid (another user may have
 * reversed it a moment ago) or if a void check is on a bank statement, and 422 if the day is before the payment or after today.
 */
export async function reversePayment(
  context: Context,
  batch: Pick<AskedPaymentBatch, 'id' | 'client_id'>,
  payment: Reversed,
  sent: ReversalDraft,
): Promise<void> {
  checkDay(payment, sent)
  if (sent.kind === 'void_check') await checkNotCleared(context.tx, batch.client_id, payment)
  const all = { payment_batch_id: batch.id, vendor_payment_id: payment.id, bill_id: null }
  const bills = await reversePayments(context, batch.client_id, [{ ...sent, ...all }])
  if (bills.length === 0) throw refused(`${payment.full_name} is not paid, so there is nothing to reverse.`, payment.id)
}

/**
 * The same for several payments of one client at once, whose batches the caller has locked. What is not paid is passed over.
 * @returns the bills that are open again.
 */
export async function reversePayments(context: Context, clientId: number, reversing: readonly Reversing[]): Promise<ReversedBill[]> {
  const batches = [...new Set(reversing.map((one) => one.payment_batch_id))]
  await lockBillsOfBatches(context, clientId, batches, [])
  const bills = await paidBillsOf(context.tx, clientId, reversing)
  await storeReversals(context, clientId, bills, reversing)
  const ids = bills.map(({ id }) => id)
  await releaseBillsOf(context, clientId, batches, ids)
  await unpay(context, clientId, ids)
  const paid = new Set(bills.map((bill) => bill.vendor_payment_id))
  await withdrawAdvices(context, clientId, [...paid])
  await noteReturns(
    context,
    clientId,
    reversing.filter((one) => one.kind === 'ach_return' && paid.has(one.vendor_payment_id)),
  )
  return bills.map(({ id, vendor_payment_id, amount }) => ({ id, vendor_payment_id, amount }))
}

function checkDay({ payment_date: paidOn }: Reversed, { reversed_date: day }: ReversalDraft): void {
  if (day > today()) throw invalid({ reversed_date: ['Reversed On must not lie after today'] })
  // A payment may be dated ahead: it is taken back today all the same.
  if (paidOn !== null && day < paidOn && day < today())
    throw invalid({ reversed_date: [`Reversed On must not lie before the payment date, ${formatDate(paidOn)}`] })
}

/** A check that the bank has paid is not void. Its bills would be open again, and paid twice. */
async function checkNotCleared(tx: Tx, clientId: number, { id, full_name }: Reversed): Promise<void> {
  const { rows } = await sql<{ cleared_on: string | null }>`select max(clearing.cleared_on) as cleared_on from bank_clearings clearing
    join global_batch_file_payments entry on entry.client_id = ${clientId} and entry.id = clearing.global_batch_file_payment_id
    where clearing.payer_id = ${clientId} and clearing.direction = 'out' and entry.vendor_payment_id = ${id}`.execute(tx)
  const day = rows[0]?.cleared_on ?? null
  if (day === null) return
  throw refused(`A bank statement shows that ${full_name} was paid on ${formatDate(day)}. Choose another kind if the money came back.`, id)
}

interface PaidBill extends ReversedBill {
  /** Which of the payments that are taken back has paid it. */
  readonly place: number
}

/** Amounts that the payments have paid, in the order of the bills' ids. */
async function paidBillsOf(tx: Tx, clientId: number, reversing: readonly Reversing[]): Promise<PaidBill[]> {
  const asked = reversing.map(({ vendor_payment_id, bill_id }, place) => ({ vendor_payment_id, bill_id, place }))
  const { rows } =
    await sql<PaidBill>`select bills.id, member.vendor_payment_id, member.amount_paid::text as amount, min(asked.place)::int as place
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked(vendor_payment_id bigint, bill_id bigint, place int)
    join payment_batch_bills member on member.client_id = ${clientId} and member.vendor_payment_id = asked.vendor_payment_id
      and member.released_at is null and (asked.bill_id is null or asked.bill_id = member.bill_id)
    join bills on bills.client_id = ${clientId} and bills.id = member.bill_id
    where bills.paid or bills.finalized group by bills.id, member.vendor_payment_id, member.amount_paid order by bills.id`.execute(tx)
  return rows
}

async function storeReversals(
  context: Context,
  clientId: number,
  bills: readonly PaidBill[],
  reversing: readonly Reversing[],
): Promise<void> {
  const wanted = bills.flatMap(({ id: bill_id, vendor_payment_id, amount, place }) => {
    const one = reversing[place]
    if (!one) return []
    const { kind, return_code = null, reversed_date, reason } = one
    return [{ bill_id, vendor_payment_id, amount, kind, return_code, reversed_date, reason }]
  })
  const { rows } = await sql<{ id: number; bill_id: number; vendor_payment_id: number; amount: string }>`
    insert into payment_reversals (client_id, vendor_payment_id, bill_id, kind, return_code, amount, reversed_date, reason, created_by, created_at)
    select ${clientId}, vendor_payment_id, bill_id, kind, return_code, amount, reversed_date, reason, ${context.principal.user_id}, ${now()}
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as bill(vendor_payment_id bigint, bill_id bigint, amount numeric(14,2), kind text,
      return_code text, reversed_date date, reason text) order by bill_id
    returning id, bill_id, vendor_payment_id, amount::text`.execute(context.tx)
  const told = new Map(wanted.map((one) => [`${one.vendor_payment_id} ${one.bill_id}`, one]))
  await context.audit.many(
    rows.map(({ id, ...row }): AuditEntry => {
      const { kind, return_code, reversed_date, reason } = told.get(`${row.vendor_payment_id} ${row.bill_id}`) ?? {}
      return {
        event: 'create',
        item_type: 'payment_reversal',
        item_id: id,
        client_id: clientId,
        changes: Object.fromEntries(
          Object.entries({ kind, return_code, reversed_date, reason, ...row }).flatMap(([key, to]) =>
            to === null || to === undefined ? [] : [[key, { from: null, to }]],
          ),
        ),
      }
    }),
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

/** Returns the reversals of a payment in the order in which they were recorded. */
export async function reversalsOf(tx: Tx, clientId: number, paymentId: number): Promise<PaymentReversal[]> {
  const { rows } =
    await sql<PaymentReversal>`select reversal.id, reversal.bill_id, bills.account_number, bills.date as bill_date, reversal.kind,
      reversal.return_code, reversal.amount, reversal.reversed_date, reversal.reason, ${nameOfUser('author')} as created_by_name, reversal.created_at
    from payment_reversals reversal join bills on bills.client_id = ${clientId} and bills.id = reversal.bill_id
    left join users author on author.id = reversal.created_by
    where reversal.client_id = ${clientId} and reversal.vendor_payment_id = ${paymentId} order by reversal.id`.execute(tx)
  return rows
}
