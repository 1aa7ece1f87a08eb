import { HistoryButton } from '../kernel/history/history-button.tsx'
import { usePath } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { useScopeClient } from '../kernel/scope.ts'
import { Tabs } from '../ui/page-header.tsx'

/** The tabs of a client. Users needs the subscription and the right, Subscriptions needs the right. */
export function ClientTabs({ clientId }: { clientId: number }) {
  const path = usePath()
  const { client } = useScopeClient()
  const readsUsers = useCan('user.read')
  const readsSubscriptions = useCan('client.read_subscription')
  const changes = useCan('client.update')
  const tabs = [
    { page: 'dashboard', label: 'Dashboard', shown: true },
    { page: 'users', label: 'Users', shown: readsUsers && client?.user_management === true },
    { page: 'subscriptions', label: 'Subscriptions', shown: readsSubscriptions },
    { page: 'documents', label: 'Documents', shown: true },
    { page: 'audits', label: 'Audits', shown: changes },
    { page: 'home', label: 'Today', shown: true },
  ]
  const items = tabs
    .filter(({ shown }) => shown)
    .map(({ page, label }) => ({ label, href: `/clients/${clientId}/${page}`, current: path.startsWith(`/clients/${clientId}/${page}`) }))
  return <Tabs label="Client" items={items} end={<HistoryButton item="client" id={clientId} />} />
}
