/**
 * A vendor batch: bills of one payer, the client or one of its divisions, that are paid to their vendors together. Each vendor gets one payment.
 * The batch is open while bills are added and removed; closing it pays the payments with a date and a payment ID.
 */
import { z } from 'zod'
import { call, crudCalls, started, type Nothing, type Result } from '../kernel/call.ts'
import {
  boolean,
  choice,
  date,
  defaulted,
  derived,
  entity,
  instant,
  integer,
  list,
  longText,
  money,
  optional,
  ref,
  refs,
  text,
  texts,
  writeOnly,
  type Draft,
  type Row,
} from '../kernel/entity.ts'
import { searchCall } from '../kernel/lookup.ts'
import { approvalStates } from './payment-approval.ts'
import { billAmount, paymentBill, sum, type PaymentBill } from './payment-bill.ts'

/** Maximum bills of one batch. */
export const paymentBillsMax = 20_000
/** Most waiting bills that are listed with a reason; all are counted. */
export const waitingPaymentsMax = 1_000

export const payerTypes = [
  { value: 'Client', label: 'Client' },
  { value: 'Division', label: 'Division' },
] as const

export const paymentBatch = entity(
  'payment_batch',
  'payment_batches',
  {
    payer_type: choice('Payer Type', payerTypes),
    payer_id: integer('Payer', { min: 1 }),
    payer_name: derived(text('Payer Name')),
    vendor_ids: derived(refs('Vendors', 'vendors', paymentBillsMax)),
    vendor_names: derived(texts('Vendors', { count: paymentBillsMax, length: 255 })),
    batch_date: date('Batch Date'),
    bills_due_date: date('Due Date'),
    batch_total: derived(money('Total')),
    /** Amount paid by this batch and then reversed. The total does not include it. */
    reversed_total: derived(money('Reversed')),
    bill_count: derived(integer('Bills')),
    payment_count: derived(integer('Vendor Payments')),
    /** Approvals that the total needs by the client's steps, those given, and the current state. */
    approvals_needed: derived(integer('Approvals Needed')),
    approvals_given: derived(integer('Approvals Given')),
    approval_state: derived(choice('Approval', approvalStates)),
    payment_method: derived(optional(text('Payment Type'))),
    paid_as: derived(optional(text('Paid As'))),
    closed: defaulted(boolean('Closed'), false),
    has_been_closed: derived(boolean('Has Been Closed')),
    is_paid: derived(boolean('Paid')),
    paid_at: derived(optional(instant('Paid At'))),
    notes: optional(longText('Notes', 2_000)),
    batch_group: derived(optional(list('Batch Group', z.object({ id: z.int(), name: z.string() })))),
    bill_ids: writeOnly(refs('Bills', 'bills', paymentBillsMax)),
    bill_amounts: writeOnly(list('Amounts Paid', z.array(billAmount).max(paymentBillsMax))),
    created_at: derived(instant('Created')),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: [
      'id',
      'payer_type',
      'payer_name',
      'batch_date',
      'bills_due_date',
      'batch_total',
      'reversed_total',
      'bill_count',
      'approval_state',
      'payment_method',
      'paid_as',
      'closed',
      'has_been_closed',
      'is_paid',
      'notes',
      'created_at',
    ],
    sort: ['created_at', 'payer_name', 'batch_date', 'bills_due_date', 'batch_total', 'closed', 'id'],
    defaultSort: 'created_at desc',
  },
  { label: 'Vendor Batch', labels: 'Vendor Batches' },
)
export type PaymentBatch = Row<typeof paymentBatch>
export type PaymentBatchDraft = Draft<typeof paymentBatch>

/** What the close of a batch pays: its payments with a date and a payment ID. A save states it as it was shown. */
const seenClosing = z.strictObject({ ready: z.int().nonnegative(), total: sum })
export type SeenClosing = z.infer<typeof seenClosing>

/** The same with the count of payments that are not paid yet. */
const batchClosing = seenClosing.extend({ payments: z.int() })
export type BatchClosing = z.infer<typeof batchClosing>

/** One batch for its pages: with the ids of its bills, in the order of entry, and what its close pays. */
export const paymentBatchDetail = z.intersection(paymentBatch.row, z.object({ bill_ids: z.array(z.int()), closing: batchClosing }))
export type PaymentBatchDetail = z.infer<typeof paymentBatchDetail>

/** A save returns the batch, and its bills if `bill_ids` or `bill_amounts` was sent. */
interface Saved extends Result {
  payment_batch?: PaymentBatch | undefined
  bills?: PaymentBill[] | undefined
}
const saved: z.ZodType<Saved> = z.object({
  success: z.boolean(),
  message: z.string(),
  id: z.int().optional(),
  payment_batch: paymentBatch.row.optional(),
  bills: z.array(paymentBill).optional(),
})

const path = '/clients/:client_id/payment_batches'
const one = `${path}/:id` as const
type OfClient = { client_id: number }
type OfBatch = OfClient & { id: number }

/**
 * With `vendor_payment_id`, `bill_ids` are the bills of that payment only. `confirmation` is the typed total, if one user works alone. `pays` is
 * what the person was shown that a close pays; if it pays something else by now, the save is refused with 409.
 */
interface Body<D> {
  payment_batch: D
  pays?: SeenClosing | undefined
  vendor_payment_id?: number | undefined
  confirmation?: string | undefined
}
function bodyOf<D>(draft: z.ZodType<D>): z.ZodType<Body<D>> {
  return z.strictObject({
    payment_batch: draft,
    vendor_payment_id: z.int().positive().optional(),
    confirmation: z.string().max(30).optional(),
    pays: seenClosing.optional(),
  })
}

/** The calls below a batch accept the client of their path as a parameter too. */
const clientInput = z.strictObject({ client_id: z.string().max(20).optional() })
const startInput = z.strictObject({ connection_id: z.string().max(100).optional() })
const idText = z.string().regex(/^[1-9]\d{0,14}$/, 'vendor_payment_id must be an id')

const synced = z.object({
  success: z.boolean(),
  message: z.string(),
  /** Counts of created payments, deleted empty payments, and bills moved to another payment. */
  made: z.int(),
  emptied: z.int(),
  moved: z.int(),
})

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
