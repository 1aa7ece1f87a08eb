/** A vendor payment: the amount one vendor gets from one vendor batch, its bills, its day and its number. */
import { z } from 'zod'
import { call, crudCalls, draftBody, started, writeReply } from '../kernel/call.ts'
import {
  boolean,
  date,
  derived,
  entity,
  instant,
  integer,
  money,
  numberText,
  optional,
  ref,
  text,
  type Draft,
  type Row,
} from '../kernel/entity.ts'
import { paymentBill } from './payment-bill.ts'
import { paymentReversal, reversalDraft } from './payment-reversal.ts'

/** Returns the number of a payment, shown before its vendor's name. */
export const paymentNumber = (id: number): string => `VP-${id}`

export const vendorPayment = entity(
  'vendor_payment',
  'vendor_payments',
  {
    full_name: derived(text('Vendor Payment')),
    vendor_id: optional(ref('Vendor', 'vendors')),
    vendor_name: derived(text('Vendor')),
    utility_company_name: derived(text('Utility Company')),
    payment_date: optional(date('Payment Date')),
    check_number: optional(numberText('Payment ID', 50)),
    amount: derived(money('Amount')),
    bill_count: derived(integer('Bills')),
    payment_methods: derived(optional(text('Payment Methods'))),
    locked: derived(boolean('Locked')),
    paid: derived(boolean('Paid')),
    /** Amount paid and then reversed. The amount above does not include it. */
    reversed_amount: derived(money('Reversed')),
    payment_batch_id: derived(ref('Vendor Batch', 'payment_batches')),
    created_at: derived(instant('Created')),
    client_id: optional(ref('Client', 'clients')),
  },
  {
    filter: [
      'id',
      'full_name',
      'vendor_id',
      'vendor_name',
      'payment_date',
      'check_number',
      'amount',
      'bill_count',
      'payment_methods',
      'locked',
      'paid',
      'reversed_amount',
    ],
    sort: ['amount', 'vendor_name', 'payment_date', 'check_number', 'locked', 'id'],
    defaultSort: 'amount asc',
  },
  { label: 'Vendor Payment', labels: 'Vendor Payments' },
)
export type VendorPayment = Row<typeof vendorPayment>
export type VendorPaymentDraft = Draft<typeof vendorPayment>

const path = '/clients/:client_id/payment_batches/:payment_batch_id/vendor_payments'
const one = `${path}/:id` as const

export const vendorPaymentCalls = {
  ...crudCalls(vendorPayment, path, {
    read: 'payment_batch.read',
    create: 'payment_batch.create',
    update: 'payment_batch.update',
    destroy: 'payment_batch.destroy',
  }),
  bills: call({
    name: 'vendor_payments.bills',
    method: 'GET',
    path: `${one}/bills`,
    may: 'payment_batch.update',
    summary: 'The bills that a Vendor Payment pays',
    reply: z.object({ bills: z.array(paymentBill) }),
  }),
  reversals: call({
    name: 'vendor_payments.reversals',
    method: 'GET',
    path: `${one}/reversals`,
    may: 'payment_batch.read',
    summary: 'What of a Vendor Payment was taken back, one row for each bill',
    reply: z.object({ payment_reversals: z.array(paymentReversal) }),
  }),
  reverse: call({
    name: 'vendor_payments.reverse',
    method: 'POST',
    path: `${one}/reverse`,
    may: 'payment_reversal.create',
    summary: 'Reverses a paid Vendor Payment: its bills are unpaid again and leave the batch',
    body: draftBody('payment_reversal', reversalDraft),
    reply: writeReply('vendor_payment', vendorPayment.row),
  }),
  paymentsPdf: call({
    name: 'vendor_payments.generate_payments_pdf',
    method: 'GET',
    path: `${one}/generate_payments_pdf`,
    effect: 'write',
    may: 'payment_batch.read',
    summary: 'Starts to write the remittance advice of a Vendor Payment as PDF',
    query: z.strictObject({ connection_id: z.string().max(100).optional() }),
    reply: started,
  }),
}
