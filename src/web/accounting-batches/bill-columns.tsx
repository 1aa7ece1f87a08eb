import type { BatchBill } from '#contract/accounting-batches/batch-contents.ts'
import { batchRefusalText } from '#contract/accounting-batches/batch-refusal.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { UiLink } from '../ui/link.tsx'
import { Missing } from '../ui/status.tsx'

/** The columns for selecting bills: vendor, dates, amounts, and why a bill cannot be selected. */
export const billColumns: readonly GridColumn<BatchBill>[] = [
  {
    key: 'date',
    label: 'Bill Date',
    kind: 'date',
    width: 98,
    sortable: true,
    cell: (bill) => <UiLink href={`/clients/${bill.client_id}/bills/${bill.id}`}>{formatDate(bill.date)}</UiLink>,
  },
  { key: 'vendor_name', label: 'Vendor', width: 130, grow: true, sortable: true, cell: (bill) => bill.vendor_name ?? <Missing /> },
  { key: 'account_number', label: 'Account', width: 120, sortable: true, cell: (bill) => bill.account_number },
  { key: 'read_date', label: 'Service Period', width: 170, sortable: true, cell: periodOf },
  { key: 'due_date', label: 'Due Date', kind: 'date', width: 98, sortable: true, cell: (bill) => formatDate(bill.due_date) },
  moneyColumn('current_charges', 'Current', 104),
  moneyColumn('balance_forward', 'Balance Forward', 118),
  moneyColumn('amount_due', 'Amount Due', 106),
  { key: 'refusal', label: 'Reason', width: 130, grow: true, sortable: true, cell: reasonOf },
  { key: 'marks', label: 'Flags', width: 110, cell: marksOf },
  { key: 'facility_name', label: 'Facility', width: 150, sortable: true, cell: (bill) => bill.facility_name ?? <Missing /> },
]

function moneyColumn(key: 'current_charges' | 'balance_forward' | 'amount_due', label: string, width: number): GridColumn<BatchBill> {
  return { key, label, kind: 'money', width, sortable: true, cell: (bill) => formatMoney(bill[key]) }
}

function periodOf({ previous_read_date, read_date }: BatchBill) {
  return previous_read_date === null || read_date === null ? <Missing /> : `${formatDate(previous_read_date)} – ${formatDate(read_date)}`
}

function marksOf({ qc, estimated, open_errors }: BatchBill): string {
  return [
    ...(qc ? ['QC'] : []),
    ...(estimated ? ['Estimated'] : []),
    ...(open_errors > 0 ? [`${open_errors} ${open_errors === 1 ? 'error' : 'errors'}`] : []),
  ].join(', ')
}

function reasonOf({ refusal, other_batch_code }: BatchBill): string {
  return refusal === null ? '' : batchRefusalText({ refusal, other_batch_code })
}
