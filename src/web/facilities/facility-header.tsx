import { useQuery } from '@tanstack/react-query'
import { facilityCalls } from '#contract/clients/facility.ts'
import { HistoryButton } from '../kernel/history/history-button.tsx'
import { usePath } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { Breadcrumbs, Tabs } from '../ui/page-header.tsx'

/** The breadcrumbs of a facility's page (division > facility), and its tabs. */
export function FacilityHeader({ clientId, facilityId }: { clientId: number; facilityId: number }) {
  const path = usePath()
  const { data } = useQuery(apiQuery(facilityCalls.get, { params: { client_id: clientId, id: facilityId } }))
  const at = `/clients/${clientId}/facilities/${facilityId}`
  const crumbs = data
    ? [
        { label: data.facility.division_name, href: `/clients/${clientId}/divisions/${data.facility.division_id}/dashboard` },
        { label: data.facility.name },
      ]
    : [{ label: '…' }]
  return (
    <>
      <Breadcrumbs items={crumbs} />
      <Tabs
        label="Facility"
        items={tabs.map(({ page, label }) => ({ label, href: `${at}/${page}`, current: path.startsWith(`${at}/${page}`) }))}
        end={<HistoryButton item="facility" id={facilityId} clientId={clientId} />}
      />
    </>
  )
}

const tabs = [
  { page: 'dashboard', label: 'Dashboard' },
  { page: 'documents', label: 'Documents' },
  { page: 'billable_accounts', label: "Facility's Billable Accounts" },
  { page: 'supply_accounts', label: "Facility's Supply Accounts" },
]

/** Tabs of all facilities of a client: their figures or their list. */
export function FacilitiesTabs({ clientId }: { clientId: number }) {
  const path = usePath()
  const list = `/clients/${clientId}/facilities`
  const items = [
    { href: `${list}/dashboard`, label: 'Facilities Dashboard', current: path === `${list}/dashboard` },
    { href: list, label: 'Facility List', current: path === list },
  ]
  return <Tabs label="Facilities" items={items} />
}
