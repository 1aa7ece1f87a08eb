import type { PageRoute } from '../kernel/page-route.ts'

const base = '/clients/:client_id'
const group = `${base}/group_accounts/:group_account_id`
const supplyGroup = `${base}/group_supply_accounts/:group_supply_account_id`
const table = () => import('./group-table.tsx')
const subaccounts = () => import('./group-subaccounts.tsx')
const manage = () => import('./manage-group.tsx')

export const groupAccountRoutes: readonly PageRoute[] = [
  {
    path: '/group_accounts',
    title: 'Group Accounts',
    may: 'billable_account.read',
    page: async () => (await table()).AllGroupAccounts,
  },
  {
    path: `${base}/group_accounts`,
    title: 'Group Accounts',
    may: 'billable_account.read',
    page: async () => (await table()).ClientGroupAccounts,
  },
  {
    path: `${group}/subaccounts`,
    title: 'Subaccounts',
    may: 'billable_account.read',
    page: async () => (await subaccounts()).GroupAccountSubaccounts,
  },
  {
    path: `${group}/edit`,
    title: 'Manage Group Account',
    may: 'billable_account.update',
    page: async () => (await manage()).ManageGroupAccount,
  },
  {
    path: '/group_supply_accounts',
    title: 'Group Supply Accounts',
    may: 'supply_account.read',
    page: async () => (await table()).AllGroupSupplyAccounts,
  },
  {
    path: `${base}/group_supply_accounts`,
    title: 'Group Supply Accounts',
    may: 'supply_account.read',
    page: async () => (await table()).ClientGroupSupplyAccounts,
  },
  {
    path: `${supplyGroup}/subaccounts`,
    title: 'Subaccounts',
    may: 'supply_account.read',
    page: async () => (await subaccounts()).GroupSupplyAccountSubaccounts,
  },
  {
    path: `${supplyGroup}/edit`,
    title: 'Manage Group Supply Account',
    may: 'supply_account.update',
    page: async () => (await manage()).ManageGroupSupplyAccount,
  },
]
