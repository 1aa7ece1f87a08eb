import type { PageRoute } from '../kernel/page-route.ts'

export const utilityServiceRoutes: readonly PageRoute[] = [
  {
    path: '/utility_services',
    title: 'Utility Services',
    may: 'utility_service.read',
    page: async () => (await import('./utility-service-list.tsx')).UtilityServiceList,
  },
  {
    path: '/utility_services/new',
    title: 'New Utility Service',
    may: 'utility_service.create',
    page: async () => (await import('./utility-service-form.tsx')).NewUtilityService,
  },
  {
    path: '/utility_services/:id/edit',
    title: 'Edit Utility Service',
    may: 'utility_service.update',
    page: async () => (await import('./utility-service-form.tsx')).EditUtilityService,
  },
]
