import type { PageRoute } from '../kernel/page-route.ts'

const base = '/clients/:client_id/supply_accounts'
const one = `${base}/:supply_account_id`

export const supplyAccountRoutes: readonly PageRoute[] = [
  {
    path: '/supply_accounts',
    title: 'Supply Accounts',
    may: 'supply_account.read',
    page: async () => (await import('./supply-account-list.tsx')).AllSupplyAccounts,
  },
  {
    path: base,
    title: 'Supply Accounts',
    may: 'supply_account.read',
    page: async () => (await import('./supply-account-list.tsx')).ClientSupplyAccounts,
  },
  {
    path: `${base}/new`,
    title: 'New Supply Account',
    may: 'supply_account.create',
    page: async () => (await import('./supply-account-form.tsx')).NewSupplyAccount,
  },
  {
    path: `${one}/edit`,
    title: 'Edit Supply Account',
    may: 'supply_account.update',
    page: async () => (await import('./supply-account-form.tsx')).EditSupplyAccount,
  },
  {
    path: `${one}/services`,
    title: 'Services',
    may: 'service.read',
    page: async () => (await import('./supply-account-services.tsx')).SupplyAccountServices,
  },
  {
    path: `${one}/services/new`,
    title: 'New Service',
    may: 'service.create',
    page: async () => (await import('./supply-account-services.tsx')).NewSupplyAccountService,
  },
  {
    path: `${one}/services/:service_id/edit`,
    title: 'Edit Service',
    may: 'service.update',
    page: async () => (await import('./supply-account-services.tsx')).EditSupplyAccountService,
  },
]
