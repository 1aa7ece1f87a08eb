/** The lists of bills: of a client, of all clients, of an account and of a group account. One set of columns serves them all. */
import { useMemo } from 'react'
import { bill, billListCalls, type BillRow } from '#contract/bill.ts'
import { billDetailCalls } from '#contract/bill-detail.ts'
import type { Nothing } from '#contract/kernel/call.ts'
import { SupplyAccountHeader } from '../supply-accounts/supply-account-header.tsx'
import { AccountHeader } from '../billable-accounts/account-header.tsx'
import { GroupAccountHeader, GroupSupplyAccountHeader } from '../group-accounts/group-header.tsx'
import { DeleteItem } from '../kernel/delete-item.tsx'
import type { Cells, ColumnWish } from '../kernel/list-columns.tsx'
import type { ListCall } from '../kernel/list-data.ts'
import { askListEarly } from '../kernel/list-early.ts'
import { ListPage } from '../kernel/list-page.tsx'
import { usePath, usePathId } from '../kernel/navigation.tsx'
import type { EarlyAddress } from '../kernel/page-route.ts'
import { Can, useCan } from '../kernel/permissions.tsx'
import { formatDate } from '#contract/kernel/date.ts'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Tabs } from '../ui/page-header.tsx'
import { BillBadges, BillStatus, FileLinks, FlagCell, flagTexts } from './bill-cells.tsx'
import styles from './bills.module.css'

/** The bills of the scoped client, beside the repository of their files. */
export function BillList() {
  const client_id = usePathId('client_id')
  const list = `/clients/${client_id}/bills`
  return (
    <>
      <BillTabs clientId={client_id} />
      <ListPage
        entity={bill}
        calls={billListCalls}
        params={{ client_id }}
        columns={useBillColumns('client')}
        cells={cells}
        rowHref={pageOf}
        rowLabel={labelOf}
        actions={actions}
        addNew={{ href: `${list}/new`, may: 'bill.create' }}
        importHref={`${list}/import`}
      />
    </>
  )
}

/** Asks for the rows of `BillList` before it is drawn. */
export function askForBills({ params, search }: EarlyAddress): Promise<void> {
  return askListEarly(bill, { call: billListCalls.list, params: { client_id: Number(params['client_id']) } }, search)
}

/** The bills of every client that the person reaches. */
export function AllBills() {
  return (
    <ListPage
      entity={bill}
      calls={allCalls}
      columns={useBillColumns('all')}
      cells={cells}
      rowHref={pageOf}
      rowLabel={labelOf}
      actions={actions}
      listName="all_bills"
    />
  )
}
const allCalls = { list: billListCalls.listAll }

/** One of the tabs of a billable account. */
export function BillableAccountBills() {
  const id = usePathId('billable_account_id')
  return (
    <>
      <AccountHeader clientId={usePathId('client_id')} accountId={id} />
      <AccountBills call={billListCalls.ofBillableAccount} id={id} title="Invoices" accountType="billable_account" />
    </>
  )
}

export function SupplyAccountBills() {
  const id = usePathId('supply_account_id')
  return (
    <>
      <SupplyAccountHeader clientId={usePathId('client_id')} accountId={id} />
      <AccountBills call={billListCalls.ofSupplyAccount} id={id} title="Supply Account’s Bills" accountType="supply_account" />
    </>
  )
}

export function GroupAccountBills() {
  const id = usePathId('group_account_id')
  return (
    <>
      <GroupAccountHeader clientId={usePathId('client_id')} accountId={id} />
      <AccountBills call={billListCalls.ofGroupAccount} id={id} title="Bills" accountType="billable_account" ofGroup />
    </>
  )
}

export function GroupSupplyAccountBills() {
  const id = usePathId('group_supply_account_id')
  return (
    <>
      <GroupSupplyAccountHeader clientId={usePathId('client_id')} accountId={id} />
      <AccountBills call={billListCalls.ofGroupSupplyAccount} id={id} title="Bills" accountType="supply_account" ofGroup />
    </>
  )
}

interface AccountBillsProps {
  call: ListCall<'bills', BillRow, { client_id: number; id: number }>
  id: number
  title: string
  accountType: 'billable_account' | 'supply_account'
  /** Bills of several accounts, so that each row says which. */
  ofGroup?: boolean
}

/** A new bill of the account opens the form with the account chosen already. */
function AccountBills({ call, id, title, accountType, ofGroup = false }: AccountBillsProps) {
  const client_id = usePathId('client_id')
  const calls = useMemo(() => ({ list: call }), [call])
  return (
    <ListPage
      entity={bill}
      calls={calls}
      params={{ client_id, id }}
      title={title}
      columns={useBillColumns(ofGroup ? 'group' : 'account')}
      cells={cells}
      rowHref={pageOf}
      rowLabel={labelOf}
      actions={actions}
      addNew={{ href: `/clients/${client_id}/bills/new?account_type=${accountType}&account_id=${id}`, may: 'bill.create' }}
      listName={ofGroup ? 'group_account_bills' : 'account_bills'}
    />
  )
}

/** Bill List and, for whoever may read it, the repository. */
export function BillTabs({ clientId }: { clientId: number }) {
  const path = usePath()
  const reads = useCan('bill_document.read')
  const list = `/clients/${clientId}/bills`
  const repository = `${list}/bill_document_repository`
  const tabs = [
    { href: list, label: 'Bill List', current: !path.startsWith(repository) && path !== `${list}/dashboard` },
    ...(reads ? [{ href: repository, label: 'Bill Document Repository', current: path.startsWith(repository) }] : []),
  ]
  return <Tabs label="Bills" items={tabs} />
}

const flags: ColumnWish<BillRow> = {
  key: 'flags',
  label: 'Flags',
  width: 96,
  grow: false,
  filter: { kind: 'boolean', key: 'flagged', yes: 'Flagged', no: 'Not flagged' },
  tip: flagTexts,
}
const account: ColumnWish<BillRow> = { key: 'account_number', label: 'Account', width: 150, grow: true }

const columns = [
  flags,
  { key: 'vendor_name', label: 'Vendor', width: 124 },
  account,
  { key: 'accounting_batch_batch_code', label: 'Client Batch', width: 104 },
  { key: 'date', width: 98 },
  { key: 'due_date', width: 98 },
  { key: 'created_at', width: 98 },
  { key: 'amount_due', width: 100 },
  { key: 'full_status', width: 150, grow: false, tip: statusText },
  { key: 'file_url', label: 'File', width: 56, grow: false },
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
const client: ColumnWish<BillRow> = { key: 'client_name', label: 'Client' }
const notes: ColumnWish<BillRow> = { key: 'notes', label: 'Notes', hidden: true }

/** The status and what the bill wears beside it, for where the column is too narrow. */
function statusText(row: BillRow): string {
  return [row.full_status, ...row.badges].join(', ')
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

const wishesOf = { all: columns, client: columns, account: columns.map(ofAccount), group: columns.map(ofGroup) }

/** Notes are a column only for those who may read them; what the page of an account says already is there when asked for. */
function useBillColumns(of: keyof typeof wishesOf): readonly ColumnWish<BillRow>[] {
  const readsNotes = useCan('bill_notes.read')
  return useMemo(() => {
    return [...(of === 'all' ? [client] : []), ...wishesOf[of], ...(readsNotes ? [notes] : [])]
  }, [of, readsNotes])
}

const cells: Cells<BillRow> = {
  flags: (row) => <FlagCell row={row} />,
  account_number: (row) => row.account_name_with_number ?? row.account_number,
  // The first column is a dash on most bills: too little to aim at, so the date leads to the bill as well.
  date: (row) => <UiLink href={pageOf(row)}>{formatDate(row.date)}</UiLink>,
  full_status: (row) => (
    <span className={styles.statusCell}>
      <BillStatus status={row.full_status} />
      <BillBadges badges={row.badges} except={['Flagged', 'Duplicate?', row.full_status]} />
    </span>
  ),
  file_url: (row) => <FileLinks row={row} />,
}

function actions(row: BillRow) {
  const client_id = row.client_id
  return (
    <>
      <Can do="bill.update">
        <MenuItem href={`/clients/${client_id}/bills/${row.id}/edit`}>Edit</MenuItem>
      </Can>
      <MenuItem href={pageOf(row)}>View</MenuItem>
      <Can do="bill.destroy">
        <DeleteItem<Nothing & { client_id: number; id: number }>
          call={billDetailCalls.destroy}
          params={{ client_id, id: row.id }}
          name={labelOf(row)}
          disabledReason={heldBy(row)}
        />
      </Can>
    </>
  )
}

/** The server refuses the same; the menu says why beforehand. */
function heldBy(row: BillRow): string | undefined {
  if (row.paid || row.finalized) return 'The bill is paid'
  if (row.vendor_payment_id !== null) return 'The bill is in a vendor batch'
  if (row.accounting_batch_id !== null) return 'The bill is in a client batch'
  return row.superseded_by_id === null ? undefined : 'Another bill replaces it'
}

function pageOf(row: BillRow): string {
  return `/clients/${row.client_id}/bills/${row.id}`
}

function labelOf(row: BillRow): string {
  return `${row.vendor_name ?? 'Bill'} ${row.account_number} of ${formatDate(row.date)}`
}
