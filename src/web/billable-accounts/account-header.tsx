import { useQuery } from '@tanstack/react-query'
import { MapPin } from 'lucide-react'
import { billableAccountCalls, type BillableAccount } from '#contract/billable-account.ts'
import { consoleSettingsCalls, mapHref } from '#contract/console-settings.ts'
import { HistoryButton } from '../kernel/history-button.tsx'
import { usePath } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { Breadcrumbs, Tabs } from '../ui/page-header.tsx'
import styles from './account-header.module.css'

/** Where an account's page stands (division > facility > account number), where it is on the map, and its tabs. */
export function AccountHeader({ clientId, accountId }: { clientId: number; accountId: number }) {
  const path = usePath()
  const { data } = useQuery(apiQuery(billableAccountCalls.get, { params: { client_id: clientId, id: accountId } }))
  const account = data?.billable_account
  const at = `/clients/${clientId}/billable_accounts/${accountId}`
  return (
    <>
      <div className={styles.line}>
        <Breadcrumbs items={account ? crumbsOf(clientId, account) : [{ label: '…' }]} />
        {account && <MapLink account={account} />}
      </div>
      <Tabs
        label="Billable Account"
        items={tabs.map(({ page, label }) => ({ label, href: `${at}/${page}`, current: path.startsWith(`${at}/${page}`) }))}
        end={<HistoryButton item="billable_account" id={accountId} clientId={clientId} />}
      />
    </>
  )
}

const tabs = [
  { page: 'dashboard', label: 'Dashboard' },
  { page: 'documents', label: 'Documents' },
  { page: 'services', label: 'Services' },
  { page: 'bills', label: 'Invoices' },
]

function crumbsOf(clientId: number, { division_id, division_name, facility_id, facility, account_number }: BillableAccount) {
  return [
    { label: division_name, href: `/clients/${clientId}/divisions/${division_id}/dashboard` },
    { label: facility, href: `/clients/${clientId}/facilities/${facility_id}/dashboard` },
    { label: account_number },
  ]
}

/** Opens in a tab of its own and does not say where from. */
function MapLink({ account: { street_address_1, city, state, zip } }: { account: BillableAccount }) {
  const { data } = useQuery({ ...apiQuery(consoleSettingsCalls.get, {}), staleTime: Number.POSITIVE_INFINITY })
  if (!data) return null
  return (
    <a className={styles.map} href={mapHref(data.map_url, [street_address_1, city, state, zip])} target="_blank" rel="noreferrer noopener">
      <MapPin size={14} aria-hidden="true" />
      {street_address_1}, {city}, {state} {zip}
    </a>
  )
}
