import type { PageRoute } from '../kernel/page-route.ts'

export const auditLogRoutes: readonly PageRoute[] = [
  {
    path: '/settings/audit_log',
    title: 'Audit Log',
    may: 'setting.read',
    page: async () => (await import('./audit-log-page.tsx')).AuditLogPage,
  },
]
