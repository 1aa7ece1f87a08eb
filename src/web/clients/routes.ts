import type { PageRoute } from '../kernel/page-route.ts'

export const clientRoutes: readonly PageRoute[] = [
  { path: '/clients', title: 'All Clients', may: 'client.read', page: async () => (await import('./client-list.tsx')).ClientList },
  { path: '/clients/new', title: 'New Client', may: 'client.create', page: async () => (await import('./client-form.tsx')).NewClient },
  {
    path: '/clients/:client_id/edit',
    title: 'Edit Client',
    may: 'client.update',
    page: async () => (await import('./client-form.tsx')).EditClient,
  },
  {
    path: '/clients/:client_id/subscriptions',
    title: 'Subscriptions',
    may: 'client.read_subscription',
    page: async () => (await import('./subscriptions-page.tsx')).SubscriptionsPage,
  },
]
