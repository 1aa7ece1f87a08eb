import { useQuery } from '@tanstack/react-query'
import { alertCountCalls } from '#contract/alerts/alert.ts'
import { alerts } from '#contract/alerts/alert-names.ts'
import { mayDo } from '#contract/kernel/permission.ts'
import { usePath } from '../kernel/navigation.tsx'
import { usePermissions } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { Tabs } from '../ui/page-header.tsx'
import styles from './alerts.module.css'

/** Tabs of the urgent overview and the four alert lists, each with its count. */
export function AlertTabs({ clientId }: { clientId: number }) {
  const path = usePath()
  const permissions = usePermissions()
  const { data } = useQuery(apiQuery(alertCountCalls.counts, { params: { client_id: clientId } }))
  const at = `/clients/${clientId}/alerts`
  const home = `${at}/exceptions`
  const lists = alerts
    .filter(({ model }) => mayDo(permissions, `${model}.read`))
    .map(({ key, label }) => {
      const count = data?.counts[key] ?? null
      return {
        href: `${at}/${key}`,
        label,
        count: count === null ? undefined : count.toLocaleString('en-US'),
        current: path === `${at}/${key}`,
      }
    })
  const first = mayDo(permissions, 'bill.read') ? [{ href: home, label: 'Exceptions', current: path === home }] : []
  return (
    <div className={styles.tabs}>
      <Tabs label="Alerts" items={[...first, ...lists]} />
    </div>
  )
}
