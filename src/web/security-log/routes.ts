import type { PageRoute } from '../kernel/page-route.ts'

const page = () => import('./security-log-page.tsx')

export const securityLogRoutes: readonly PageRoute[] = [
  { path: '/settings/security_log', title: 'Security Log', may: 'user.update', page: async () => (await page()).SecurityLogPage },
  {
    path: '/clients/:client_id/security_log',
    title: 'Security Log',
    may: 'user.update',
    page: async () => (await page()).ClientSecurityLog,
  },
]
