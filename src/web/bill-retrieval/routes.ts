import type { PageRoute } from '../kernel/page-route.ts'

export const billRetrievalRoutes: readonly PageRoute[] = [
  {
    path: '/clients/:client_id/bills/import',
    title: 'Import Bills',
    may: 'bill.create',
    page: async () => (await import('./import-page.tsx')).ImportBills,
  },
]
