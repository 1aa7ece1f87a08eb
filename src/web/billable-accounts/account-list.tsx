import { AccountListTabs } from '../bill-calendar/bill-calendar.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { AccountTable, AllAccountTable } from './account-table.tsx'

/** The billable accounts of one client. */
export function ClientBillableAccounts() {
  const clientId = usePathId('client_id')
  return (
    <>
      <AccountListTabs clientId={clientId} kind="billable_accounts" />
      <AccountTable clientId={clientId} />
    </>
  )
}

export function AllBillableAccounts() {
  return <AllAccountTable />
}
