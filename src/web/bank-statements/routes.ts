import type { PageRoute } from '../kernel/page-route.ts'

export const bankStatementRoutes: readonly PageRoute[] = [
  {
    path: '/global_batch/statements',
    title: 'Bank Statements',
    may: 'global_batch.read',
    staff: true,
    page: async () => (await import('./statement-list.tsx')).StatementList,
  },
  {
    path: '/global_batch/statements/read',
    title: 'Read Bank Statement',
    may: 'global_batch.update',
    staff: true,
    page: async () => (await import('./read-statement-file.tsx')).ReadStatementFile,
  },
  {
    path: '/global_batch/statements/:statement_id',
    title: 'Reconciliation',
    may: 'global_batch.read',
    staff: true,
    page: async () => (await import('./reconciliation.tsx')).Reconciliation,
  },
  {
    path: '/global_batch/outstanding',
    title: 'Outstanding Payments',
    may: 'global_batch.read',
    staff: true,
    page: async () => (await import('./outstanding-list.tsx')).OutstandingList,
  },
]
