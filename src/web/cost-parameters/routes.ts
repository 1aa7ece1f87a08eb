import type { PageRoute } from '../kernel/page-route.ts'

export const costParameterRoutes: readonly PageRoute[] = [
  {
    path: '/settings/cost_parameters',
    title: 'Cost Parameters',
    may: 'setting.read',
    page: async () => (await import('./cost-parameter-pages.tsx')).List,
  },
  {
    path: '/settings/cost_parameters/new',
    title: 'New Cost Parameter',
    may: 'setting.create',
    page: async () => (await import('./cost-parameter-pages.tsx')).New,
  },
  {
    path: '/settings/cost_parameters/:id/edit',
    title: 'Edit Cost Parameter',
    may: 'setting.update',
    page: async () => (await import('./cost-parameter-pages.tsx')).Edit,
  },
]
