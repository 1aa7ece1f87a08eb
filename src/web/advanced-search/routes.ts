import type { PageRoute } from '../kernel/page-route.ts'

const page = { title: 'Advanced Search', may: 'advanced_search.read' } as const

export const advancedSearchRoutes: readonly PageRoute[] = [
  { ...page, path: '/advanced_search', page: async () => (await import('./search-page.tsx')).SearchAll },
  { ...page, path: '/clients/:client_id/advanced_search', page: async () => (await import('./search-page.tsx')).SearchClient },
]
