import { useQuery } from '@tanstack/react-query'
import { billableAccountCalls } from '#contract/accounts/billable-account.ts'
import { AccountPlace } from '../accounts/accounts.ts'
import { apiQuery } from '../kernel/query.ts'

/** The header of a billable account's pages. */
export function AccountHeader({ clientId, accountId }: { clientId: number; accountId: number }) {
  const { data } = useQuery(apiQuery(billableAccountCalls.get, { params: { client_id: clientId, id: accountId } }))
  const list = `/clients/${clientId}/billable_accounts`
  return (
    <AccountPlace
      account={data?.billable_account}
      clientId={clientId}
      accountId={accountId}
      item="billable_account"
      label="Billable Account"
      at={`${list}/${accountId}`}
      list={{ label: 'Billable Accounts', href: list }}
      tabs={tabs}
    />
  )
}

const tabs = [
  { page: 'dashboard', label: 'Dashboard' },
  { page: 'documents', label: 'Documents' },
  { page: 'services', label: 'Services' },
  { page: 'bills', label: 'Invoices' },
]
