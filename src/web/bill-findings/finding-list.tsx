/** The findings on the bills of a client, or of all clients, with assignees and bulk resolving. */
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { auditName } from '#contract/bill-audits/rule-names.ts'
import { authCalls } from '#contract/access/auth.ts'
import { auditCodes } from '#contract/bill-audits/bill-audits.ts'
import { billFindings, reasonLabel, type BillFindingRow } from '#contract/bill-findings/bill-finding.ts'
import { billFindingCalls } from '#contract/bill-findings/bill-finding-calls.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { BillTabs } from '../bill-tabs/bill-tabs.tsx'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { useGo, usePath, usePathId, useSearchText, withSearch } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { UiLink } from '../ui/link.tsx'
import { Tabs } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import { FindingBulk } from './finding-bulk.tsx'
import { SeverityMark } from './finding-look.tsx'

const columns = [
  { key: 'severity', width: 132, grow: false, card: 'badge' },
  {
    key: 'code',
    width: 132,
    grow: false,
    card: 'title',
    filter: { kind: 'choice', key: 'code', options: [...new Set(auditCodes)].map((value) => ({ value, label: auditName(value) })) },
  },
  { key: 'message', width: 190, grow: true, card: 'second' },
  { key: 'bill_date', width: 98 },
  { key: 'account_number', width: 116, card: 'second' },
  { key: 'vendor_name', width: 100, card: 'second' },
  { key: 'amount_due', width: 88 },
  { key: 'age_days', label: 'Days', width: 58, grow: false },
  { key: 'assigned_to_name', label: 'Assigned To', width: 108, card: 'badge' },
  { key: 'state', width: 92, grow: false, hidden: true },
  { key: 'reason', width: 130, hidden: true },
  { key: 'resolved_by_name', width: 130, hidden: true },
  { key: 'resolved_at', width: 130, hidden: true },
  { key: 'created_at', width: 130, hidden: true },
  { key: 'account_name', width: 150, hidden: true },
] satisfies readonly ColumnWish<BillFindingRow>[]
const allColumns: readonly ColumnWish<BillFindingRow>[] = [{ key: 'client_name', label: 'Client', width: 110, card: 'second' }, ...columns]

const cells: Cells<BillFindingRow> = {
  severity: ({ severity }) => <SeverityMark severity={severity} />,
  code: ({ code }) => auditName(code),
  bill_date: (row) => <UiLink href={billOf(row)}>{formatDate(row.bill_date)}</UiLink>,
  reason: ({ reason }) => reasonLabel(reason) ?? <Missing word="not settled" />,
}

function billOf({ client_id, bill_id }: BillFindingRow): string {
  return `/clients/${client_id}/bills/${bill_id}`
}

function labelOf({ code, vendor_name, account_number, bill_date }: BillFindingRow): string {
  return `${auditName(code)} on ${vendor_name ?? 'the bill'} ${account_number} of ${formatDate(bill_date)}`
}

const empty = <EmptyState title="Nothing was found">What audits find on bills is listed here until somebody has settled it.</EmptyState>
const allCalls = { list: billFindingCalls.listAll, exportCsv: billFindingCalls.exportAll }

/** /clients/:client_id/bills/findings, beside the list of bills. */
export function ClientFindings() {
  const client_id = usePathId('client_id')
  const params = useMemo(() => ({ client_id }), [client_id])
  const mayChange = useCan('bill.update')
  if (!useOpenFirst()) return null
  return (
    <>
      <BillTabs clientId={client_id} />
      <WhichFindings />
      <ListPage
        entity={billFindings}
        calls={billFindingCalls}
        params={params}
        columns={columns}
        cells={cells}
        rowHref={billOf}
        rowLabel={labelOf}
        perDefault={20}
        bulk={mayChange ? (chosen): ReactNode => <FindingBulk clientId={client_id} chosen={chosen} /> : undefined}
        empty={empty}
      />
    </>
  )
}

/** /bills/findings: findings of all clients within the user's reach. */
export function AllFindings() {
  if (!useOpenFirst()) return null
  return (
    <>
      <WhichFindings />
      <ListPage
        entity={billFindings}
        calls={allCalls}
        columns={allColumns}
        cells={cells}
        rowHref={billOf}
        rowLabel={labelOf}
        perDefault={20}
        listName="all_bill_findings"
        empty={empty}
      />
    </>
  )
}

/** Links to the views that are used every morning. */
function WhichFindings() {
  const path = usePath()
  const search = useSearchText()
  const { data } = useQuery(apiQuery(authCalls.profile, {}))
  const id = data?.user.id
  const views = [
    { label: 'Open', search: { state: 'open' } },
    ...(id === undefined ? [] : [{ label: 'Mine', search: { state: 'open', assigned_to: String(id) } }]),
    { label: 'Unassigned', search: { state: 'open', assigned_to_null: 'true' } },
    { label: 'Resolved', search: { state: 'resolved' } },
    // An address without parameters would redirect to the open findings.
    { label: 'All', search: { page: '1' } },
  ]
  const asked = JSON.stringify(keysOf(search))
  const items = views.map((view) => ({
    label: view.label,
    href: withSearch(path, view.search),
    current: asked === JSON.stringify(keysOf(view.search)),
  }))
  return <Tabs label="Which findings" items={items} />
}

/** Redirects an address without parameters to the open findings. Returns false while the address changes. */
function useOpenFirst(): boolean {
  const go = useGo()
  const path = usePath()
  const search = useSearchText()
  const isSilent = Object.keys(search).length === 0
  const [isTurning, setTurning] = useState(isSilent)
  // Once parameters were given, an address without them means that the user removed the filters, and is not redirected.
  if (isTurning && !isSilent) setTurning(false)
  useEffect(() => {
    if (isTurning) go(withSearch(path, { state: 'open' }), { replace: true })
  }, [isTurning, go, path])
  return !isTurning
}

function keysOf(search: Readonly<Record<string, string | undefined>>) {
  return ['state', 'assigned_to', 'assigned_to_null'].map((key) => search[key] ?? null)
}
