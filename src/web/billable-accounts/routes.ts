import type { PageRoute } from '../kernel/page-route.ts'

const base = '/clients/:client_id/billable_accounts'
const one = `${base}/:billable_account_id`

export const billableAccountRoutes: readonly PageRoute[] = [
  {
    path: '/billable_accounts',
    title: 'Billable Accounts',
    may: 'billable_account.read',
    page: async () => (await import('./account-list.tsx')).AllBillableAccounts,
  },
  {
    path: base,
    title: 'Billable Accounts',
    may: 'billable_account.read',
    page: async () => (await import('./account-list.tsx')).ClientBillableAccounts,
  },
  {
    path: `${base}/new`,
    title: 'New Billable Account',
    may: 'billable_account.create',
    page: async () => (await import('./account-form.tsx')).NewBillableAccount,
  },
  {
    path: `${one}/edit`,
    title: 'Edit Billable Account',
    may: 'billable_account.update',
    page: async () => (await import('./account-form.tsx')).EditBillableAccount,
  },
  {
    path: `${one}/services`,
    title: 'Services',
    may: 'service.read',
    page: async () => (await import('./account-services.tsx')).AccountServices,
  },
  {
    path: `${one}/services/new`,
    title: 'New Service',
    may: 'service.create',
    page: async () => (await import('./account-services.tsx')).NewAccountService,
  },
  {
    path: `${one}/services/:service_id/edit`,
    title: 'Edit Service',
    may: 'service.update',
    page: async () => (await import('./account-services.tsx')).EditAccountService,
  },
]
