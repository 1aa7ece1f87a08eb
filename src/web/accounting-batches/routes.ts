import type { PageRoute } from '../kernel/page-route.ts'

const list = '/clients/:client_id/accounting_batches'
const profiles = '/clients/:client_id/export_profiles'
const one = `${list}/:accounting_batch_id`

export const accountingBatchRoutes: readonly PageRoute[] = [
  {
    path: list,
    title: 'Client Batches',
    may: 'accounting_batch.read',
    page: async () => (await import('./batch-list.tsx')).BatchList,
  },
  {
    path: `${list}/new`,
    title: 'New Client Batch',
    may: 'accounting_batch.create',
    page: async () => (await import('./batch-form.tsx')).NewBatch,
  },
  {
    path: `${one}/edit`,
    title: 'Edit Client Batch',
    may: 'accounting_batch.update',
    page: async () => (await import('./batch-form.tsx')).EditBatch,
  },
  {
    path: `${one}/bills`,
    title: 'Bills of a Client Batch',
    may: 'accounting_batch.update',
    page: async () => (await import('./batch-bills.tsx')).BatchBills,
  },
  {
    path: `${one}/ledger`,
    title: 'Ledger of a Client Batch',
    may: 'accounting_batch.read',
    page: async () => (await import('./batch-ledger.tsx')).BatchLedgerPage,
  },
  {
    path: `${one}/files`,
    title: 'Files of a Client Batch',
    may: 'accounting_batch.read',
    page: async () => (await import('./batch-files.tsx')).BatchFiles,
  },
  {
    path: `${one}/invoice`,
    title: 'Invoice of a Client Batch',
    may: 'accounting_batch.read',
    page: async () => (await import('./batch-invoice.tsx')).BatchInvoice,
  },
  {
    path: profiles,
    title: 'Export Profiles',
    may: 'accounting_batch.read',
    page: async () => (await import('./profile-list.tsx')).ProfileList,
  },
  {
    path: `${profiles}/new`,
    title: 'New Export Profile',
    may: 'ledger_account.create',
    page: async () => (await import('./profile-form.tsx')).NewProfile,
  },
  {
    path: `${profiles}/:export_profile_id/edit`,
    title: 'Edit Export Profile',
    may: 'ledger_account.update',
    page: async () => (await import('./profile-form.tsx')).EditProfile,
  },
]
