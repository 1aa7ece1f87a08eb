/** The columns and cells of the alerts. */
import type { BillableAccountAlert, SupplyAccountAlert } from '#contract/alerts/alert.ts'
import type { BillRow } from '#contract/bills/bill.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { billCells } from '../bills/bills.ts'
import { UiLink } from '../ui/link.tsx'
import { Missing } from '../ui/status.tsx'

export const billableColumns = [
  { key: 'account_number', label: 'Account', width: 156, grow: false },
  { key: 'name', width: 150 },
  { key: 'facility_name', width: 150 },
  { key: 'vendor_name', width: 130 },
  { key: 'service_names', width: 130 },
  { key: 'last_bills_date', width: 120, grow: false },
  { key: 'last_bill_file_url', width: 104, grow: false },
] as const

export const billableCells = {
  last_bills_date: ({ client_id, id, last_bills_date: day }: BillableAccountAlert) =>
    lastBill(day, `/clients/${client_id}/billable_accounts/${id}/bills`),
  last_bill_file_url: (row: BillableAccountAlert) => fileLink(row),
}

export const supplyColumns = [
  { key: 'account_number', label: 'Account', width: 146, grow: false },
  { key: 'name', width: 130 },
  { key: 'address', width: 170, sortable: true },
  { key: 'facility', width: 120 },
  { key: 'vendor', width: 110 },
  { key: 'service_names', width: 110 },
  { key: 'last_bill_date', width: 112, grow: false },
  { key: 'last_bill_due_date', label: 'Last Due Date', width: 112, grow: false },
  { key: 'last_bill_file_url', width: 100, grow: false },
] as const

export const supplyCells = {
  last_bill_date: ({ client_id, id, last_bill_date: day }: SupplyAccountAlert) =>
    lastBill(day, `/clients/${client_id}/supply_accounts/${id}/bills`),
  last_bill_file_url: (row: SupplyAccountAlert) => fileLink(row),
}

/** Links to the bill's account, besides the link to the bill itself. */
export const pastDueCells = {
  ...billCells,
  account_number: (row: BillRow) => <UiLink href={accountOf(row)}>{row.account_name_with_number ?? row.account_number}</UiLink>,
}

function accountOf({ client_id, account_type, account_id }: BillRow): string {
  return `/clients/${client_id}/${account_type === 'BillableAccount' ? 'billable_accounts' : 'supply_accounts'}/${account_id}/dashboard`
}

function lastBill(day: string | null, href: string) {
  return day === null ? <Missing word="no bill" /> : <UiLink href={href}>{formatDate(day)}</UiLink>
}

function fileLink({ last_bill_file_url: url, account_number }: Pick<BillableAccountAlert, 'last_bill_file_url' | 'account_number'>) {
  if (url === null) return <Missing word="no file" />
  return (
    <UiLink href={url}>
      Download<span className="sr-only"> the last bill of {account_number}</span>
    </UiLink>
  )
}
