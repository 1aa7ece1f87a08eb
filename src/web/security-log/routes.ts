import type { PageRoute } from '../kernel/page-route.ts'

const page = () => import('./security-log-page.tsx')

export const securityLogRoutes: readonly PageRoute[] = [
  { path: '/settings/security_log', title: 'Security Log', may: 'user.update', page: async () => (await page()).SecurityLogPage },
  {
    path: '/settings/security_log/tied_people',
    title: 'Tied People',
    may: 'user.update',
    page: async () => (await import('./tied-people-page.tsx')).TiedPeoplePage,
  },
  {
    path: '/clients/:client_id/security_log',
    title: 'Security Log',
    may: 'user.update',
    page: async () => (await page()).ClientSecurityLog,
  },
]
