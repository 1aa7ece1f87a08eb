import { usePathId } from '../kernel/navigation.tsx'
import { AccountTable, AllAccountTable } from './account-table.tsx'

/** The billable accounts of one client. */
export function ClientBillableAccounts() {
  return <AccountTable clientId={usePathId('client_id')} />
}

export function AllBillableAccounts() {
  return <AllAccountTable />
}
