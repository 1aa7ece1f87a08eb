import type { PageRoute } from '../kernel/page-route.ts'

const list = '/clients/:client_id/accounting_batches'
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
]
