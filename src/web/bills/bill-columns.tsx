/** What lists of bills show in their rows, and what can be done from there. One set of columns serves all of them. */
import { useMemo } from 'react'
import { fullStatuses, statusMeanings } from '#contract/bill-status.ts'
import { billListCalls, type BillRow } from '#contract/bill.ts'
import type { Nothing } from '#contract/kernel/call.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { DeleteItem } from '../kernel/delete-item.tsx'
import type { Cells, ColumnWish } from '../kernel/list-columns.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Figure } from '../ui/status.tsx'
import { BillBadges, BillStatus, FileLinks, FlagCell, flagTexts } from './bill-cells.tsx'
import styles from './bills.module.css'
import { StatusHelp } from './status-help.tsx'

const flags: ColumnWish<BillRow> = {
  key: 'flags',
  label: 'Flags',
  width: 92,
  grow: false,
  filter: { kind: 'boolean', key: 'flagged', yes: 'Flagged', no: 'Not flagged' },
  tip: flagTexts,
}
const account: ColumnWish<BillRow> = { key: 'account_number', label: 'Account', width: 140, grow: true }

const columns = [
  flags,
  { key: 'vendor_name', label: 'Vendor', width: 116 },
  account,
  { key: 'accounting_batch_batch_code', label: 'Client Batch', width: 98 },
  { key: 'date', width: 98 },
  { key: 'due_date', width: 98 },
  { key: 'created_at', width: 98 },
  { key: 'amount_due', width: 98 },
  { key: 'full_status', width: 158, grow: false, tip: statusText, filterHelp: <StatusHelp /> },
  { key: 'file_url', label: 'File', width: 50, grow: false },
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
const client: ColumnWish<BillRow> = { key: 'client_name', label: 'Client', width: 116 }
const notes: ColumnWish<BillRow> = { key: 'notes', label: 'Notes', hidden: true }

/** The status with what it means, and what the bill wears beside it. */
function statusText(row: BillRow): string {
  const meaning = fullStatuses.flatMap((status) => (status === row.full_status ? [statusMeanings[status]] : []))
  return [`${row.full_status}${meaning.map((words) => `: ${words}`).join('')}`, ...row.badges].join(', ')
}

const saidByPage = ['vendor_name', 'account_number']

/** What the page says is hidden at first, which leaves room for all that a bill wears beside its status. */
function ofAccount(wish: ColumnWish<BillRow>): ColumnWish<BillRow> {
  if (typeof wish === 'string') return wish
  if (saidByPage.includes(wish.key)) return { ...wish, hidden: true }
  return wish.key === 'full_status' ? { ...wish, width: 240 } : wish
}

/** Each row says its account; the vendor is the group's, and nearly each bill wears a badge, since the group's bill pays for it. */
function ofGroup(wish: ColumnWish<BillRow>): ColumnWish<BillRow> {
  if (typeof wish === 'string') return wish
  if (wish.key === 'vendor_name') return { ...wish, hidden: true }
  return wish.key === 'full_status' ? { ...wish, width: 240 } : wish
}

/** One column more than a client's list, with the status and the file still in sight. */
function ofAll(wish: ColumnWish<BillRow>): ColumnWish<BillRow> {
  return typeof wish === 'string' ? wish : { ...wish, width: allWidths[wish.key] ?? wish.width }
}
const allWidths: Readonly<Record<string, number>> = {
  flags: 88,
  vendor_name: 100,
  account_number: 120,
  accounting_batch_batch_code: 92,
  amount_due: 94,
  full_status: 130,
  file_url: 50,
}

const wishesOf = { all: columns.map(ofAll), client: columns, account: columns.map(ofAccount), group: columns.map(ofGroup) }

/** Notes are a column only for those who may read them; what the page of an account says already is there when asked for. */
export function useBillColumns(of: keyof typeof wishesOf): readonly ColumnWish<BillRow>[] {
  const readsNotes = useCan('bill_notes.read')
  return useMemo(() => {
    return [...(of === 'all' ? [client] : []), ...wishesOf[of], ...(readsNotes ? [notes] : [])]
  }, [of, readsNotes])
}

export const billCells: Cells<BillRow> = {
  flags: (row) => <FlagCell row={row} />,
  account_number: (row) => row.account_name_with_number ?? row.account_number,
  // The first column is a dash on most bills: too little to aim at, so the date leads to the bill as well.
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

/** The server refuses the same; the menu says why beforehand. */
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
