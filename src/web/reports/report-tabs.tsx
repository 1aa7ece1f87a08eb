import { Tabs } from '../ui/page-header.tsx'
import { dashboardHref, generatedHref, schedulesHref } from './report-addresses.ts'

/** Tabs of the available, the generated and the scheduled reports. */
export function ReportTabs({ clientId, current }: { clientId: number; current: 'dashboard' | 'generated' | 'scheduled' }) {
  return (
    <Tabs
      label="Reporting"
      items={[
        { href: dashboardHref(clientId), label: 'Reports Dashboard', current: current === 'dashboard' },
        { href: generatedHref(clientId), label: 'Generated Reports', current: current === 'generated' },
        { href: schedulesHref(clientId), label: 'Scheduled Reports', current: current === 'scheduled' },
      ]}
    />
  )
}
