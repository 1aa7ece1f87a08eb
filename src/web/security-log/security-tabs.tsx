import { usePath } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { Tabs } from '../ui/page-header.tsx'

const events = '/settings/security_log'
const people = `${events}/tied_people`

/** The two lists of the security log. Only staff sees the people of every client, and so the pairs among them. */
export function SecurityTabs() {
  const path = usePath()
  const isStaff = useCan('setting.update')
  if (!isStaff) return null
  const tabs = [
    { href: events, label: 'Events', current: path === events },
    { href: people, label: 'Tied People', current: path.startsWith(people) },
  ]
  return <Tabs label="Security log" items={tabs} />
}
