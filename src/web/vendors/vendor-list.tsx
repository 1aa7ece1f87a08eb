import { vendor, vendorCalls, type Vendor } from '#contract/vendors/vendor.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { VendorTabs } from '../settings/settings.ts'
import { MenuItem } from '../ui/menu.tsx'
import { StatusDot } from '../ui/status.tsx'
import { AdviceAddress } from './advice-note.tsx'
import { BankNotesCell } from './bank-notes.tsx'

export function VendorList() {
  const mayEdit = useCan('vendor.update')
  return (
    <>
      <VendorTabs />
      <ListPage
        entity={vendor}
        calls={vendorCalls}
        columns={mayEdit ? keepersColumns : columns}
        cells={cells}
        rowHref={mayEdit ? editHref : undefined}
        addNew={{ href: '/vendors/new', may: 'vendor.create' }}
        emptyHint="Accounts are billed by vendors. All clients share them."
        importHref="/vendors/import"
        actions={actions}
      />
    </>
  )
}

const ownColumns = [
  { key: 'name', width: 240 },
  { key: 'short_code', width: 110 },
  { key: 'phone', width: 130 },
  { key: 'city', width: 130 },
  { key: 'state', width: 80, grow: false },
  'payment_methods',
  { key: 'is_exclusive', width: 104, grow: false },
  { key: 'active', width: 100, grow: false, filter: { kind: 'boolean', key: 'active', yes: 'Active', no: 'Inactive' } },
] as const

const adviceColumns = [
  { key: 'remittance_email', width: 190 },
  { key: 'remittance_by_mail', width: 150, grow: false },
] as const
const columns = [...ownColumns, ...adviceColumns] as const

/** The column about bank details is only for users who may change vendors. */
const keepersColumns = [...ownColumns, { key: 'bank_notes', width: 190, grow: false }, ...adviceColumns] as const
const cells = {
  remittance_email: (row: Vendor) => <AdviceAddress row={row} />,
  bank_notes: (row: Vendor) => <BankNotesCell row={row} />,
  active: (row: Vendor) => <StatusDot tone={row.active ? 'ok' : 'grey'}>{row.active ? 'Active' : 'Inactive'}</StatusDot>,
}

function actions(row: Vendor) {
  return (
    <>
      <Can do="vendor.update">
        <MenuItem href={editHref(row)}>Edit</MenuItem>
        <MenuItem href={`/vendors/${row.id}/bank_changes`}>Bank Changes</MenuItem>
      </Can>
      <Can do="vendor.destroy">
        <DeleteItem call={vendorCalls.destroy} params={{ id: row.id }} name={row.name} />
      </Can>
    </>
  )
}

function editHref(row: Vendor): string {
  return `/vendors/${row.id}/edit`
}
