/** Vendor batches and their vendor payments: the bills of one payer that are paid to their vendors together. The front door of the slice. */
import { paymentBatchCalls } from '#contract/payment-batches/payment-batch.ts'
import { paymentBatch, type PaymentBatch, type PaymentBatchDraft } from '#contract/payment-batches/batch-record.ts'
import { paymentApprovalCalls } from '#contract/payment-batches/payment-approval.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { billSource } from '../bills/bills.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { defineWhere, startExport } from '../kernel/lists/export.ts'
import { searchHandler } from '../kernel/lists/lookup.ts'
import { answerWrite, askedBy, createRow, exportHandler, listAnswer, presented, readRow, updateRow } from '../kernel/lists/resource.ts'
import { storedRow } from '../kernel/lists/save.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { decideApproval, requestApproval, takeBackApprovals } from './approve-batch.ts'
import { closingOf } from './close-payments.ts'
import { noteReleased } from './note-released.ts'
import { billsOfPaymentBatch, newPaymentBills } from './payment-bills.ts'
import { startPaper } from './payment-papers.ts'
import { paymentSettingHandlers } from './payment-settings.ts'
import { readApproval } from './read-approval.ts'
import { releaseAllBills, releasePayment, syncPayments } from './store-payments.ts'
import { vendorPaymentHandlersOf } from './vendor-payments.ts'
import { paymentBatches, type Sent } from './batch-resource.ts'
import { savingOf, meantPayment, mustGoTogether } from './meant-payment.ts'

export { approvalsToDecide } from './approvals-to-decide.ts'
export { firstMethodOf, paymentRefusalColumn, startAmount } from './payment-rules.ts'
export { payBills } from './close-payments.ts'
export { queueAdvices } from './queue-advices.ts'
export { remittanceAdviceHandlers } from './remittance-advices.ts'
export { reversePayment, reversePayments } from './reverse-payment.ts'
export type { Reversing } from './note-returns.ts'
export { storeAmounts } from './store-amounts.ts'
export { releaseAllBills, storePaymentBills } from './store-payments.ts'

/** Excludes batches of the provider's desk, and unbatched ones, which are history. */
const live = sql<boolean>`payment_batches.unbatched_at is null and not payment_batches.is_global`
const isLive = defineWhere('live_vendor_batches', z.object({}), () => live)
const asked = (context: Context, params: object) => ({ ...askedBy(context, params), ...isLive({}) })

/** Returns the batch in the caller's reach, locked if it is about to change. Throws not-found. */
const readBatch = (context: Context, clientId: number, id: number, lock = false): Promise<PaymentBatch> =>
  storedRow(context, paymentBatches, id, asked(context, { client_id: clientId }), lock)

export const paymentBatchHandlers: readonly Handler[] = [
  handle(paymentBatchCalls.list, (context, { params, query }) => listAnswer(context, paymentBatches, query, asked(context, params))),
  exportHandler(paymentBatchCalls.exportCsv, paymentBatches, asked),
  handle(paymentBatchCalls.get, async (context, { params }) => {
    const row = await readRow(context, paymentBatches, params.id, asked(context, params))
    const bill_ids = (await billsOfPaymentBatch(context.tx, row)).map(({ id }) => id).toSorted((a, b) => a - b)
    return { payment_batch: { ...row, bill_ids, closing: await closingOf(context.tx, row) } }
  }),
  handle(paymentBatchCalls.create, async (context, { params, body }) => {
    const draft = await withBillsOfPayment(context, params.client_id, body)
    const row = await createRow(context, paymentBatches, draft, params.client_id, savingOf(undefined, body))
    return answerSaved(context, row, 'created', draft)
  }),
  handle(paymentBatchCalls.update, async (context, { params, body }) => {
    const saving = savingOf(body.vendor_payment_id, body)
    const row = await updateRow(context, paymentBatches, params.id, body.payment_batch, asked(context, params), saving)
    return answerSaved(context, row, 'updated', body.payment_batch)
  }),
  handle(paymentBatchCalls.destroy, async (context, { params }) => {
    const batch = await readBatch(context, params.client_id, params.id, true)
    if (batch.has_been_closed) throw refused('This vendor batch has been closed, so it is kept. It cannot be deleted.')
    const released = await releaseAllBills(context, batch)
    await sql`update payment_batches set unbatched_at = now(), lock_version = lock_version + 1, updated_at = now()
      where client_id = ${batch.client_id} and id = ${batch.id}`.execute(context.tx)
    await context.audit.destroyed('payment_batch', batch.id, batch.client_id, {
      payer_type: batch.payer_type,
      payer_id: batch.payer_id,
      batch_date: batch.batch_date,
      bill_count: released.length,
    })
    return { success: true, message: 'Vendor Batch deleted' }
  }),
  handle(paymentBatchCalls.bills, async (context, { params }) => ({
    bills: await billsOfPaymentBatch(context.tx, await readBatch(context, params.client_id, params.id)),
  })),
  handle(paymentBatchCalls.newBills, async (context, { params, query }) => {
    const batch = await readBatch(context, params.client_id, params.id)
    if (batch.closed) throw refused('A closed vendor batch takes no more bills.')
    const payment = await meantPayment(context, params, query.vendor_payment_id === undefined ? undefined : Number(query.vendor_payment_id))
    return {
      bills: await billsOfPaymentBatch(context.tx, batch, payment?.id),
      ...(await newPaymentBills(context.tx, batch, payment?.vendor_id ?? null)),
    }
  }),
  handle(paymentBatchCalls.sync, async (context, { params }) => {
    const batch = await readBatch(context, params.client_id, params.id, true)
    if (batch.closed) throw refused('This vendor batch is closed. Open it again to change its payments.')
    const done = await syncPayments(context, batch)
    await mustGoTogether(context, batch)
    if (done.moved > 0) {
      await takeBackApprovals(context, batch, 'Its bills moved to other payments')
      await context.audit.updated('payment_batch', batch.id, batch.client_id, { bills_moved: { from: null, to: done.moved } })
    }
    context.touch(batch.client_id)
    return { success: true, message: 'Vendor Payments are synced', ...done }
  }),
  handle(paymentBatchCalls.exportBills, async (context, { params }) => {
    const batch = await readBatch(context, params.client_id, params.id)
    const input = { q: { payment_batch_id_eq: batch.id, s: 'account_number asc' } }
    return startExport(context, billSource, input, askedBy(context, params), paymentBatchCalls.exportBills.name)
  }),
  handle(paymentBatchCalls.voucherCsv, async (context, { params }) =>
    startPaper(context, 'voucher_csv', await readBatch(context, params.client_id, params.id)),
  ),
  handle(paymentBatchCalls.voucherPdf, async (context, { params }) =>
    startPaper(context, 'voucher_pdf', await readBatch(context, params.client_id, params.id)),
  ),
  searchHandler(paymentBatchCalls.search, paymentBatches, ['id', 'payer_name', 'batch_date', 'batch_total'], () => isLive({})),
  handle(paymentApprovalCalls.get, async (context, { params }) => ({
    approval: await readApproval(context, await readBatch(context, params.client_id, params.id)),
  })),
  handle(paymentApprovalCalls.request, async (context, { params, body }) => {
    const batch = await readBatch(context, params.client_id, params.id, true)
    const message = await requestApproval(context, batch, body.approval_request.comment ?? null)
    return { success: true, message, id: batch.id }
  }),
  handle(paymentApprovalCalls.decide, async (context, { params, body }) => {
    const batch = await readBatch(context, params.client_id, params.id, true)
    return { success: true, message: await decideApproval(context, batch, body.approval), id: batch.id }
  }),
  ...vendorPaymentHandlersOf(readBatch),
  ...paymentSettingHandlers,
]

/** A new batch that names a payment of an open batch takes over its bills: the payment gets its own batch. */
async function withBillsOfPayment(
  context: Context,
  clientId: number,
  {
    payment_batch: draft,
    vendor_payment_id: paymentId,
  }: { readonly payment_batch: PaymentBatchDraft; readonly vendor_payment_id?: number | undefined },
): Promise<PaymentBatchDraft> {
  if (paymentId === undefined) return draft
  const ofPayment = sql`from vendor_payments payment join payment_batches on payment_batches.client_id = ${clientId}
    and payment_batches.id = payment.payment_batch_id where payment.client_id = ${clientId} and payment.id = ${paymentId}`
  // The holder of the lock may delete the payment or its batch, so both are read under the lock.
  await sql`select ${ofPayment} for no key update of payment_batches`.execute(context.tx)
  const { rows } = await sql<{ payment_batch_id: number }>`select payment_batch_id ${ofPayment} and ${live}`.execute(context.tx)
  const [payment] = rows
  if (!payment) throw invalid({ vendor_payment_id: ['This client has no such vendor payment in an open batch'] })
  const batch = await readBatch(context, clientId, payment.payment_batch_id, true)
  if (batch.closed) throw refused('This payment’s vendor batch is closed. Open it again to change its payments.')
  const ids = await releasePayment(context, batch, paymentId, draft.bill_ids)
  if (ids.length > 0) await noteReleased(context, batch, ids.length)
  await syncPayments(context, batch)
  return { ...draft, bill_ids: [...new Set([...(draft.bill_ids ?? []), ...ids])] }
}

async function answerSaved(context: Context, row: PaymentBatch, verb: 'created' | 'updated', { bill_ids, bill_amounts }: Sent) {
  const answer = answerWrite(paymentBatch, verb, await presented(context, paymentBatches, row))
  const withBills = bill_ids !== undefined || bill_amounts !== undefined
  return withBills ? { ...answer, bills: await billsOfPaymentBatch(context.tx, row) } : answer
}
