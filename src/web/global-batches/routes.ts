import type { PageRoute } from '../kernel/page-route.ts'

const read = { may: 'global_batch.read', staff: true } as const

export const globalBatchRoutes: readonly PageRoute[] = [
  { path: '/global_batch', title: 'Unswept Bills', ...read, page: async () => (await import('./desk.tsx')).UnsweptBills },
  {
    path: '/global_batch/new',
    title: 'New Batch',
    may: 'global_batch.create',
    staff: true,
    page: async () => (await import('./batch-form.tsx')).NewGlobalBatch,
  },
  {
    path: '/global_batch/todays_batches',
    title: 'Today’s Batches',
    ...read,
    page: async () => (await import('./todays-batches.tsx')).TodaysBatches,
  },
  {
    path: '/global_batch/todays_batches/:type',
    title: 'Today’s Batches',
    ...read,
    page: async () => (await import('./todays-batches.tsx')).TodaysBatchesOfType,
  },
  {
    path: '/global_batch/view/:global_batch_id/bills',
    title: 'Batch Bills',
    ...read,
    page: async () => (await import('./batch-bills.tsx')).GlobalBatchBills,
  },
  {
    path: '/global_batch/:global_batch_id/edit',
    title: 'Edit Batch',
    may: 'payment_batch.update',
    staff: true,
    page: async () => (await import('./batch-form.tsx')).EditGlobalBatch,
  },
  {
    path: '/global_batch/:global_batch_id/newBills',
    title: 'Add Bills',
    ...read,
    page: async () => (await import('./desk.tsx')).AddBills,
  },
  { path: '/global_batch/risk', title: 'Risk Queue', ...read, page: async () => (await import('./risk-queue.tsx')).RiskQueue },
  {
    path: '/global_batch/releases',
    title: 'Releases',
    ...read,
    page: async () => (await import('./release-list.tsx')).ReleaseList,
  },
  {
    path: '/global_batch/releases/:release_id',
    title: 'Release',
    ...read,
    page: async () => (await import('./release-page.tsx')).ReleasePage,
  },
  {
    path: '/global_batch/files',
    title: 'Global Batch File History',
    ...read,
    page: async () => (await import('./file-history.tsx')).FileHistory,
  },
]
