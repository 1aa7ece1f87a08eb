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
import { lockBillsOfBatches, releaseBillsOf } from './store-payments.ts'

type Reversed = Pick<VendorPayment, 'id' | 'full_name' | 'payment_date'>

/** One payment to take back, or of a payment whose bills were paid one by one, one of them. */
export interface Reversing extends ReversalDraft {
  readonly payment_batch_id: number
  readonly vendor_payment_id: number
  /** Null: all bills that the payment has paid. */
  readonly bill_id: number | null
}

export interface ReversedBill {
  readonly id: number
  readonly vendor_payment_id: number
  readonly amount: string
}

/**
 * Reverses a payment in the caller's transaction, which holds the lock of its batch. Throws 409 if none of it is paid (another user may have
 * reversed it a moment ago), and 422 if the day is before the payment or after today.
 */
export async function reversePayment(
  context: Context,
  batch: Pick<AskedPaymentBatch, 'id' | 'client_id'>,
  payment: Reversed,
  sent: ReversalDraft,
): Promise<void> {
  checkDay(payment, sent)
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

/** The payments themselves say what the bank answered. */
async function noteReturns(context: Context, clientId: number, returns: readonly Reversing[]): Promise<void> {
  const told = [...new Map(returns.map((one) => [one.vendor_payment_id, one])).values()].map(
    ({ vendor_payment_id: id, return_code = null, reversed_date }) => ({ id, return_code, reversed_date }),
  )
  if (told.length === 0) return
  await sql`update vendor_payments set return_code = told.return_code, returned_date = told.reversed_date, lock_version = lock_version + 1,
      updated_at = ${now()}
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as told(id bigint, return_code text, reversed_date date)
    where vendor_payments.client_id = ${clientId} and vendor_payments.id = told.id`.execute(context.tx)
  await context.audit.many(
    told.map(({ id, return_code, reversed_date }): AuditEntry => ({
      event: 'update',
      item_type: 'vendor_payment',
      item_id: id,
      client_id: clientId,
      changes: {
        ...(return_code === null ? {} : { return_code: { from: null, to: return_code } }),
        returned_date: { from: null, to: reversed_date },
      },
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
