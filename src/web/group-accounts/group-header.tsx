import { useQuery } from '@tanstack/react-query'
import type { GroupAccount } from '#contract/accounts/group-account.ts'
import { HistoryButton } from '../kernel/history/history-button.tsx'
import { usePath } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { Breadcrumbs, Tabs, type Crumb } from '../ui/page-header.tsx'
import { billableGroups, groupAt, groupQuery, supplyGroups, type GroupKind } from './group-kinds.ts'

interface GroupHeaderProps {
  clientId: number
  accountId: number
}

/** The header of a group account's pages, including those of its bills and its dashboard. */
export function GroupAccountHeader(props: GroupHeaderProps) {
  return <GroupHeader {...props} kind={billableGroups} />
}

export function GroupSupplyAccountHeader(props: GroupHeaderProps) {
  return <GroupHeader {...props} kind={supplyGroups} />
}

/** The breadcrumbs of a group account's page (division > facility > account name), and its tabs. */
export function GroupHeader({ clientId, accountId, kind }: GroupHeaderProps & { kind: GroupKind }) {
  const path = usePath()
  const params = { client_id: clientId, id: accountId }
  const { data } = useQuery(groupQuery(kind, params))
  const manages = useCan(kind.may)
  const at = groupAt(kind, params)
  const shown = tabs.filter(({ page }) => manages || page !== 'edit')
  return (
    <>
      <Breadcrumbs items={data ? crumbsOf(data, kind) : [{ label: '…' }]} />
      <Tabs
        label={kind.entity.label}
        items={shown.map(({ page, label }) => ({
          label: label || kind.manageTitle,
          href: `${at}/${page}`,
          current: path.startsWith(`${at}/${page}`),
        }))}
        end={<HistoryButton item={kind.entity.name} id={accountId} clientId={clientId} />}
      />
    </>
  )
}

const tabs = [
  { page: 'dashboard', label: 'Dashboard' },
  { page: 'subaccounts', label: 'Subaccounts' },
  { page: 'bills', label: 'Bills' },
  { page: 'edit', label: '' },
]

/** A supply account may have no facility; its breadcrumbs then lead to its list. */
function crumbsOf(
  { client_id, name, facility_id, facility, division_id, division_name }: GroupAccount,
  { entity, listLabel }: GroupKind,
): Crumb[] {
  if (facility === null || division_name === null)
    return [{ label: listLabel, href: `/clients/${client_id}/${entity.plural}` }, { label: name }]
  return [
    { label: division_name, href: `/clients/${client_id}/divisions/${division_id}/dashboard` },
    { label: facility, href: `/clients/${client_id}/facilities/${facility_id}/dashboard` },
    { label: name },
  ]
}
