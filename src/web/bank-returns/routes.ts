import type { PageRoute } from '../kernel/page-route.ts'

export const bankReturnRoutes: readonly PageRoute[] = [
  {
    path: '/global_batch/returns',
    title: 'Bank Returns',
    may: 'global_batch.read',
    staff: true,
    page: async () => (await import('./return-list.tsx')).BankReturnList,
  },
  {
    path: '/global_batch/returns/read',
    title: 'Read Return File',
    may: 'global_batch.update',
    staff: true,
    page: async () => (await import('./read-returns.tsx')).ReadReturnFile,
  },
]
