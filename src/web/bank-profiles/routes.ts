import type { PageRoute } from '../kernel/page-route.ts'

export const bankProfileRoutes: readonly PageRoute[] = [
  {
    path: '/originating_profiles',
    title: 'Bank Profiles',
    may: 'global_batch.read',
    page: async () => (await import('./bank-profile-list.tsx')).BankProfileList,
  },
  {
    path: '/originating_profiles/new',
    title: 'New Bank Profile',
    may: 'global_batch.create',
    page: async () => (await import('./bank-profile-form.tsx')).NewBankProfile,
  },
  {
    path: '/originating_profiles/:id/edit',
    title: 'Edit Bank Profile',
    may: 'global_batch.update',
    page: async () => (await import('./bank-profile-form.tsx')).EditBankProfile,
  },
  {
    path: '/originating_profiles/:id/layouts',
    title: 'Layouts of a Bank Profile',
    may: 'global_batch.read',
    page: async () => (await import('./profile-layouts.tsx')).ProfileLayouts,
  },
]
