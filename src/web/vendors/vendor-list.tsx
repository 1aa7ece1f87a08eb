import { vendor, vendorCalls, type Vendor } from '#contract/vendor.ts'
import { DeleteItem } from '../kernel/delete-item.tsx'
import { ListPage } from '../kernel/list-page.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { VendorTabs } from '../settings/settings-tabs.tsx'
import { MenuItem } from '../ui/menu.tsx'

/** The vendors. */
export function VendorList() {
  const mayEdit = useCan('vendor.update')
  return (
    <>
      <VendorTabs />
      <ListPage
        entity={vendor}
        calls={vendorCalls}
        columns={columns}
        rowHref={mayEdit ? editHref : undefined}
        addNew={{ href: '/vendors/new', may: 'vendor.create' }}
        importHref="/vendors/import"
        actions={actions}
      />
    </>
  )
}

const columns = [
  { key: 'name', width: 240 },
  { key: 'short_code', width: 110 },
  { key: 'phone', width: 130 },
  { key: 'city', width: 130 },
  { key: 'state', width: 80, grow: false },
  'payment_methods',
  { key: 'is_exclusive', width: 104, grow: false },
] as const

function actions(row: Vendor) {
  return (
    <>
      <Can do="vendor.update">
        <MenuItem href={editHref(row)}>Edit</MenuItem>
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
