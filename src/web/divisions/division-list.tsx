import { useMemo } from 'react'
import { division, divisionCalls, type Division } from '#contract/clients/division.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { Can } from '../kernel/permissions.tsx'
import { MenuItem } from '../ui/menu.tsx'

/** The divisions of one client. */
export function ClientDivisions() {
  const clientId = usePathId('client_id')
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const at = `/clients/${clientId}/divisions`
  return (
    <ListPage
      entity={division}
      calls={divisionCalls}
      params={params}
      columns={columns}
      rowHref={dashboardHref}
      addNew={{ href: `${at}/new`, may: 'division.create' }}
      emptyHint="Facilities belong to divisions, so that a client starts with one."
      importHref={`${at}/import`}
      actions={divisionActions}
    />
  )
}

/** The divisions of all clients; each row links to the page under its client. */
export function AllDivisions() {
  return (
    <ListPage
      entity={division}
      calls={allCalls}
      columns={columns}
      rowHref={dashboardHref}
      actions={divisionActions}
      listName="all_divisions"
    />
  )
}

const allCalls = { list: divisionCalls.listAll, exportCsv: divisionCalls.exportAll }
const columns = ['name', 'short_code', 'code', 'client'] as const

function divisionActions(row: Division) {
  return (
    <>
      <Can do="division.update">
        <MenuItem href={`/clients/${row.client_id}/divisions/${row.id}/edit`}>Edit Division</MenuItem>
      </Can>
      <MenuItem href={dashboardHref(row)}>View</MenuItem>
      <Can do="division.destroy">
        <DeleteItem
          label="Delete Division"
          call={divisionCalls.destroy}
          params={{ client_id: row.client_id, id: row.id }}
          name={row.name}
        />
      </Can>
    </>
  )
}

function dashboardHref(row: Division): string {
  return `/clients/${row.client_id}/divisions/${row.id}/dashboard`
}
