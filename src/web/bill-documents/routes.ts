import type { PageRoute } from '../kernel/page-route.ts'

const base = '/clients/:client_id/bills/bill_document_repository'

export const billDocumentRoutes: readonly PageRoute[] = [
  {
    path: base,
    title: 'Bill Document Repository',
    may: 'bill_document.read',
    page: async () => (await import('./bundle-list.tsx')).BundleList,
  },
  {
    path: `${base}/new`,
    title: 'New Bill Document',
    may: 'bill_document.create',
    page: async () => (await import('./bundle-form.tsx')).NewBundle,
  },
  {
    path: `${base}/:bill_document_id/edit`,
    title: 'Edit Bill Document',
    may: 'bill_document.update',
    page: async () => (await import('./bundle-form.tsx')).EditBundle,
  },
]
