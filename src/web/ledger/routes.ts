import type { PageRoute } from '../kernel/page-route.ts'

const fields = '/clients/:client_id/ledger_fields'
const accounts = '/clients/:client_id/ledger_accounts'

export const ledgerRoutes: readonly PageRoute[] = [
  {
    path: fields,
    title: 'Ledger Fields',
    may: 'ledger_field.read',
    page: async () => (await import('./ledger-field-list.tsx')).LedgerFieldList,
  },
  {
    path: `${fields}/new`,
    title: 'New Ledger Field',
    may: 'ledger_field.create',
    page: async () => (await import('./ledger-field-form.tsx')).NewLedgerField,
  },
  {
    path: `${fields}/:ledger_field_id/edit`,
    title: 'Edit Ledger Field',
    may: 'ledger_field.update',
    page: async () => (await import('./ledger-field-form.tsx')).EditLedgerField,
  },
  {
    path: accounts,
    title: 'Ledger Accounts',
    may: 'ledger_account.read',
    page: async () => (await import('./ledger-account-list.tsx')).LedgerAccountList,
  },
  {
    path: `${accounts}/new`,
    title: 'New Ledger Account',
    may: 'ledger_account.create',
    page: async () => (await import('./ledger-account-form.tsx')).NewLedgerAccount,
  },
  {
    path: `${accounts}/:ledger_account_id/edit`,
    title: 'Edit Ledger Account',
    may: 'ledger_account.update',
    page: async () => (await import('./ledger-account-form.tsx')).EditLedgerAccount,
  },
  {
    path: '/clients/:client_id/ledger_settings',
    title: 'Ledger Settings',
    may: 'ledger_account.read',
    page: async () => (await import('./ledger-settings-form.tsx')).LedgerSettings,
  },
]
