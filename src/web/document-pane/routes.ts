import type { PageRoute } from '../kernel/page-route.ts'

export const documentPaneRoutes: readonly PageRoute[] = [
  {
    path: '/document_window',
    title: 'Document',
    bare: true,
    page: async () => (await import('./document-window.tsx')).DocumentWindow,
  },
]
