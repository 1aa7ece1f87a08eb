/** Closing a vendor batch pays the payments with a date and a payment ID; it can be reopened while any of it is unpaid. */
import { centsOf, formatMoney, sumMoney } from '#contract/kernel/money.ts'
import type { BatchClosing, SeenClosing } from '#contract/payment-batches/batch-record.ts'
import { mixFault } from '#contract/payment-batches/payment-mix.ts'
import { paymentNumber } from '#contract/payment-batches/vendor-payment.ts'
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { refused } from '../kernel/problem.ts'
import { billsOfPaymentBatch, type AskedPaymentBatch } from './payment-bills.ts'
import { lockPaymentBills } from './store-payments.ts'
import { refusedPaymentsText, refuseTwicePaid } from './refuse-payments.ts'

interface ClosingPayment {
  readonly id: number
  readonly vendor_name: string
  readonly is_ready: boolean
  /** Some of its bills are paid and some are not. */
  readonly is_half_paid: boolean
  readonly amount: string
}

/** The payments that the close of a batch marks as paid, as its button shows them and its user confirms them. */
export async function closingOf(tx: Tx, batch: Batch): Promise<BatchClosing> {
  const payments = await unpaidPayments(tx, batch)
  return { payments: payments.length, ...paysOf(payments.filter(({ is_ready }) => is_ready)) }
}

function paysOf(ready: readonly ClosingPayment[]): SeenClosing {
  return { ready: ready.length, total: sumMoney(ready.map(({ amount }) => amount)) }
}

/**
 * Pays the bills of the payments that have a date and a payment ID, in the caller's transaction. Throws 409 if the batch has no bills, no
 * payment is ready, a ready payment is not above 0, a bill may not be paid, or its bills no longer go together: each is named. `seen` is what
 * the person was shown; throws 409 if something else would be paid.
 */
export async function closePayments(context: Context, batch: AskedPaymentBatch, seen: SeenClosing | undefined): Promise<void> {
  await lockPaymentBills(context, batch, [])
  const bills = await billsOfPaymentBatch(context.tx, batch)
  if (bills.length === 0) throw refused('A vendor batch without bills cannot be closed.')
  const payments = await unpaidPayments(context.tx, batch)
  const ready = payments.filter((payment) => payment.is_ready)
  if (ready.length === 0)
    throw refused('No payment of this vendor batch has both a payment date and a payment ID, so its close would pay nothing.')
  mustPayAsSeen(seen, paysOf(ready))
  refuseFaultyPayments(ready)
  const ids = new Set(ready.map((payment) => payment.id))
  const faulty = bills.filter((bill) => bill.refusal !== null && bill.vendor_payment_id !== null && ids.has(bill.vendor_payment_id))
  if (faulty.length > 0) throw refused(`This vendor batch cannot be closed. ${refusedPaymentsText(faulty)}`, faulty[0]?.id)
  const unpaid = bills.filter((bill) => !bill.paid)
  const fault = mixFault(unpaid)
  if (fault !== null) throw refused(`This vendor batch cannot be closed. ${fault}.`)
  await refuseTwicePaid(context, batch, 'closed')
  await payBills(context, batch, [...ids])
  if (ready.length === payments.length) await markPaid(context, batch, unpaid[0]?.payment_method ?? null)
}

/** Throws 409 with both figures. A caller that was shown nothing states nothing. */
function mustPayAsSeen(seen: SeenClosing | undefined, found: SeenClosing): void {
  if (seen === undefined || (seen.ready === found.ready && seen.total === found.total)) return
  throw refused(`Nothing was paid: you were shown ${closingText(seen)}, and it is ${closingText(found)} now. Look at it again.`)
}

const closingText = ({ ready, total }: SeenClosing): string =>
  `${ready === 1 ? '1 payment' : `${ready.toLocaleString('en-US')} payments`}, ${formatMoney(total)}`

function refuseFaultyPayments(ready: readonly ClosingPayment[]): void {
  const none = ready.find((payment) => centsOf(payment.amount) <= 0)
  if (none)
    throw refused(`${paymentNumber(none.id)} ${none.vendor_name} is ${formatMoney(none.amount)}. A payment must be above 0.`, none.id)
  const half = ready.find((payment) => payment.is_half_paid)
  if (half)
    throw refused(
      `${paymentNumber(half.id)} ${half.vendor_name} was paid before some of its bills came. Take these out and add them again: they get a payment of their own.`,
      half.id,
    )
}

type Batch = Pick<AskedPaymentBatch, 'id' | 'client_id'>

/** Returns the payments of which a bill is unpaid, in the order of their ids. */
async function unpaidPayments(tx: Tx, { client_id: clientId, id }: Batch): Promise<ClosingPayment[]> {
  const { rows } = await sql<ClosingPayment>`select payment.id, vendor.name as vendor_name,
      payment.payment_date is not null and payment.check_number is not null as is_ready, bool_or(bills.paid or bills.finalized) as is_half_paid,
      sum(member.amount_paid)::numeric(14,2) as amount
    from vendor_payments payment join vendors vendor on vendor.id = payment.vendor_id
    join payment_batch_bills member on member.client_id = ${clientId} and member.vendor_payment_id = payment.id and member.released_at is null
    join bills on bills.client_id = ${clientId} and bills.id = member.bill_id
    where payment.client_id = ${clientId} and payment.payment_batch_id = ${id}
    group by payment.client_id, payment.id, vendor.name having not bool_and(bills.paid or bills.finalized) order by payment.id`.execute(tx)
  return rows
}

/** Marks the bills of these payments paid with the amounts of their batch, and with `finalized` also finalized. */
export async function payBills(
  context: Context,
  { client_id: clientId }: Pick<AskedPaymentBatch, 'client_id'>,
  payments: readonly number[],
  finalized = false,
): Promise<void> {
  const { rows } = await sql<{ id: number; before: string | null; after: string }>`
    update bills set paid = true, finalized = bills.finalized or ${finalized}, amount_paid = wanted.after, lock_version = bills.lock_version + 1, updated_at = ${now()}
    from (select held.id, held.amount_paid as before, member.amount_paid as after from bills held
      join payment_batch_bills member on member.client_id = ${clientId} and member.bill_id = held.id and member.released_at is null
      where held.client_id = ${clientId} and member.vendor_payment_id = any(${payments}::bigint[])) wanted
    where bills.client_id = ${clientId} and bills.id = wanted.id and not bills.paid
    returning bills.id, wanted.before::text, wanted.after::text`.execute(context.tx)
  await context.audit.many(
    rows.map((row): AuditEntry => ({
      event: 'update',
      item_type: 'bill',
      item_id: row.id,
      client_id: clientId,
      changes: {
        paid: { from: false, to: true },
        ...(finalized ? { finalized: { from: false, to: true } } : {}),
        ...(row.before === row.after ? {} : { amount_paid: { from: row.before, to: row.after } }),
      },
    })),
  )
}

/** The payment type is that of the moment of payment: a vendor may have changed its own since the bills were chosen. */
async function markPaid({ tx }: Context, { client_id: clientId, id }: Batch, method: string | null): Promise<void> {
  await sql`update payment_batches set is_paid = true, paid_at = ${now()}, payment_method = ${method}, paid_as = ${method}
    where client_id = ${clientId} and id = ${id}`.execute(tx)
}
