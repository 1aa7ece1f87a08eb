import { usePath } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { Tabs } from '../ui/page-header.tsx'

const settings = [
  { href: '/settings/audit_log', label: 'Audit Log' },
  { href: '/settings/facility_types', label: 'Facility Types' },
  { href: '/settings/units', label: 'Units' },
  { href: '/settings/production_units', label: 'Production Units' },
  { href: '/settings/cost_parameters', label: 'Cost Parameters' },
  { href: '/payment_methods', label: 'Payment Methods' },
  { href: '/originating_profiles', label: 'Bank Profiles', may: 'global_batch.read' },
  { href: '/settings/audits', label: 'Audits' },
  { href: '/settings/mails', label: 'Mails', may: 'setting.update' },
  { href: '/settings/webhooks', label: 'Webhooks', may: 'webhook.update' },
  { href: '/settings/api_tokens', label: 'API Tokens', may: 'setting.update' },
] as const

/** Tabs of the settings lists. */
export function SettingsTabs() {
  const path = usePath()
  const may = {
    'setting.update': useCan('setting.update'),
    'webhook.update': useCan('webhook.update'),
    'global_batch.read': useCan('global_batch.read'),
  }
  const tabs = settings.filter((tab) => !('may' in tab) || may[tab.may])
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
