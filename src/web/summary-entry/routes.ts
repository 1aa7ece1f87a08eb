import type { PageRoute } from '../kernel/page-route.ts'

export const summaryEntryRoutes: readonly PageRoute[] = [
  {
    path: '/clients/:client_id/group_accounts/:group_account_id/bills/new',
    title: 'New Summary Bill',
    may: 'bill.create',
    page: async () => (await import('./summary-page.tsx')).SummaryBillPage,
  },
]
