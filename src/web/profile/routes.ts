import type { PageRoute } from '../kernel/page-route.ts'

export const profileRoutes: readonly PageRoute[] = [
  { path: '/users/profile', title: 'User Profile', page: async () => (await import('./profile-page.tsx')).ProfilePage },
  { path: '/users/profile/display', title: 'Display', page: async () => (await import('./display-page.tsx')).DisplayPage },
  {
    path: '/users/profile/notifications',
    title: 'Notifications',
    page: async () => (await import('./notifications-page.tsx')).NotificationsPage,
  },
  { path: '/users/profile/sign_ins', title: 'Sign-ins', page: async () => (await import('./sign-ins-page.tsx')).SignInsPage },
  {
    path: '/users/profile/second_factor',
    title: 'Second Factor',
    page: async () => (await import('./second-factor-page.tsx')).SecondFactorPage,
  },
]
