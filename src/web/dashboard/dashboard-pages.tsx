/** The dashboard at each address that has one. */
import { AccountHeader } from '../billable-accounts/account-header.tsx'
import { GroupAccountTabs, GroupSupplyAccountTabs, SupplyAccountTabs } from '../bills/account-tabs.tsx'
import { BillTabs } from '../bills/bill-list.tsx'
import { ClientTabs } from '../clients/client-header.tsx'
import { DivisionHeader } from '../divisions/division-header.tsx'
import { FacilitiesTabs, FacilityHeader } from '../facilities/facility-header.tsx'
import { usePath, usePathId } from '../kernel/navigation.tsx'
import { Tabs } from '../ui/page-header.tsx'
import { DashboardView } from './dashboard-view.tsx'

export function ClientDashboard() {
  const clientId = usePathId('client_id')
  return <DashboardView title="Client Dashboard" subject={clientSubject(clientId)} header={<ClientTabs clientId={clientId} />} />
}

export function DivisionsDashboard() {
  const clientId = usePathId('client_id')
  return <DashboardView title="Divisions Dashboard" subject={clientSubject(clientId)} header={<DivisionsTabs clientId={clientId} />} />
}

export function FacilitiesDashboard() {
  const clientId = usePathId('client_id')
  return <DashboardView title="Facilities Dashboard" subject={clientSubject(clientId)} header={<FacilitiesTabs clientId={clientId} />} />
}

export function BillsDashboard() {
  const clientId = usePathId('client_id')
  return <DashboardView title="Bills Dashboard" subject={clientSubject(clientId)} header={<BillTabs clientId={clientId} />} />
}

/** The client's dashboard with this service chosen beforehand. */
export function UtilityServiceDashboard() {
  const clientId = usePathId('client_id')
  const serviceId = usePathId('utility_service_id')
  return (
    <DashboardView
      title="Utility Service Dashboard"
      subject={clientSubject(clientId)}
      service={String(serviceId)}
      header={<ClientTabs clientId={clientId} />}
    />
  )
}

export function DivisionDashboard() {
  const clientId = usePathId('client_id')
  const id = usePathId('division_id')
  return (
    <DashboardView
      title="Division Dashboard"
      subject={{ client_id: clientId, scope_type: 'division', scope_id: id }}
      header={<DivisionHeader clientId={clientId} divisionId={id} />}
    />
  )
}

export function FacilityDashboard() {
  const clientId = usePathId('client_id')
  const id = usePathId('facility_id')
  return (
    <DashboardView
      title="Facility Dashboard"
      subject={{ client_id: clientId, scope_type: 'facility', scope_id: id }}
      header={<FacilityHeader clientId={clientId} facilityId={id} />}
    />
  )
}

export function BillableAccountDashboard() {
  const clientId = usePathId('client_id')
  const id = usePathId('billable_account_id')
  return (
    <DashboardView
      title="Billable Account Dashboard"
      subject={{ client_id: clientId, scope_type: 'billable_account', scope_id: id }}
      header={<AccountHeader clientId={clientId} accountId={id} />}
    />
  )
}

export function SupplyAccountDashboard() {
  const clientId = usePathId('client_id')
  const id = usePathId('supply_account_id')
  const header = <SupplyAccountTabs clientId={clientId} accountId={id} />
  return (
    <DashboardView
      title="Supply Account Dashboard"
      subject={{ client_id: clientId, scope_type: 'supply_account', scope_id: id }}
      header={header}
    />
  )
}

export function GroupAccountDashboard() {
  const clientId = usePathId('client_id')
  const id = usePathId('group_account_id')
  const header = <GroupAccountTabs clientId={clientId} accountId={id} />
  return (
    <DashboardView
      title="Group Account Dashboard"
      subject={{ client_id: clientId, scope_type: 'group_account', scope_id: id }}
      header={header}
    />
  )
}

export function GroupSupplyAccountDashboard() {
  const clientId = usePathId('client_id')
  const id = usePathId('group_supply_account_id')
  const header = <GroupSupplyAccountTabs clientId={clientId} accountId={id} />
  return (
    <DashboardView
      title="Group Supply Account Dashboard"
      subject={{ client_id: clientId, scope_type: 'group_supply_account', scope_id: id }}
      header={header}
    />
  )
}

function clientSubject(clientId: number) {
  return { client_id: clientId, scope_type: 'client', scope_id: clientId } as const
}

/** Without a division: all of a client's, as figures or as a list. */
function DivisionsTabs({ clientId }: { clientId: number }) {
  const path = usePath()
  const list = `/clients/${clientId}/divisions`
  const items = [
    { href: `${list}/dashboard`, label: 'Divisions Dashboard', current: path === `${list}/dashboard` },
    { href: list, label: 'Division List', current: path === list },
  ]
  return <Tabs label="Divisions" items={items} />
}
