import type { PageRoute } from '../kernel/page-route.ts'

const base = '/clients/:client_id/divisions'
const one = `${base}/:division_id`

export const divisionRoutes: readonly PageRoute[] = [
  { path: '/divisions', title: 'Divisions', may: 'division.read', page: async () => (await import('./division-list.tsx')).AllDivisions },
  { path: base, title: 'Divisions', may: 'division.read', page: async () => (await import('./division-list.tsx')).ClientDivisions },
  {
    path: `${base}/new`,
    title: 'New Division',
    may: 'division.create',
    page: async () => (await import('./division-form.tsx')).NewDivision,
  },
  {
    path: `${one}/edit`,
    title: 'Edit Division',
    may: 'division.update',
    page: async () => (await import('./division-form.tsx')).EditDivision,
  },
]
