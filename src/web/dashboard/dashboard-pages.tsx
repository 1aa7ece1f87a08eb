/** The dashboards at their addresses. */
import { useQuery } from '@tanstack/react-query'
import { billableAccountCalls } from '#contract/accounts/billable-account.ts'
import { supplyAccountCalls } from '#contract/accounts/supply-account.ts'
import { AccountListTabs } from '../bill-calendar/bill-calendar.ts'
import { AccountHeader } from '../billable-accounts/billable-accounts.ts'
import { SupplyAccountHeader } from '../supply-accounts/supply-accounts.ts'
import { BillTabs } from '../bill-tabs/bill-tabs.tsx'
import { ClientTabs } from '../clients/clients.ts'
import { DivisionHeader } from '../divisions/divisions.ts'
import { FacilitiesTabs, FacilityHeader } from '../facilities/facilities.ts'
import { GroupAccountHeader, GroupSupplyAccountHeader } from '../group-accounts/group-accounts.ts'
import { usePath, usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { UiLink } from '../ui/link.tsx'
import { Tabs } from '../ui/page-header.tsx'
import { DashboardView } from './dashboard-view.tsx'
import styles from './dashboard.module.css'

export function ClientDashboard() {
  const clientId = usePathId('client_id')
  return (
    <DashboardView title="Client Dashboard" by="facilities" subject={clientSubject(clientId)} header={<ClientTabs clientId={clientId} />} />
  )
}

export function DivisionsDashboard() {
  const clientId = usePathId('client_id')
  return (
    <DashboardView
      title="Divisions Dashboard"
      by="divisions"
      subject={clientSubject(clientId)}
      header={<DivisionsTabs clientId={clientId} />}
    />
  )
}

export function FacilitiesDashboard() {
  const clientId = usePathId('client_id')
  return (
    <DashboardView
      title="Facilities Dashboard"
      by="facilities"
      subject={clientSubject(clientId)}
      header={<FacilitiesTabs clientId={clientId} />}
    />
  )
}

export function BillsDashboard() {
  const clientId = usePathId('client_id')
  return <DashboardView title="Bills Dashboard" by="services" subject={clientSubject(clientId)} header={<BillTabs clientId={clientId} />} />
}

/** The client's dashboard with this service preselected. */
export function UtilityServiceDashboard() {
  const clientId = usePathId('client_id')
  const serviceId = usePathId('utility_service_id')
  return (
    <DashboardView
      title="Utility Service Dashboard"
      by="facilities"
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
      by="facilities"
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
      by="accounts"
      subject={{ client_id: clientId, scope_type: 'facility', scope_id: id }}
      header={<FacilityHeader clientId={clientId} facilityId={id} />}
    />
  )
}

/** All billable accounts of the client, or all its supply accounts. */
export function BillableAccountsDashboard() {
  return <AccountsDashboard kind="billable_accounts" title="Billable Accounts Dashboard" />
}

export function SupplyAccountsDashboard() {
  return <AccountsDashboard kind="supply_accounts" title="Supply Accounts Dashboard" />
}

function AccountsDashboard({ kind, title }: { kind: 'billable_accounts' | 'supply_accounts'; title: string }) {
  const clientId = usePathId('client_id')
  return (
    <DashboardView
      title={title}
      by="accounts"
      subject={{ client_id: clientId, scope_type: kind, scope_id: clientId }}
      header={<AccountListTabs clientId={clientId} kind={kind} />}
    />
  )
}

export function BillableAccountDashboard() {
  const clientId = usePathId('client_id')
  const id = usePathId('billable_account_id')
  const { data } = useQuery(apiQuery(billableAccountCalls.get, { params: { client_id: clientId, id } }))
  const isGroup = data?.billable_account.is_group_account === true
  return (
    <DashboardView
      title="Billable Account Dashboard"
      by="services"
      subject={{ client_id: clientId, scope_type: isGroup ? 'group_account' : 'billable_account', scope_id: id }}
      header={
        <>
          <AccountHeader clientId={clientId} accountId={id} />
          {isGroup && <GroupNote href={`/clients/${clientId}/group_accounts/${id}/dashboard`} />}
        </>
      }
    />
  )
}

export function SupplyAccountDashboard() {
  const clientId = usePathId('client_id')
  const id = usePathId('supply_account_id')
  const { data } = useQuery(apiQuery(supplyAccountCalls.get, { params: { client_id: clientId, id } }))
  const isGroup = data?.supply_account.is_group_account === true
  return (
    <DashboardView
      title="Supply Account Dashboard"
      by="services"
      subject={{ client_id: clientId, scope_type: isGroup ? 'group_supply_account' : 'supply_account', scope_id: id }}
      header={
        <>
          <SupplyAccountHeader clientId={clientId} accountId={id} />
          {isGroup && <GroupNote href={`/clients/${clientId}/group_supply_accounts/${id}/dashboard`} />}
        </>
      }
    />
  )
}

/** A group account has no meters of its own, so the dashboard of its account shows those of its subaccounts. */
function GroupNote({ href }: { href: string }) {
  return (
    <p className={styles.hint}>
      <span>This is a group account. The figures are those of its subaccounts and its own bills.</span>
      <UiLink href={href}>Go to the group account</UiLink>
    </p>
  )
}

export function GroupAccountDashboard() {
  const clientId = usePathId('client_id')
  const id = usePathId('group_account_id')
  const header = <GroupAccountHeader clientId={clientId} accountId={id} />
  return (
    <DashboardView
      title="Group Account Dashboard"
      by="accounts"
      subject={{ client_id: clientId, scope_type: 'group_account', scope_id: id }}
      header={header}
    />
  )
}

export function GroupSupplyAccountDashboard() {
  const clientId = usePathId('client_id')
  const id = usePathId('group_supply_account_id')
  const header = <GroupSupplyAccountHeader clientId={clientId} accountId={id} />
  return (
    <DashboardView
      title="Group Supply Account Dashboard"
      by="accounts"
      subject={{ client_id: clientId, scope_type: 'group_supply_account', scope_id: id }}
      header={header}
    />
  )
}

function clientSubject(clientId: number) {
  return { client_id: clientId, scope_type: 'client', scope_id: clientId } as const
}

/** Tabs of all divisions of a client: their figures or their list. */
function DivisionsTabs({ clientId }: { clientId: number }) {
  const path = usePath()
  const list = `/clients/${clientId}/divisions`
  const items = [
    { href: `${list}/dashboard`, label: 'Divisions Dashboard', current: path === `${list}/dashboard` },
    { href: list, label: 'Division List', current: path === list },
  ]
  return <Tabs label="Divisions" items={items} />
}
