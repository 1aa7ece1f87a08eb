import { useMemo } from 'react'
import { facility, facilityCalls, type Facility } from '#contract/clients/facility.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { Can } from '../kernel/permissions.tsx'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Figure } from '../ui/status.tsx'

export interface FacilityTableProps {
  clientId: number
  /** Limits the list to this division. */
  divisionId?: number
  newHref: string
  importHref?: string
  editHref?: (row: Facility) => string
  title?: string
}

/** The facilities of a client, or of one of its divisions. */
export function FacilityTable({ clientId, divisionId, newHref, importHref, editHref = ownEditHref, title }: FacilityTableProps) {
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const query = useMemo(() => (divisionId === undefined ? undefined : { division_id: divisionId }), [divisionId])
  return (
    <ListPage
      entity={facility}
      calls={facilityCalls}
      params={params}
      query={query}
      title={title}
      columns={facilityColumns}
      cells={facilityCells}
      rowHref={facilityHref}
      addNew={{ href: newHref, may: 'facility.create' }}
      emptyHint="A facility belongs to a division and has the accounts."
      importHref={importHref}
      actions={(row) => <FacilityActions row={row} editHref={editHref(row)} />}
    />
  )
}

export const facilityColumns = [
  'number',
  'name',
  'division_name',
  'facility_type_name',
  { key: 'square_footage', width: 140 },
  'client',
] as const

/** Facilities are searched by name, so the name links to the facility, as its number does. */
export const facilityCells = {
  name: (row: Facility) => <UiLink href={facilityHref(row)}>{row.name}</UiLink>,
  square_footage: (row: Facility) => <Figure value={row.square_footage} bare />,
}

/** The actions on a facility in a list. */
export function FacilityActions({ row, editHref }: { row: Facility; editHref: string }) {
  return (
    <>
      <Can do="facility.update">
        <MenuItem href={editHref}>Edit</MenuItem>
      </Can>
      <MenuItem href={facilityHref(row)}>View</MenuItem>
      <Can do="facility.destroy">
        <DeleteItem call={facilityCalls.destroy} params={{ client_id: row.client_id, id: row.id }} name={row.name} />
      </Can>
    </>
  )
}

export function facilityHref(row: Facility): string {
  return `/clients/${row.client_id}/facilities/${row.id}/dashboard`
}

export function ownEditHref(row: Facility): string {
  return `/clients/${row.client_id}/facilities/${row.id}/edit`
}
