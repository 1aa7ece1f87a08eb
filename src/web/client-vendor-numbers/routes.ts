import type { PageRoute } from '../kernel/page-route.ts'

const base = '/clients/:client_id/client_vendor_numbers'

export const clientVendorNumberRoutes: readonly PageRoute[] = [
  {
    path: base,
    title: 'Client Vendor Numbers',
    may: 'client.read',
    page: async () => (await import('./vendor-number-list.tsx')).VendorNumberList,
  },
  {
    path: `${base}/new`,
    title: 'New Client Vendor Number',
    may: 'client.update',
    page: async () => (await import('./vendor-number-form.tsx')).NewVendorNumber,
  },
  {
    path: `${base}/:client_vendor_number_id/edit`,
    title: 'Edit Client Vendor Number',
    may: 'client.update',
    page: async () => (await import('./vendor-number-form.tsx')).EditVendorNumber,
  },
]
