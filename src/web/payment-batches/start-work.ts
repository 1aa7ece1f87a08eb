import type { Result } from '#contract/kernel/call.ts'
import { paymentBatchCalls } from '#contract/payment-batches/payment-batch.ts'
import type { PaymentBatch } from '#contract/payment-batches/batch-record.ts'
import { vendorPaymentCalls, type VendorPayment } from '#contract/payment-batches/vendor-payment.ts'
import { callApi } from '../kernel/api.ts'
import { connectionId } from '../kernel/connection.ts'
import { seconds } from '../kernel/notices/messages.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'

type OneBatch = Pick<PaymentBatch, 'client_id' | 'id'>

/** Starts a task whose file arrives over the live channel in this window. */
async function start(call: () => Promise<Result>): Promise<void> {
  try {
    resultNotice(await call(), seconds.batch)
  } catch (error) {
    problemNotice(error, seconds.batch)
  }
}

const query = { connection_id: connectionId }

export const exportBills = ({ client_id, id }: OneBatch): Promise<void> =>
  start(() => callApi(paymentBatchCalls.exportBills, { params: { client_id, id }, query }))

export const startVoucherCsv = ({ client_id, id }: OneBatch): Promise<void> =>
  start(() => callApi(paymentBatchCalls.voucherCsv, { params: { client_id, id }, query }))

export const startVoucherPdf = ({ client_id, id }: OneBatch): Promise<void> =>
  start(() => callApi(paymentBatchCalls.voucherPdf, { params: { client_id, id }, query }))

export const startPaymentsPdf = (batch: OneBatch, { id }: Pick<VendorPayment, 'id'>): Promise<void> =>
  start(() => callApi(vendorPaymentCalls.paymentsPdf, { params: { client_id: batch.client_id, payment_batch_id: batch.id, id }, query }))
