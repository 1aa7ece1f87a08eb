import { usePath } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { Tabs } from '../ui/page-header.tsx'

const settings = [
  { href: '/settings/audit_log', label: 'Audit Log', may: 'setting.read' },
  { href: '/settings/security_log', label: 'Security Log', may: 'user.update' },
  { href: '/settings/facility_types', label: 'Facility Types', may: 'setting.read' },
  { href: '/settings/units', label: 'Units', may: 'setting.read' },
  { href: '/settings/production_units', label: 'Production Units', may: 'setting.read' },
  { href: '/settings/cost_parameters', label: 'Cost Parameters', may: 'setting.read' },
  { href: '/settings/weather_stations', label: 'Weather Stations', may: 'setting.read' },
  { href: '/settings/degree_days', label: 'Degree Days', may: 'setting.read' },
  { href: '/payment_methods', label: 'Payment Methods', may: 'setting.read' },
  { href: '/originating_profiles', label: 'Bank Profiles', may: 'global_batch.read' },
  { href: '/settings/audits', label: 'Audits', may: 'setting.read' },
  { href: '/settings/mails', label: 'Mails', may: 'setting.update' },
  { href: '/settings/webhooks', label: 'Webhooks', may: 'webhook.update' },
  { href: '/settings/api_tokens', label: 'API Tokens', may: 'setting.update' },
] as const

/** Tabs of the settings lists. Whoever sees one page only needs none. */
export function SettingsTabs() {
  const path = usePath()
  const may = {
    'setting.read': useCan('setting.read'),
    'user.update': useCan('user.update'),
    'setting.update': useCan('setting.update'),
    'webhook.update': useCan('webhook.update'),
    'global_batch.read': useCan('global_batch.read'),
  }
  const tabs = settings.filter((tab) => may[tab.may])
  if (tabs.length < 2) return null
  return <Tabs label="Settings" items={tabs.map(({ href, label }) => ({ href, label, current: path.startsWith(href) }))} />
}

/** Payment methods and changes of bank details have no menu entry; they are tabs beside the vendors, for users with the rights to them. */
export function VendorTabs() {
  const path = usePath()
  const keeps = useCan('setting.read')
  const approves = useCan('vendor.update')
  if (!keeps) return null
  const tabs = [
    { href: '/vendors', label: 'Vendors' },
    { href: '/payment_methods', label: 'Payment Methods' },
    ...(approves ? [{ href: '/vendor_bank_changes', label: 'Bank Changes' }] : []),
  ]
  return <Tabs label="Vendors" items={tabs.map((tab) => ({ ...tab, current: path.startsWith(tab.href) }))} />
}
