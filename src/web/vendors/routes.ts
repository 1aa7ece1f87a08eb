import type { PageRoute } from '../kernel/page-route.ts'

export const vendorRoutes: readonly PageRoute[] = [
  { path: '/vendors', title: 'Vendors', may: 'vendor.read', page: async () => (await import('./vendor-list.tsx')).VendorList },
  { path: '/vendors/new', title: 'New Vendor', may: 'vendor.create', page: async () => (await import('./vendor-form.tsx')).NewVendor },
  {
    path: '/vendors/:id/edit',
    title: 'Edit Vendor',
    may: 'vendor.update',
    page: async () => (await import('./vendor-form.tsx')).EditVendor,
  },
  {
    path: '/vendors/:id/bank_changes',
    title: 'Bank Changes',
    may: 'vendor.update',
    page: async () => (await import('./bank-change-list.tsx')).BankChangesOfVendor,
  },
  {
    path: '/vendor_bank_changes',
    title: 'Vendor Bank Changes',
    may: 'vendor.update',
    page: async () => (await import('./bank-change-list.tsx')).BankChangeList,
  },
  {
    path: '/vendor_bank_changes/:id',
    title: 'Bank Change',
    may: 'vendor.update',
    page: async () => (await import('./bank-change-page.tsx')).BankChangePage,
  },
]
