import type { PageRoute } from '../kernel/page-route.ts'

const base = '/clients/:client_id'
const one = `${base}/bills/:bill_id`
const lists = () => import('./bill-list.tsx')
const accountLists = () => import('./account-bill-lists.tsx')
const page = () => import('./bill-page.tsx')
const compare = () => import('./compare-page.tsx')
const versions = () => import('./versions-page.tsx')

export const billRoutes: readonly PageRoute[] = [
  { path: '/bills', title: 'Bills', may: 'bill.read', page: async () => (await lists()).AllBills },
  {
    path: `${base}/bills`,
    title: 'Bill List',
    may: 'bill.read',
    page: async () => (await lists()).BillList,
    early: async (address) => (await lists()).askForBills(address),
  },
  {
    path: `${base}/billable_accounts/:billable_account_id/bills`,
    title: 'Invoices',
    may: 'bill.read',
    page: async () => (await accountLists()).BillableAccountBills,
  },
  {
    path: `${base}/supply_accounts/:supply_account_id/bills`,
    title: 'Supply Account’s Bills',
    may: 'bill.read',
    page: async () => (await accountLists()).SupplyAccountBills,
  },
  {
    path: `${base}/group_accounts/:group_account_id/bills`,
    title: 'Bills',
    may: 'bill.read',
    page: async () => (await accountLists()).GroupAccountBills,
  },
  {
    path: `${base}/group_supply_accounts/:group_supply_account_id/bills`,
    title: 'Bills',
    may: 'bill.read',
    page: async () => (await accountLists()).GroupSupplyAccountBills,
  },
  { path: one, title: 'Bill Dashboard', may: 'bill.read', page: async () => (await page()).BillDashboard },
  { path: `${one}/dashboard`, title: 'Bill Dashboard', may: 'bill.read', page: async () => (await page()).BillDashboard },
  { path: `${one}/facilities`, title: 'Bill’s Facilities', may: 'bill.read', page: async () => (await page()).BillFacilities },
  { path: `${one}/documents`, title: 'Documents', may: 'bill.read', page: async () => (await page()).BillDocuments },
  { path: `${one}/trail`, title: 'Trail', may: 'bill.read', page: async () => (await import('./trail-page.tsx')).BillTrailPage },
  { path: `${one}/versions`, title: 'Versions', may: 'bill.read', page: async () => (await versions()).BillVersions },
  { path: `${one}/compare/:other_bill_id`, title: 'Compare Bills', may: 'bill.read', page: async () => (await compare()).CompareBills },
]
