import type { PageRoute } from '../kernel/page-route.ts'

const page = () => import('./audit-settings-page.tsx')

export const billAuditRoutes: readonly PageRoute[] = [
  { path: '/settings/audits', title: 'Audits', may: 'setting.read', page: async () => (await page()).InstallationAudits },
  { path: '/clients/:client_id/audits', title: 'Audits', may: 'client.update', page: async () => (await page()).ClientAudits },
]
