import type { PageRoute } from '../kernel/page-route.ts'

export const facilityTypeRoutes: readonly PageRoute[] = [
  {
    path: '/settings/facility_types',
    title: 'Facility Types',
    may: 'setting.read',
    page: async () => (await import('./facility-type-pages.tsx')).List,
  },
  {
    path: '/settings/facility_types/new',
    title: 'New Facility Type',
    may: 'setting.create',
    page: async () => (await import('./facility-type-pages.tsx')).New,
  },
  {
    path: '/settings/facility_types/:id/edit',
    title: 'Edit Facility Type',
    may: 'setting.update',
    page: async () => (await import('./facility-type-pages.tsx')).Edit,
  },
]
