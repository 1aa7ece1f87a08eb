/** A payment that has left for the bank and that no statement shows yet. */
import { z } from 'zod'
import { call, crudCalls } from '../kernel/call.ts'
import { choice, date, derived, entity, integer, money, optional, ref, text, type Row } from '../kernel/entity.ts'
import { sum } from '../payment-batches/payment-bill.ts'

export const paymentWays = [
  { value: 'check', label: 'Check' },
  { value: 'file', label: 'Bank file' },
  { value: 'single', label: 'Single payment' },
] as const

export const outstandingPayment = entity(
  'outstanding_payment',
  'outstanding_payments',
  {
    /** VP- and its number. */
    payment_name: derived(text('Vendor Payment')),
    way: derived(choice('Sent As', paymentWays)),
    amount: derived(money('Amount')),
    client_id: derived(ref('Client', 'clients')),
    payer_name: derived(text('Payer')),
    vendor_id: derived(ref('Vendor Id', 'vendors')),
    vendor_name: derived(text('Vendor')),
    /** The day of the check, or the day on which the payment settles. */
    due_day: derived(date('Date')),
    /** Days since then; negative for a payment that is dated ahead. */
    age: derived(integer('Age in Days')),
    check_number: derived(optional(text('Check Number'))),
    trace_number: derived(optional(text('Trace Number'))),
    payment_batch_id: derived(integer('Batch')),
    file_name: derived(text('File')),
  },
  {
    filter: [
      'id',
      'payment_name',
      'way',
      'amount',
      'client_id',
      'payer_name',
      'vendor_id',
      'vendor_name',
      'due_day',
      'age',
      'check_number',
      'trace_number',
      'payment_batch_id',
      'file_name',
    ],
    sort: [
      'due_day',
      'age',
      'amount',
      'payment_name',
      'payer_name',
      'vendor_name',
      'way',
      'check_number',
      'trace_number',
      'file_name',
      'id',
    ],
    defaultSort: 'due_day asc',
  },
  { label: 'Outstanding Payment', labels: 'Outstanding Payments' },
)
export type OutstandingPayment = Row<typeof outstandingPayment>

/** The upper ends of the ages in days by which the sum is told; the last age has none. */
export const ageEnds = [7, 30, 90] as const

const { list, exportCsv } = crudCalls(outstandingPayment, '/outstanding_payments', {
  read: 'global_batch.read',
  create: 'global_batch.create',
  update: 'global_batch.update',
  destroy: 'global_batch.update',
})

export const outstandingPaymentCalls = {
  list,
  exportCsv,
  total: call({
    name: 'outstanding_payments.total',
    method: 'GET',
    path: '/outstanding_payments/total',
    may: 'global_batch.read',
    summary: 'The number and the sum of all outstanding payments, as a whole and by age',
    reply: z.object({
      count: z.int(),
      total: sum,
      /** For each age its end in days, null for the last one. */
      ages: z.array(z.object({ days_max: z.int().nullable(), count: z.int(), total: sum })),
    }),
  }),
}
