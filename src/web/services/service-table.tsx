import { service, type Service } from '#contract/service.ts'
import { DeleteItem, type DestroyCall } from '../kernel/delete-item.tsx'
import type { ExportCall } from '../kernel/export-button.tsx'
import type { ListCall } from '../kernel/list-data.ts'
import { ListPage } from '../kernel/list-page.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import { serviceLabel } from './service-icon.tsx'

/** The parameters of an account's path: `{ client_id, billable_account_id }`. */
export type AccountParams = { client_id: number }

export interface ServiceTableProps<Params extends AccountParams> {
  calls: { list: ListCall<'services', Service, Params>; exportCsv: ExportCall<Params>; destroy: DestroyCall<Params & { id: number }> }
  params: Params
  /** Where the account's services are. */
  at: string
}

/** The services of one account, billable or supply, in their sort order. */
export function ServiceTable<Params extends AccountParams>({ calls, params, at }: ServiceTableProps<Params>) {
  const mayEdit = useCan('service.update')
  const editHref = (row: Service) => `${at}/${row.id}/edit`
  const page = { entity: service, calls, params, columns, cells, rowLabel: meterOf, rowHref: mayEdit ? editHref : undefined }
  return (
    <ListPage
      {...page}
      addNew={{ href: `${at}/new`, may: 'service.create' }}
      actions={(row) => (
        <>
          <Can do="service.update">
            <MenuItem href={editHref(row)}>Edit Service</MenuItem>
          </Can>
          <Can do="service.destroy">
            <DeleteItem label="Delete Service" call={calls.destroy} params={{ ...params, id: row.id }} name={row.meter_number} />
          </Can>
        </>
      )}
    />
  )
}

const columns = ['rank', 'service_name_1', 'service_name_2', 'meter_number', 'utility_service_name', 'active'] as const
const cells = {
  utility_service_name: (row: Service) => (row.utility_service_name === null ? <Missing /> : serviceLabel(row.utility_service_name)),
  active: (row: Service) => <StatusDot tone={row.active ? 'ok' : 'grey'}>{row.active ? 'Active' : 'Inactive'}</StatusDot>,
}

function meterOf(row: Service): string {
  return row.meter_number
}
