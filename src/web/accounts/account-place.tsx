import { useQuery } from '@tanstack/react-query'
import { MapPin } from 'lucide-react'
import { consoleSettingsCalls, mapHref } from '#contract/console/console-settings.ts'
import { HistoryButton } from '../kernel/history/history-button.tsx'
import { usePath } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { Breadcrumbs, Tabs } from '../ui/page-header.tsx'
import styles from './account-place.module.css'

/** The fields of an account of either kind that the header shows; a supply account may have no facility. */
export interface PlacedAccount {
  readonly client_id: number
  readonly account_number: string
  readonly facility_id: number | null
  readonly facility: string | null
  readonly division_id: number | null
  readonly division_name: string | null
  readonly street_address_1: string
  readonly city: string
  readonly state: string
  readonly zip: string
}

export interface AccountPlaceProps {
  account: PlacedAccount | undefined
  clientId: number
  accountId: number
  item: 'billable_account' | 'supply_account'
  label: string
  /** Paths of the account's pages and of its list. */
  at: string
  list: { readonly label: string; readonly href: string }
  tabs: readonly { readonly page: string; readonly label: string }[]
}

/** The breadcrumbs of an account's page (division > facility > account number), its link to the map, and its tabs. */
export function AccountPlace({ account, clientId, accountId, item, label, at, list, tabs }: AccountPlaceProps) {
  const path = usePath()
  return (
    <>
      <div className={styles.line}>
        <Breadcrumbs items={account ? crumbsOf(account, list) : [{ label: '…' }]} />
        {account && <MapLink account={account} />}
      </div>
      <Tabs
        label={label}
        items={tabs.map(({ page, label: word }) => ({ label: word, href: `${at}/${page}`, current: path.startsWith(`${at}/${page}`) }))}
        end={<HistoryButton item={item} id={accountId} clientId={clientId} />}
      />
    </>
  )
}

/** An account without a facility is listed under its account list. */
function crumbsOf(account: PlacedAccount, list: AccountPlaceProps['list']) {
  const { client_id, account_number, facility_id, facility, division_id, division_name } = account
  if (facility === null || division_name === null) return [list, { label: account_number }]
  return [
    { label: division_name, href: `/clients/${client_id}/divisions/${division_id}/dashboard` },
    { label: facility, href: `/clients/${client_id}/facilities/${facility_id}/dashboard` },
    { label: account_number },
  ]
}

/** Opens in a new tab without sending a referrer. */
function MapLink({ account: { street_address_1, city, state, zip } }: { account: PlacedAccount }) {
  const { data } = useQuery({ ...apiQuery(consoleSettingsCalls.get, {}), staleTime: Number.POSITIVE_INFINITY })
  if (!data) return null
  return (
    <a className={styles.map} href={mapHref(data.map_url, [street_address_1, city, state, zip])} target="_blank" rel="noreferrer noopener">
      <MapPin size={14} aria-hidden="true" />
      {street_address_1}, {city}, {state} {zip}
    </a>
  )
}
