/** Columns, cells and actions of all lists of bills. */
import { useMemo } from 'react'
import { fullStatuses, statusMeanings } from '#contract/bills/bill-status.ts'
import type { BillRow } from '#contract/bills/bill.ts'
import { billListCalls } from '#contract/bills/bill-list-calls.ts'
import type { Nothing } from '#contract/kernel/call.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Figure } from '../ui/status.tsx'
import { AccountCell, BillBadges, BillStatus, FileLinks, FlagCell, flagTexts } from './bill-cells.tsx'
import styles from './bills.module.css'
import { StatusHelp } from './status-help.tsx'

const flags: ColumnWish<BillRow> = {
  key: 'flags',
  label: 'Flags',
  width: 84,
  grow: false,
  card: 'badge',
  filter: { kind: 'boolean', key: 'flagged', yes: 'Flagged', no: 'Not flagged' },
  tip: flagTexts,
}
const account: ColumnWish<BillRow> = { key: 'account_number', label: 'Account', width: 164, grow: true, tip: accountText, card: 'second' }

const columns = [
  flags,
  { key: 'vendor_name', label: 'Vendor', width: 108, card: 'title' },
  account,
  { key: 'accounting_batch_batch_code', label: 'Client Batch', width: 90, grow: false },
  { key: 'date', width: 97 },
  { key: 'due_date', width: 97, card: 'second' },
  { key: 'amount_due', width: 98, card: 'figure' },
  { key: 'full_status', width: 250, grow: false, card: 'badge', tip: statusText, filterHelp: <StatusHelp /> },
  { key: 'file_url', label: 'File', width: 56, grow: false },
  // Last, because it is the least important and may be beyond the edge of a narrow window.
  { key: 'created_at', width: 97 },
  { key: 'invoice_number', hidden: true },
  { key: 'division_name', label: 'Division', hidden: true },
  { key: 'facility_name', label: 'Facility', hidden: true },
  { key: 'balance_forward', hidden: true },
  { key: 'current_charges', hidden: true },
  { key: 'late_fee', hidden: true },
  { key: 'amount_paid', hidden: true },
  { key: 'accounting_status', hidden: true },
  { key: 'payment_status', hidden: true },
  { key: 'read_date', hidden: true },
  { key: 'qc', hidden: true },
  { key: 'parked', hidden: true },
  { key: 'paid', hidden: true },
  { key: 'rebill_adjustment', hidden: true },
] satisfies readonly ColumnWish<BillRow>[]
const client: ColumnWish<BillRow> = { key: 'client_name', label: 'Client', width: 116, card: 'second' }
const notes: ColumnWish<BillRow> = { key: 'notes', label: 'Notes', hidden: true }

function accountText(row: BillRow): string {
  return row.account_name_with_number ?? row.account_number
}

/** Returns the status with its meaning, and the badges. */
function statusText(row: BillRow): string {
  const meaning = fullStatuses.flatMap((status) => (status === row.full_status ? [statusMeanings[status]] : []))
  return [`${row.full_status}${meaning.map((words) => `: ${words}`).join('')}`, ...row.badges].join(', ')
}

/** Hides the columns that the page makes redundant. */
function without(keys: readonly string[]): readonly ColumnWish<BillRow>[] {
  return columns.map((wish) => (keys.includes(wish.key) ? { ...wish, hidden: true } : wish))
}

const wishesOf = { all: columns, client: columns, account: without(['vendor_name', 'account_number']), group: without(['vendor_name']) }

/**
 * Returns the columns. Notes are a column only for users who may read them. Columns that an account's page makes redundant are hidden, but can
 * be shown.
 */
export function useBillColumns(of: keyof typeof wishesOf): readonly ColumnWish<BillRow>[] {
  const readsNotes = useCan('bill_notes.read')
  return useMemo(() => {
    return [...(of === 'all' ? [client] : []), ...wishesOf[of], ...(readsNotes ? [notes] : [])]
  }, [of, readsNotes])
}

export const billCells: Cells<BillRow> = {
  flags: (row) => <FlagCell row={row} />,
  account_number: (row) => <AccountCell row={row} />,
  // The first column is a dash on most bills, which is too small a target, so the date links to the bill too.
  date: (row) => <UiLink href={billPageOf(row)}>{formatDate(row.date)}</UiLink>,
  full_status: (row) => (
    <span className={styles.statusCell}>
      <BillStatus status={row.full_status} />
      <BillBadges badges={row.badges} except={['Flagged', 'Duplicate?', row.full_status]} />
    </span>
  ),
  amount_due: (row) => (
    <span className={row.superseded_by_id === null ? undefined : styles.struck}>
      <Figure value={row.amount_due} places={2} currency />
    </span>
  ),
  file_url: (row) => <FileLinks row={row} />,
}

export function billActions(row: BillRow) {
  const client_id = row.client_id
  return (
    <>
      <Can do="bill.update">
        <MenuItem href={`/clients/${client_id}/bills/${row.id}/edit`}>Edit</MenuItem>
      </Can>
      <MenuItem href={billPageOf(row)}>View</MenuItem>
      <Can do="bill.destroy">
        <DeleteItem<Nothing & { client_id: number; id: number }>
          call={billListCalls.destroy}
          params={{ client_id, id: row.id }}
          name={billLabelOf(row)}
          disabledReason={heldBy(row)}
        />
      </Can>
    </>
  )
}

/** Returns why the bill cannot be changed. The server rejects it too; the menu shows the reason beforehand. */
export function heldBy(row: BillRow): string | undefined {
  if (row.paid || row.finalized) return 'The bill is paid'
  if (row.vendor_payment_id !== null) return 'The bill is in a vendor batch'
  if (row.accounting_batch_id !== null) return 'The bill is in a client batch'
  return row.superseded_by_id === null ? undefined : 'Another bill replaces it'
}

export function billPageOf(row: BillRow): string {
  return `/clients/${row.client_id}/bills/${row.id}`
}

export function billLabelOf(row: BillRow): string {
  return `${row.vendor_name ?? 'Bill'} ${row.account_number} of ${formatDate(row.date)}`
}
