import type { PageRoute } from '../kernel/page-route.ts'

const page = () => import('./exceptions-page.tsx')

export const exceptionRoutes: readonly PageRoute[] = [
  { path: '/alerts', title: 'Exceptions of All Clients', may: 'bill.read', page: async () => (await page()).AllExceptions },
  {
    path: '/clients/:client_id/alerts/exceptions',
    title: 'Exceptions',
    may: 'bill.read',
    page: async () => (await page()).ClientExceptions,
  },
]
