import { vendor, vendorCalls, type Vendor } from '#contract/vendor.ts'
import { DeleteItem } from '../kernel/delete-item.tsx'
import { ListPage } from '../kernel/list-page.tsx'
import { Can } from '../kernel/permissions.tsx'
import { MenuItem } from '../ui/menu.tsx'

/** The vendors. */
export function VendorList() {
  return (
    <ListPage
      entity={vendor}
      calls={vendorCalls}
      columns={columns}
      rowHref={editHref}
      addNew={{ href: '/vendors/new', may: 'vendor.create' }}
      importHref="/vendors/import"
      actions={(row) => (
        <>
          <Can do="vendor.update">
            <MenuItem href={editHref(row)}>Edit</MenuItem>
          </Can>
          <Can do="vendor.destroy">
            <DeleteItem call={vendorCalls.destroy} params={{ id: row.id }} name={row.name ?? undefined} />
          </Can>
        </>
      )}
    />
  )
}

const columns = ['name', 'short_code', 'phone', 'city', 'state', 'payment_methods', 'is_exclusive'] as const

function editHref(row: Vendor): string {
  return `/vendors/${row.id}/edit`
}
