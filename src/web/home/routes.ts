import type { PageRoute } from '../kernel/page-route.ts'

export const homeRoutes: readonly PageRoute[] = [
  { path: '/', title: 'Home', page: async () => (await import('./home-page.tsx')).HomePage },
  { path: '/clients/:client_id/home', title: 'Today', may: 'client.read', page: async () => (await import('./home-page.tsx')).ClientHome },
  { path: '/landing', title: 'Welcome', page: async () => (await import('./home-page.tsx')).LandingPage },
]
