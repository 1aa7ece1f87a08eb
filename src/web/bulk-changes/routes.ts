import type { PageRoute } from '../kernel/page-route.ts'

export const bulkChangeRoutes: readonly PageRoute[] = [
  {
    path: '/clients/:client_id/bulk_changes',
    title: 'Bulk Changes',
    may: ['billable_account.update', 'supply_account.update', 'bill.update'],
    page: async () => (await import('./change-list.tsx')).ClientBulkChanges,
  },
]
