/** A vendor batch, and what its closing shows. */
import { z } from 'zod'
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
import { approvalStates } from './payment-approval.ts'
import { billAmount, sum } from './payment-bill.ts'

/** Maximum bills of one batch. */
export const paymentBillsMax = 20_000

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

/** The payments that the close of a batch marks as paid: those with a date and a payment ID. A save sends them as they were shown. */
export const seenClosing = z.strictObject({ ready: z.int().nonnegative(), total: sum })
export type SeenClosing = z.infer<typeof seenClosing>

/** The same with the count of payments that are not paid yet. */
const batchClosing = seenClosing.extend({ payments: z.int() })
export type BatchClosing = z.infer<typeof batchClosing>

/** One batch for its pages: with the ids of its bills, in the order of entry, and what its close pays. */
export const paymentBatchDetail = z.intersection(paymentBatch.row, z.object({ bill_ids: z.array(z.int()), closing: batchClosing }))
export type PaymentBatchDetail = z.infer<typeof paymentBatchDetail>
