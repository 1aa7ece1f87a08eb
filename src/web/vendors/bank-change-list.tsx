import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { vendorBankChange, vendorBankChangeCalls, type VendorBankChange } from '#contract/vendors/vendor-bank-change.ts'
import { vendorCalls } from '#contract/vendors/vendor.ts'
import type { Cells } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { apiQuery } from '../kernel/query.ts'
import { VendorTabs } from '../settings/settings.ts'
import { MenuItem } from '../ui/menu.tsx'
import { Breadcrumbs } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import { BankChangeState } from './bank-change-state.tsx'
import { changedWords } from './changed-words.ts'

const columns = [
  { key: 'vendor_name', width: 210 },
  { key: 'state', width: 112, grow: false },
  { key: 'changed', width: 240 },
  { key: 'requested_by_name', width: 160 },
  { key: 'requested_at', width: 182, grow: false },
  { key: 'decided_by_name', width: 160 },
  { key: 'decided_at', width: 182, grow: false },
] as const

const cells: Cells<VendorBankChange> = {
  state: ({ state }) => <BankChangeState state={state} />,
  changed: (row) => changedWords(row),
  requested_at: (row) => <NewYorkTime at={row.requested_at} />,
  decided_at: (row) => (row.decided_at === null ? <Missing word="not yet" /> : <NewYorkTime at={row.decided_at} />),
}
const empty = (
  <EmptyState title="No bank details were changed">
    When somebody enters or changes where a vendor is paid to, it waits here until somebody else approves it.
  </EmptyState>
)

/** /vendor_bank_changes: waiting and decided changes of all vendors. */
export function BankChangeList() {
  return (
    <>
      <VendorTabs />
      <ListPage
        entity={vendorBankChange}
        calls={vendorBankChangeCalls}
        columns={columns}
        cells={cells}
        rowHref={hrefOf}
        rowLabel={vendorOf}
        actions={actions}
        empty={empty}
      />
    </>
  )
}

/** /vendors/:id/bank_changes: changes of one vendor. */
export function BankChangesOfVendor() {
  const vendorId = usePathId('id')
  const { data } = useQuery(apiQuery(vendorCalls.get, { params: { id: vendorId } }))
  const params = useMemo(() => ({ vendor_id: vendorId }), [vendorId])
  return (
    <>
      <Breadcrumbs
        items={[
          { label: 'Vendors', href: '/vendors' },
          { label: data?.vendor.name ?? '…', href: `/vendors/${vendorId}/edit` },
          { label: 'Bank Changes' },
        ]}
      />
      <ListPage
        entity={vendorBankChange}
        calls={callsOfVendor}
        params={params}
        columns={columns}
        cells={cells}
        rowHref={hrefOf}
        rowLabel={vendorOf}
        actions={actions}
        listName="vendor_bank_changes_of_vendor"
        empty={empty}
      />
    </>
  )
}

const callsOfVendor = { list: vendorBankChangeCalls.ofVendor, exportCsv: vendorBankChangeCalls.exportOfVendor }

function actions(row: VendorBankChange) {
  return (
    <>
      <MenuItem href={hrefOf(row)}>{row.state === 'waiting' ? 'Review' : 'Show'}</MenuItem>
      <MenuItem href={`/vendors/${row.vendor_id}/edit`}>Edit Vendor</MenuItem>
    </>
  )
}

function vendorOf(row: VendorBankChange): string {
  return row.vendor_name
}

function hrefOf(row: VendorBankChange): string {
  return `/vendor_bank_changes/${row.id}`
}
