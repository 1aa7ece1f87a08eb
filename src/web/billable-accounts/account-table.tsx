import { useMemo } from 'react'
import { billableAccount, billableAccountCalls, type BillableAccount } from '#contract/billable-account.ts'
import { DeleteItem } from '../kernel/delete-item.tsx'
import { ListPage } from '../kernel/list-page.tsx'
import { Can } from '../kernel/permissions.tsx'
import { serviceTypes } from '../services/service-icon.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { StatusDot } from '../ui/status.tsx'

/** The billable accounts of a client, or of one of its facilities. */
export function AccountTable({ clientId, facilityId, title }: { clientId: number; facilityId?: number; title?: string }) {
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const query = useMemo(() => (facilityId === undefined ? undefined : { facility_id: facilityId }), [facilityId])
  const at = `/clients/${clientId}/billable_accounts`
  return (
    <ListPage
      entity={billableAccount}
      calls={billableAccountCalls}
      params={params}
      query={query}
      title={title}
      columns={columns}
      cells={cells}
      rowHref={accountHref}
      rowLabel={accountLabel}
      addNew={{ href: facilityId === undefined ? `${at}/new` : `${at}/new?facility_id=${facilityId}`, may: 'billable_account.create' }}
      importHref={`${at}/import`}
      actions={accountActions}
    />
  )
}

/** The billable accounts of all clients; a row leads into its client. */
export function AllAccountTable() {
  return (
    <ListPage
      entity={billableAccount}
      calls={allCalls}
      columns={allColumns}
      cells={cells}
      rowHref={accountHref}
      rowLabel={accountLabel}
      actions={accountActions}
      listName="all_billable_accounts"
    />
  )
}

const allCalls = { list: billableAccountCalls.listAll }
const active = {
  key: 'active',
  width: 100,
  grow: false,
  filter: { kind: 'boolean', key: 'active', yes: 'Active', no: 'Inactive' },
} as const
const columns = [
  'account_number',
  'name',
  'facility',
  'vendor_name',
  { key: 'service_types', label: 'Services', width: 190 },
  active,
  { key: 'last_bills_date', width: 116, grow: false },
] as const
const allColumns = [...columns, 'client'] as const
const cells = {
  service_types: (row: BillableAccount) => serviceTypes(row.service_types),
  active: (row: BillableAccount) => <StatusDot tone={row.active ? 'ok' : 'grey'}>{row.active ? 'Active' : 'Inactive'}</StatusDot>,
}

function accountActions(row: BillableAccount) {
  const at = `/clients/${row.client_id}/billable_accounts/${row.id}`
  return (
    <>
      <Can do="billable_account.update">
        <MenuItem href={`${at}/edit`}>Edit</MenuItem>
      </Can>
      <MenuItem href={`${at}/dashboard`}>View</MenuItem>
      <Can do="billable_account.destroy">
        <DeleteItem
          call={billableAccountCalls.destroy}
          params={{ client_id: row.client_id, id: row.id }}
          name={`${row.account_number} ${row.name}`}
        />
      </Can>
    </>
  )
}

function accountHref(row: BillableAccount): string {
  return `/clients/${row.client_id}/billable_accounts/${row.id}/dashboard`
}

function accountLabel(row: BillableAccount): string {
  return `${row.account_number} ${row.name}`
}
