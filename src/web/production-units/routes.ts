import type { PageRoute } from '../kernel/page-route.ts'

export const productionUnitRoutes: readonly PageRoute[] = [
  {
    path: '/settings/production_units',
    title: 'Production Units',
    may: 'setting.read',
    page: async () => (await import('./production-unit-pages.tsx')).List,
  },
  {
    path: '/settings/production_units/new',
    title: 'New Production Unit',
    may: 'setting.create',
    page: async () => (await import('./production-unit-pages.tsx')).New,
  },
  {
    path: '/settings/production_units/:id/edit',
    title: 'Edit Production Unit',
    may: 'setting.update',
    page: async () => (await import('./production-unit-pages.tsx')).Edit,
  },
]
