import type { PageRoute } from '../kernel/page-route.ts'

const base = '/clients/:client_id/bills'
const form = () => import('./edit-bill.tsx')
const entry = () => import('./new-bill-page.tsx')
const newBill = () => import('./new-bill.tsx')

export const billEntryRoutes: readonly PageRoute[] = [
  {
    path: `${base}/new`,
    title: 'New Bill',
    may: 'bill.create',
    page: async () => (await entry()).NewBillPage,
    early: async (address) => (await newBill()).askForEntry(address),
  },
  { path: `${base}/:bill_id/edit`, title: 'Edit Bill', may: 'bill.update', page: async () => (await form()).EditBill },
  { path: '/bills/:bill_id/edit', title: 'Edit Bill', may: 'bill.update', page: async () => (await form()).EditBillOfAny },
]
