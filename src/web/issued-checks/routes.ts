import type { PageRoute } from '../kernel/page-route.ts'

export const issuedCheckRoutes: readonly PageRoute[] = [
  {
    path: '/global_batch/checks',
    title: 'Checks',
    may: 'global_batch.read',
    staff: true,
    page: async () => (await import('./check-list.tsx')).CheckList,
  },
  {
    path: '/global_batch/checks/read',
    title: 'Read Check Numbers',
    may: 'global_batch.update',
    staff: true,
    page: async () => (await import('./read-numbers.tsx')).ReadCheckNumbers,
  },
  {
    path: '/global_batch/checks/positive_pay',
    title: 'Positive Pay',
    may: 'global_batch.read',
    staff: true,
    page: async () => (await import('./positive-pay.tsx')).PositivePay,
  },
]
