import type { PageRoute } from '../kernel/page-route.ts'

export const paymentMethodRoutes: readonly PageRoute[] = [
  {
    path: '/payment_methods',
    title: 'Payment Methods',
    may: 'setting.read',
    page: async () => (await import('./payment-method-pages.tsx')).List,
  },
  {
    path: '/payment_methods/new',
    title: 'New Payment Method',
    may: 'setting.create',
    page: async () => (await import('./payment-method-pages.tsx')).New,
  },
  {
    path: '/payment_methods/:id/edit',
    title: 'Edit Payment Method',
    may: 'setting.update',
    page: async () => (await import('./payment-method-pages.tsx')).Edit,
  },
]
