import type { PageRoute } from '../kernel/page-route.ts'

const list = () => import('./finding-list.tsx')

export const billFindingRoutes: readonly PageRoute[] = [
  { path: '/bills/findings', title: 'Findings', may: 'bill.read', page: async () => (await list()).AllFindings },
  { path: '/clients/:client_id/bills/findings', title: 'Findings', may: 'bill.read', page: async () => (await list()).ClientFindings },
]
