import { Tabs } from '../ui/page-header.tsx'
import { dashboardHref, generatedHref } from './report-addresses.ts'

/** What can be made, and what was made. */
export function ReportTabs({ clientId, current }: { clientId: number; current: 'dashboard' | 'generated' }) {
  return (
    <Tabs
      label="Reporting"
      items={[
        { href: dashboardHref(clientId), label: 'Reports Dashboard', current: current === 'dashboard' },
        { href: generatedHref(clientId), label: 'Generated Reports', current: current === 'generated' },
      ]}
    />
  )
}
