/** A bill on the provider's desk, over all clients: unbatched, or in its batch. */
import { z } from 'zod'
import { accountTypes } from '../bills/bill.ts'
import { call, exportOf } from '../kernel/call.ts'
import {
  boolean,
  choice,
  date,
  derived,
  entity,
  integer,
  list,
  longText,
  money,
  numberText,
  optional,
  ref,
  text,
  texts,
  type Row,
} from '../kernel/entity.ts'
import { listInputWith } from '../kernel/query.ts'
import { paymentRefusals, paymentRefusalText } from '../payment-batches/payment-refusal.ts'
import { differenceReasons, sum } from '../payment-batches/payment-bill.ts'

/** The page sizes of the desk's lists. */
export const globalPageSizes = [10, 20, 50, 100, 1000] as const
/** The lower bound of 'on or before'. */
export const earliestDueDate = '1990-12-31'
/** The list initially shows bills due within this many days. */
export const dueWithinDays = 30

const refusals = paymentRefusals.map((value) => ({ value, label: paymentRefusalText({ refusal: value, other_batch_id: null }) }))

export const globalBill = entity(
  'global_bill',
  'global_bills',
  {
    /** Id of the live batch that holds it. */
    batch_id: derived(optional(integer('Batch'))),
    client_id: derived(ref('Client', 'clients')),
    client_name: derived(text('Client Name')),
    vendor_id: derived(optional(ref('Vendor', 'vendors'))),
    vendor_name: derived(optional(text('Vendor Name'))),
    vendor_short_code: derived(optional(text('Vendor Short Code'))),
    is_exclusive: derived(boolean('Exclusive')),
    /** The first payment method of its vendor, by which it is paid. */
    payment_method: derived(optional(text('Pay Type'))),
    payment_date: derived(optional(date('Payment Date'))),
    due_date: derived(date('Due Date')),
    date: derived(date('Bill Date')),
    current_charges: derived(money('Current Charges')),
    balance_forward: derived(money('Balance Forward')),
    amount_due: derived(money('Amount Due')),
    /** The amount its batch pays; for an unbatched bill, the initial amount. */
    amount_paid: derived(money('Amount Paid')),
    /** The reason why the amount paid in its batch is not the amount due; null if they are equal, or no reason was given. */
    difference_reason: derived(optional(choice('Why Unpaid', differenceReasons))),
    paid: derived(boolean('Paid')),
    group_bill_id: derived(optional(integer('Group Bill'))),
    vendor_payment_methods: derived(optional(text('Payment Methods'))),
    /** Masked. */
    vendor_po_box: derived(optional(text('PO Box'))),
    /** Masked. */
    vendor_payment_identifier: derived(optional(text('Banking Identifier'))),
    account_number: derived(numberText('Account Number')),
    account_name_with_number: derived(text('Account')),
    account_type: derived(choice('Account Type', accountTypes)),
    account_id: derived(integer('Account Id')),
    /** Days from today in New York to the due date; negative after it. */
    days_due: derived(integer('Days Due')),
    bill_id: derived(integer('Bill Id')),
    division_name: derived(optional(text('Division'))),
    vendor_payment_full_name: derived(optional(text('Vendor Payment'))),
    vendor_payment_vendor_name: derived(optional(text('Vendor Payment Vendor'))),
    vendor_payment_payment_methods: derived(optional(text('Vendor Payment Methods'))),
    accounting_batch_id: derived(optional(ref('Client Batch', 'accounting_batches'))),
    accounting_batch_batch_code: derived(optional(text('Client Batch Code'))),
    qc: derived(boolean('QC')),
    /** Its notes in the batch: for OP, the confirmation number. */
    notes: derived(optional(longText('Notes', 2_000))),
    file_url: derived(texts('File', { count: 10, length: 1_000 })),
    flags: derived(list('Flags', z.record(z.string(), z.string()))),
    any_child_flags: derived(boolean('Child Flags')),
    /** The reason no batch may take it, or null. */
    refusal: derived(optional(choice('Reason', refusals))),
    /** An unpaid earlier bill of its account that this one's balance forward includes. */
    prior_unpaid_bill_id: derived(optional(integer('Unpaid Prior Bill'))),
  },
  {
    filter: [
      'id',
      'client_id',
      'client_name',
      'vendor_id',
      'vendor_name',
      'vendor_short_code',
      'is_exclusive',
      'payment_method',
      'due_date',
      'date',
      'amount_due',
      'amount_paid',
      'current_charges',
      'account_number',
      'division_name',
      'qc',
      'refusal',
    ],
    sort: [
      'due_date',
      'client_name',
      'vendor_name',
      'vendor_short_code',
      'payment_date',
      'amount_due',
      'amount_paid',
      'payment_method',
      'vendor_po_box',
      'vendor_payment_identifier',
      'account_number',
      'days_due',
      'current_charges',
      'bill_id',
      'id',
    ],
    defaultSort: 'due_date asc',
    sizes: globalPageSizes,
  },
  { label: 'Unswept Bill', labels: 'Unswept Bills' },
)
export type GlobalBill = Row<typeof globalBill>

/** The filters of the desk, plain or as `q[…]`. Ids and names are comma-separated or repeated. */
const several = z.union([z.string().max(20_000), z.array(z.string().max(255)).max(1_000)]).optional()
const one = z.string().max(40).optional()
export const globalFilters = {
  client_ids: several,
  payment_method_names: several,
  vendor_ids: several,
  due_date_lteq: one,
  due_date_gteq: one,
  amount_due_gteq: one,
  amount_due_lteq: one,
}

const bills = call({
  name: 'global_bills.list',
  method: 'GET',
  path: '/global_batches/bills',
  may: 'global_batch.read',
  summary:
    'Unswept bills over all clients in reach: neither paid nor parked nor in a batch. The reason stands beside a bill that no batch may take',
  query: listInputWith(globalFilters),
  reply: z.object({
    bills: z.array(globalBill.row),
    total: z.int().optional(),
    /** Totals over all rows that match the filters. */
    amount_due_total: sum,
    amount_paid_total: sum,
    /** Range of the amounts due of all rows that match the other filters; null if there are none. */
    min_amount_due: sum.nullable(),
    max_amount_due: sum.nullable(),
  }),
})

export const globalBillCalls = { list: bills, exportCsv: exportOf(bills, 'Unswept Bills') }
