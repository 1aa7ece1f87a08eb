import type { PageRoute } from '../kernel/page-route.ts'

export const billCalendarRoutes: readonly PageRoute[] = [
  {
    path: '/clients/:client_id/billable_accounts/bill_calendar',
    title: 'Bill Calendar',
    may: 'bill.read',
    page: async () => (await import('./calendar-page.tsx')).BillableAccountCalendar,
  },
  {
    path: '/clients/:client_id/supply_accounts/bill_calendar',
    title: 'Bill Calendar',
    may: 'bill.read',
    page: async () => (await import('./calendar-page.tsx')).SupplyAccountCalendar,
  },
]
