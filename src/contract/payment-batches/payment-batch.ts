/**
 * A vendor batch: bills of one payer, the client or one of its divisions, that are paid to their vendors together. Each vendor gets one payment.
 * The batch is open while bills are added and removed; closing it pays the payments with a date and a payment ID.
 */
import { z } from 'zod'
import { call, crudCalls, started, type Nothing } from '../kernel/call.ts'
import { searchCall } from '../kernel/lookup.ts'
import { paymentBill, sum } from './payment-bill.ts'
import { paymentBatch, paymentBatchDetail, type PaymentBatchDraft } from './batch-record.ts'
import { type Body, type Saved, bodyOf, saved, clientInput, synced, startInput } from './payment-batch-bodies.ts'

/** Most waiting bills that are listed with a reason; all are counted. */
export const waitingPaymentsMax = 1_000

const path = '/clients/:client_id/payment_batches'
const one = `${path}/:id` as const
type OfClient = { client_id: number }
type OfBatch = OfClient & { id: number }

const idText = z.string().regex(/^[1-9]\d{0,14}$/, 'vendor_payment_id must be an id')

export const paymentBatchCalls = {
  ...crudCalls(paymentBatch, path, {
    read: 'payment_batch.read',
    create: 'payment_batch.create',
    update: 'payment_batch.update',
    destroy: 'payment_batch.destroy',
  }),
  get: call({
    name: 'payment_batches.get',
    method: 'GET',
    path: one,
    may: 'payment_batch.read',
    summary: 'Reads one Vendor Batch with the ids of its bills',
    reply: z.object({ payment_batch: paymentBatchDetail }),
  }),
  create: call<string, OfClient, Nothing, Body<PaymentBatchDraft>, Saved>({
    name: 'payment_batches.create',
    method: 'POST',
    path,
    may: 'payment_batch.create',
    summary: 'Creates a Vendor Batch',
    body: bodyOf(paymentBatch.draft),
    reply: saved,
  }),
  update: call<string, OfBatch, Nothing, Body<Partial<PaymentBatchDraft> & { lock_version?: number | undefined }>, Saved>({
    name: 'payment_batches.update',
    method: 'PATCH',
    path: one,
    may: 'payment_batch.update',
    summary: 'Changes a Vendor Batch: its head, its bills, the amounts that it pays, closed',
    body: bodyOf(paymentBatch.patch),
    reply: saved,
  }),
  bills: call({
    name: 'payment_batches.bills',
    method: 'GET',
    path: `${one}/bills`,
    may: 'payment_batch.update',
    summary: 'The bills of a Vendor Batch, with the reason of each that it may not keep',
    query: clientInput,
    reply: z.object({ bills: z.array(paymentBill) }),
  }),
  newBills: call({
    name: 'payment_batches.new_bills',
    method: 'GET',
    path: `${one}/new_bills`,
    may: 'payment_batch.update',
    summary: 'The bills of a Vendor Batch or of one of its payments, those that it may take, and those that wait with their reasons',
    query: z.strictObject({ client_id: z.string().max(20).optional(), vendor_payment_id: idText.optional() }),
    reply: z.object({
      bills: z.array(paymentBill),
      new_bills: z.array(paymentBill),
      new_bills_total: sum,
      waiting: z.array(paymentBill),
      waiting_count: z.int(),
      /** Bills that the batch may take, but that are due after its own due date. They are not among the new bills. */
      later_count: z.int(),
    }),
  }),
  sync: call({
    name: 'payment_batches.sync',
    method: 'POST',
    path: `${one}/create_missing_vendor_payments`,
    may: 'payment_batch.update',
    summary: 'Makes the vendor payments that a Vendor Batch lacks, moves bills to the payment of their vendor, and deletes empty payments',
    query: clientInput,
    reply: synced,
  }),
  search: searchCall(
    'payment_batches',
    `${path}/search`,
    'payment_batch.read',
    z.object({ id: z.int(), payer_name: z.string(), batch_date: z.string(), batch_total: sum }),
  ),
  exportBills: call({
    name: 'payment_batches.bills_export',
    method: 'GET',
    path: `${one}/export_bills_csv`,
    effect: 'write',
    may: 'payment_batch.read',
    summary: 'Starts a CSV export of the bills of a Vendor Batch',
    query: startInput,
    reply: started,
  }),
  voucherCsv: call({
    name: 'payment_batches.voucher_csv',
    method: 'GET',
    path: `${one}/voucher_csv`,
    effect: 'write',
    may: 'payment_batch.read',
    summary: 'Starts to write the voucher of a Vendor Batch as CSV: one row a bill',
    query: startInput,
    reply: started,
  }),
  voucherPdf: call({
    name: 'payment_batches.voucher_pdf',
    method: 'GET',
    path: `${one}/voucher_pdf`,
    effect: 'write',
    may: 'payment_batch.read',
    summary: 'Starts to write the voucher of a Vendor Batch as PDF: one page or more a vendor payment',
    query: startInput,
    reply: started,
  }),
}
