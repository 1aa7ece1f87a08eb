import { useQuery } from '@tanstack/react-query'
import { divisionCalls } from '#contract/clients/division.ts'
import { HistoryButton } from '../kernel/history/history-button.tsx'
import { usePath } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { Breadcrumbs, Tabs } from '../ui/page-header.tsx'

/** The breadcrumbs and tabs of a division's page. */
export function DivisionHeader({ clientId, divisionId }: { clientId: number; divisionId: number }) {
  const path = usePath()
  const { data } = useQuery(apiQuery(divisionCalls.get, { params: { client_id: clientId, id: divisionId } }))
  const at = `/clients/${clientId}/divisions/${divisionId}`
  const tabs = [
    { page: 'dashboard', label: 'Dashboard' },
    { page: 'facilities', label: 'Facilities' },
    { page: 'documents', label: 'Documents' },
  ]
  return (
    <>
      <Breadcrumbs items={[{ label: 'Divisions', href: `/clients/${clientId}/divisions` }, { label: data?.division.name ?? '…' }]} />
      <Tabs
        label="Division"
        items={tabs.map(({ page, label }) => ({ label, href: `${at}/${page}`, current: path.startsWith(`${at}/${page}`) }))}
        end={<HistoryButton item="division" id={divisionId} clientId={clientId} />}
      />
    </>
  )
}
