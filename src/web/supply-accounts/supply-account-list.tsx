import { AccountListTabs } from '../bill-calendar/bill-calendar.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { AllSupplyAccountTable, SupplyAccountTable } from './supply-account-table.tsx'

/** The supply accounts of one client. */
export function ClientSupplyAccounts() {
  const clientId = usePathId('client_id')
  return (
    <>
      <AccountListTabs clientId={clientId} kind="supply_accounts" />
      <SupplyAccountTable clientId={clientId} />
    </>
  )
}

export function AllSupplyAccounts() {
  return <AllSupplyAccountTable />
}
