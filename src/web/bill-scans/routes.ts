import type { PageRoute } from '../kernel/page-route.ts'

const inbox = '/clients/:client_id/bills/inbox'
const may = 'bill.create'
const page = () => import('./inbox-page.tsx')

export const billScanRoutes: readonly PageRoute[] = [
  { path: inbox, title: 'Inbox', may, page: async () => (await page()).BillInbox },
  { path: `${inbox}/ignored`, title: 'Ignored documents', may, page: async () => (await page()).IgnoredScans },
  { path: `${inbox}/entered`, title: 'Entered documents', may, page: async () => (await page()).EnteredScans },
  { path: `${inbox}/:bill_scan_id/split`, title: 'Split', may, page: async () => (await import('./split-page.tsx')).SplitScan },
]
