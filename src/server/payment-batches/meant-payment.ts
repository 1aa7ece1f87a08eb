/** The payment that a body means, and the state in which it is saved. */
import { type paymentBatch, type PaymentBatch } from '#contract/payment-batches/batch-record.ts'
import { mixFault } from '#contract/payment-batches/payment-mix.ts'
import { paymentNumber } from '#contract/payment-batches/vendor-payment.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { Saving } from '../kernel/lists/resource.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { billsOfPaymentBatch } from './payment-bills.ts'
import { takesBills } from './payment-rules.ts'
import type { MeantPayment } from './refuse-payments.ts'
import { storeState, type Stated } from './store-state.ts'

/** Throws 409 if the unpaid bills of a batch may not be paid together: the vendor of one has changed, or became exclusive. */
export async function mustGoTogether({ tx }: Context, batch: PaymentBatch): Promise<void> {
  const fault = mixFault((await billsOfPaymentBatch(tx, batch)).filter(({ paid }) => !paid))
  if (fault !== null) throw refused(`${fault}. Take the bills out that go elsewhere.`, batch.id)
}

/** Returns the payment that a call names. Throws 422 if the batch has no such payment, and 409 if it takes no more bills. */
export async function meantPayment(
  { tx }: Context,
  { client_id: clientId, id }: { readonly client_id: number; readonly id: number },
  paymentId: number | undefined,
): Promise<MeantPayment | null> {
  if (paymentId === undefined) return null
  const { rows } = await sql<
    MeantPayment & { takes_bills: boolean; is_reversed: boolean }
  >`select id, vendor_id, ${takesBills(clientId)} as takes_bills,
      exists (select from payment_reversals where client_id = ${clientId} and vendor_payment_id = ${paymentId}) as is_reversed
    from vendor_payments payment where client_id = ${clientId} and payment_batch_id = ${id} and id = ${paymentId}`.execute(tx)
  const [payment] = rows
  if (!payment) throw invalid({ vendor_payment_id: ['This vendor batch has no such payment'] })
  if (!payment.takes_bills)
    throw refused(
      `${paymentNumber(payment.id)} ${payment.is_reversed ? 'was reversed' : 'is paid'}, so it takes no more bills.`,
      payment.id,
    )
  return payment
}

export function savingOf(paymentId: number | undefined, how: Stated): Saving<typeof paymentBatch.fields> {
  return {
    added: async ({ principal }, sent, before) => ({
      ...(before === null ? { division_id: sent.payer_type === 'Division' ? sent.payer_id : null, created_by: principal.user_id } : {}),
      ...(sent.closed === true ? { has_been_closed: true } : {}),
    }),
    // The payment is read under the lock of its batch, so that it is not paid between the reading and the save.
    children: async (context, sent, row, before) =>
      storeState(context, sent, row, before, { payment: await meantPayment(context, row, paymentId), ...how }),
  }
}
