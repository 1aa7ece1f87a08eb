/** The bills chosen for a vendor batch or a payment: what is saved, and what came in meanwhile. */
import type { z } from 'zod'
import { formatMoney } from '#contract/kernel/money.ts'
import { paymentBatchCalls } from '#contract/payment-batches/payment-batch.ts'
import type { PaymentBatch } from '#contract/payment-batches/batch-record.ts'
import type { PaymentBill, billAmount } from '#contract/payment-batches/payment-bill.ts'
import type { VendorPayment } from '#contract/payment-batches/vendor-payment.ts'
import { accepted, ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { resultNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'
import { notify } from '../ui/dialogs/notices.ts'
import type { Choice } from './use-bill-choice.ts'

export type NewBills = Awaited<ReturnType<typeof newBillsOf>>

export function takesNoMore(batch: PaymentBatch, payment: VendorPayment | undefined): string | undefined {
  if (batch.closed) return 'A closed batch takes no more bills'
  return payment?.locked ? 'This payment takes no more bills' : undefined
}

/** The bills that were found as they are now. The rows say where another amount is due than the user was shown. */
export function choiceWith(choice: Choice, found: readonly PaymentBill[]): Choice {
  const now = new Map(found.map((bill) => [bill.id, bill]))
  return {
    ...choice,
    added: choice.added.map((bill) => now.get(bill.id) ?? bill),
    shownDue: { ...choice.shownDue, ...Object.fromEntries(choice.added.map((bill) => [bill.id, bill.amount_due])) },
  }
}

export const isConflict = (error: unknown): boolean => error instanceof ApiProblem && error.status === 409

interface Chosen {
  readonly ticked: readonly PaymentBill[]
  readonly added: readonly PaymentBill[]
}

/** Sends the bills, and of those that are added the amount due that is shown. */
export async function saveBills(batch: PaymentBatch, payment: VendorPayment | undefined, { ticked, added }: Chosen): Promise<void> {
  try {
    const bill_amounts = added.map(({ id: bill_id, amount_due }) => ({ bill_id, amount_due }))
    const draft = { bill_ids: ticked.map(idOf), ...(added.length > 0 ? { bill_amounts } : {}), lock_version: batch.lock_version }
    const body = payment ? { payment_batch: draft, vendor_payment_id: payment.id } : { payment_batch: draft }
    resultNotice(accepted(await callApi(paymentBatchCalls.update, { params: { client_id: batch.client_id, id: batch.id }, body })))
    refresh('payment_batches', 'vendor_payments', 'bills')
  } catch (error) {
    // Another user saved: the current batch is loaded, and the selection stays.
    if (isConflict(error)) refresh('payment_batches', 'vendor_payments')
    throw error
  }
}

/** Saves one amount or its reason at once, without affecting what others type at other bills. */
export async function saveOfBill({ client_id, id }: PaymentBatch, amount: z.infer<typeof billAmount>): Promise<void> {
  const body = { payment_batch: { bill_amounts: [amount] } }
  try {
    await callApi(paymentBatchCalls.update, { params: { client_id, id }, body })
  } finally {
    // After a refusal too: the row shows what is due now.
    refresh('payment_batches', 'vendor_payments', 'bills')
  }
}

export function lockedOf(batch: PaymentBatch): (bill: PaymentBill) => string | undefined {
  return (bill) => {
    if (bill.paid) return 'The bill is paid'
    if (batch.closed) return 'The batch is closed'
    return bill.vendor_payment_id === null ? 'Save the bill in the batch first' : undefined
  }
}

export function newBillsOf({ client_id, id }: PaymentBatch, payment: VendorPayment | undefined) {
  const query = { client_id: String(client_id), ...(payment ? { vendor_payment_id: String(payment.id) } : {}) }
  return callApi(paymentBatchCalls.newBills, { params: { client_id, id }, query })
}

export async function checkForNewBills(
  batch: PaymentBatch,
  payment: VendorPayment | undefined,
  take: (found: Pick<NewBills, 'new_bills' | 'waiting' | 'later_count'>) => void,
): Promise<void> {
  try {
    const { new_bills, new_bills_total, waiting, later_count } = await newBillsOf(batch, payment)
    take({ new_bills, waiting, later_count })
    notify({ kind: 'success', title: messages.success, message: `Found ${new_bills.length} new bill(s), ${formatMoney(new_bills_total)}` })
  } catch (error) {
    if (error instanceof ApiProblem && error.signedOut) throw error
    notify({ kind: 'error', title: messages.error, message: messages.new_bills_failed, duration: seconds.batch })
  }
}

export const idOf = (bill: PaymentBill): number => bill.id
