import { Tabs } from '../ui/page-header.tsx'
import { dashboardHref, generatedHref } from './report-addresses.ts'

/** Tabs of the available and the generated reports. */
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
