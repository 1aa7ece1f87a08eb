import { facility, facilityCalls } from '#contract/clients/facility.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { Tabs } from '../ui/page-header.tsx'
import { FacilitiesTabs } from './facility-header.tsx'
import { FacilityActions, facilityCells, facilityColumns, facilityHref, FacilityTable, ownEditHref } from './facility-table.tsx'

/** The facilities of one client. */
export function ClientFacilities() {
  const clientId = usePathId('client_id')
  const at = `/clients/${clientId}/facilities`
  return (
    <>
      <FacilitiesTabs clientId={clientId} />
      <FacilityTable clientId={clientId} newHref={`${at}/new`} importHref={`${at}/import`} />
    </>
  )
}

/** The facilities of all clients; each row links to the page under its client. */
export function AllFacilities() {
  return (
    <>
      <Tabs label="Facilities" items={allTabs} />
      <ListPage
        entity={facility}
        calls={allCalls}
        columns={facilityColumns}
        cells={facilityCells}
        rowHref={facilityHref}
        listName="all_facilities"
        actions={(row) => <FacilityActions row={row} editHref={ownEditHref(row)} />}
      />
    </>
  )
}

const allTabs = [{ href: '/facilities', label: 'All Facilities', current: true }]
const allCalls = { list: facilityCalls.listAll, exportCsv: facilityCalls.exportAll }
