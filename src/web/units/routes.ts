import type { PageRoute } from '../kernel/page-route.ts'

export const unitRoutes: readonly PageRoute[] = [
  { path: '/settings/units', title: 'Units', may: 'setting.read', page: async () => (await import('./unit-pages.tsx')).List },
  { path: '/settings/units/new', title: 'New Unit', may: 'setting.create', page: async () => (await import('./unit-pages.tsx')).New },
  {
    path: '/settings/units/:id/edit',
    title: 'Edit Unit',
    may: 'setting.update',
    page: async () => (await import('./unit-pages.tsx')).Edit,
  },
]
