import { utilityService, utilityServiceCalls, type UtilityService } from '#contract/reference/utility-service.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { useScopeId } from '../kernel/scope.ts'
import { serviceLabel } from './service-icon.tsx'
import { MenuItem } from '../ui/menu.tsx'

export function UtilityServiceList() {
  const mayEdit = useCan('utility_service.update')
  const clientId = useScopeId()
  return (
    <ListPage
      entity={utilityService}
      calls={utilityServiceCalls}
      columns={columns}
      cells={cells}
      rowHref={mayEdit ? editHref : undefined}
      addNew={{ href: '/utility_services/new', may: 'utility_service.create' }}
      actions={(row) => (
        <>
          <Can do="utility_service.update">
            <MenuItem href={editHref(row)}>Edit</MenuItem>
          </Can>
          {clientId !== null && <MenuItem href={`/clients/${clientId}/utility_services/${row.id}/dashboard`}>View</MenuItem>}
          <Can do="utility_service.destroy">
            <DeleteItem call={utilityServiceCalls.destroy} params={{ id: row.id }} name={row.name} />
          </Can>
        </>
      )}
    />
  )
}

const columns = ['name', 'code', { key: 'emissions_factor', width: 190 }, { key: 'inventoriable', width: 120 }] as const
const cells = { name: (row: UtilityService) => serviceLabel(row.name) }

function editHref(row: UtilityService): string {
  return `/utility_services/${row.id}/edit`
}
