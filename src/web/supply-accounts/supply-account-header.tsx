import { useQuery } from '@tanstack/react-query'
import { supplyAccountCalls } from '#contract/accounts/supply-account.ts'
import { AccountPlace } from '../accounts/accounts.ts'
import { apiQuery } from '../kernel/query.ts'

/** The header of a supply account's pages. */
export function SupplyAccountHeader({ clientId, accountId }: { clientId: number; accountId: number }) {
  const { data } = useQuery(apiQuery(supplyAccountCalls.get, { params: { client_id: clientId, id: accountId } }))
  const list = `/clients/${clientId}/supply_accounts`
  return (
    <AccountPlace
      account={data?.supply_account}
      clientId={clientId}
      accountId={accountId}
      item="supply_account"
      label="Supply Account"
      at={`${list}/${accountId}`}
      list={{ label: 'Supply Accounts', href: list }}
      tabs={tabs}
    />
  )
}

const tabs = [
  { page: 'dashboard', label: 'Dashboard' },
  { page: 'documents', label: 'Documents' },
  { page: 'bills', label: "Supply Account's bills" },
  { page: 'services', label: 'Services' },
]
