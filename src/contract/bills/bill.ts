/** A bill in a list: its account, amounts and status. The page of one bill is in bill-detail.ts, its creation in bill-draft.ts. */
import { z } from 'zod'
import { billCounts } from './bill-counts.ts'
import { basisLabels, dashboardBases } from '../dashboard/basis.ts'
import { accountingStatuses, fullStatuses, paymentStatuses } from './bill-status.ts'
import {
  boolean,
  choice,
  date,
  derived,
  entity,
  instant,
  integer,
  list,
  money,
  month,
  optional,
  ref,
  text,
  type Row,
  numberText,
  writeOnly,
} from '../kernel/entity.ts'

/** Values on the wire and in the form's body; the form's address uses billable_account and supply_account. */
export const accountTypes = [
  { value: 'BillableAccount', label: 'Billable Account' },
  { value: 'SupplyAccount', label: 'Supply Account' },
] as const
export type AccountType = (typeof accountTypes)[number]['value']

export const billFilesMax = 2
export const tooManyFiles = `A bill has at most ${billFilesMax} files`
export const billListSizes = [10, 20, 50, 100, 1000] as const

const words = (values: readonly string[]) =>
  values.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ') }))

const countedBases = dashboardBases.map((value) => ({ value, label: basisLabels[value] }))

export const bill = entity(
  'bill',
  'bills',
  {
    flags: derived(list('Flags', z.record(z.string(), z.string()))),
    any_child_flags: derived(boolean('Line Flags')),
    flagged: derived(boolean('Flagged')),
    badges: derived(list('Badges', z.array(z.string()))),
    vendor_id: derived(optional(ref('Vendor', 'vendors'))),
    vendor_name: derived(optional(text('Vendor Name'))),
    account_type: derived(choice('Account Type', accountTypes)),
    account_id: derived(ref('Account', 'accounts')),
    billable_account_id: derived(optional(ref('Billable Account', 'billable_accounts'))),
    supply_account_id: derived(optional(ref('Supply Account', 'supply_accounts'))),
    group_account_id: derived(optional(ref('Group Account', 'group_accounts'))),
    group_supply_account_id: derived(optional(ref('Group Supply Account', 'group_supply_accounts'))),
    account_number: derived(numberText('Account Number')),
    account_name: derived(optional(text('Account Name'))),
    account_name_with_number: derived(optional(text('Account'))),
    client_id: derived(ref('Client', 'clients')),
    client_name: derived(text('Client Name')),
    division_id: derived(optional(ref('Division', 'divisions'))),
    division_name: derived(optional(text('Division Name'))),
    facility_id: derived(optional(ref('Facility', 'facilities'))),
    facility_name: derived(optional(text('Facility Name'))),
    accounting_batch_id: derived(optional(ref('Client Batch', 'accounting_batches'))),
    accounting_batch_batch_code: derived(optional(text('Client Batch Code'))),
    date: derived(date('Bill Date')),
    due_date: derived(date('Due Date')),
    assumed_due_date: derived(boolean('Due Date Assumed')),
    created_at: derived(instant('Created')),
    full_status: derived(choice('Status', words(fullStatuses))),
    accounting_status: derived(choice('Accounting Status', words(accountingStatuses))),
    payment_status: derived(choice('Payment Status', words(paymentStatuses))),
    invoice_number: derived(optional(numberText('Invoice Number'))),
    balance_forward: derived(money('Balance Forward')),
    current_charges: derived(money('Current Charges')),
    late_fee: derived(money('Late Fee')),
    amount_due: derived(money('Amount Due')),
    counts: derived(choice('Counts', billCounts)),
    amount_paid: derived(optional(money('Amount Paid'))),
    previous_read_date: derived(optional(date('Previous Read Date'))),
    read_date: derived(optional(date('Read Date'))),
    next_read_date: derived(optional(date('Next Read Date'))),
    fiscal_month: derived(optional(month('Fiscal Month'))),
    rebill_adjustment: derived(boolean('Rebill/Adjustment')),
    qc: derived(boolean('QC')),
    parked: derived(boolean('Parked')),
    paid: derived(boolean('Paid')),
    finalized: derived(boolean('Finalized')),
    unpaid: derived(boolean('Unpaid')),
    estimated: derived(boolean('Estimated')),
    open_errors: derived(integer('Open Errors')),
    open_blocking: derived(integer('Open Errors That Block Payment')),
    open_warnings: derived(integer('Open Warnings')),
    bill_id: derived(optional(ref('Previous Bill', 'bills'))),
    group_bill_id: derived(optional(ref('Group Bill', 'bills'))),
    superseded_by_id: derived(optional(ref('Replaced By', 'bills'))),
    vendor_payment_id: derived(optional(ref('Vendor Payment', 'vendor_payments'))),
    vendor_payment_full_name: derived(optional(text('Vendor Payment'))),
    payment_batch_id: derived(optional(ref('Vendor Batch', 'payment_batches'))),
    check_number: derived(optional(text('Payment ID'))),
    file_url: derived(list('File', z.array(z.string()).max(billFilesMax))),
    filename: derived(optional(text('File Name'))),
    // Not exported with the list: the right to read the list does not include the notes.
    notes: derived(optional(list('Notes', z.string()))),
    // Filters only: the bills that figures of these days count, of one utility service, on one basis.
    counted_on: writeOnly(date('Counted On')),
    counted_service_id: writeOnly(ref('Counted Utility Service', 'utility_services')),
    counted_basis: writeOnly(choice('Counted Basis', countedBases)),
    // Filters only: the bills that client batches book, and those with a line of a meter.
    booked: writeOnly(boolean('Booked by Client Batches')),
    service_id: writeOnly(ref('Meter', 'services')),
  },
  {
    filter: [
      'id',
      'flags',
      'any_child_flags',
      'flagged',
      'vendor_id',
      'vendor_name',
      'account_type',
      'billable_account_id',
      'supply_account_id',
      'group_account_id',
      'group_supply_account_id',
      'account_number',
      'client_id',
      'client_name',
      'division_id',
      'division_name',
      'facility_id',
      'facility_name',
      'accounting_batch_id',
      'accounting_batch_batch_code',
      'date',
      'due_date',
      'created_at',
      'full_status',
      'accounting_status',
      'payment_status',
      'invoice_number',
      'balance_forward',
      'current_charges',
      'late_fee',
      'amount_due',
      'counts',
      'amount_paid',
      'read_date',
      'rebill_adjustment',
      'qc',
      'parked',
      'paid',
      'finalized',
      'unpaid',
      'vendor_payment_id',
      'payment_batch_id',
      'counted_on',
      'counted_service_id',
      'counted_basis',
      'booked',
      'service_id',
    ],
    sort: ['created_at', 'date', 'due_date', 'account_number', 'amount_due', 'id', 'flags'],
    defaultSort: 'created_at desc',
    sizes: billListSizes,
  },
)

/** The key `notes` is absent without the right to read bill_notes. */
export type BillRow = Omit<Row<typeof bill>, 'notes'> & { notes?: string | null | undefined }
export const billRow: z.ZodType<BillRow> = z.preprocess((row) => (typeof row === 'object' ? { notes: null, ...row } : row), bill.row)
