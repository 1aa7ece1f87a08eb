import { useCan } from '../kernel/permissions.tsx'
import { usePath } from '../kernel/navigation.tsx'
import { Tabs } from '../ui/page-header.tsx'

export type AccountListTabsProps = { clientId: number; kind: 'billable_accounts' | 'supply_accounts' }

/** Tabs of a client's accounts of one kind: the list, the calendar of expected bills, and the bulk changes. */
export function AccountListTabs({ clientId, kind }: AccountListTabsProps) {
  const path = usePath()
  const readsBills = useCan('bill.read')
  const changesBillable = useCan('billable_account.update')
  const changesSupply = useCan('supply_account.update')
  const list = `/clients/${clientId}/${kind}`
  const dashboard = `${list}/dashboard`
  const calendar = `${list}/bill_calendar`
  const bulk = `/clients/${clientId}/bulk_changes`
  const label = kind === 'billable_accounts' ? 'Billable Accounts' : 'Supply Accounts'
  const items = [
    { href: dashboard, label: `${label} Dashboard`, current: path === dashboard },
    { href: list, label: 'Account List', current: path === list },
    ...(readsBills ? [{ href: calendar, label: 'Bill Calendar', current: path === calendar }] : []),
    ...(changesBillable || changesSupply ? [{ href: bulk, label: 'Bulk Changes', current: path === bulk }] : []),
  ]
  return <Tabs label={label} items={items} />
}
