/** The tabs of the accounts whose bills and dashboards are there while the rest of their pages is to come. */
import { usePath } from '../kernel/navigation.tsx'
import { Tabs } from '../ui/page-header.tsx'

export function SupplyAccountTabs({ clientId, accountId }: AccountTabsProps) {
  return <RecordTabs label="Supply Account" at={`/clients/${clientId}/supply_accounts/${accountId}`} tabs={supplyTabs} />
}

export function GroupAccountTabs({ clientId, accountId }: AccountTabsProps) {
  return <RecordTabs label="Group Account" at={`/clients/${clientId}/group_accounts/${accountId}`} tabs={groupTabs} />
}

export function GroupSupplyAccountTabs({ clientId, accountId }: AccountTabsProps) {
  return <RecordTabs label="Group Supply Account" at={`/clients/${clientId}/group_supply_accounts/${accountId}`} tabs={groupTabs} />
}

interface AccountTabsProps {
  clientId: number
  accountId: number
}

const supplyTabs = [
  { page: 'dashboard', label: 'Dashboard' },
  { page: 'documents', label: 'Documents' },
  { page: 'bills', label: "Supply Account's bills" },
]

const groupTabs = [
  { page: 'dashboard', label: 'Dashboard' },
  { page: 'subaccounts', label: 'Subaccounts' },
  { page: 'bills', label: 'Bills' },
  { page: 'edit', label: 'Manage Group Account' },
]

function RecordTabs({ label, at, tabs }: { label: string; at: string; tabs: readonly { page: string; label: string }[] }) {
  const path = usePath()
  return (
    <Tabs
      label={label}
      items={tabs.map((tab) => ({ label: tab.label, href: `${at}/${tab.page}`, current: path.startsWith(`${at}/${tab.page}`) }))}
    />
  )
}
