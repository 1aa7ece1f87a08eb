import type { PageRoute } from '../kernel/page-route.ts'

const list = '/clients/:client_id/payment_batches'
const one = `${list}/:payment_batch_id`
const payments = `${one}/vendor_payments`

export const paymentBatchRoutes: readonly PageRoute[] = [
  {
    path: list,
    title: 'Vendor Batches',
    may: 'payment_batch.read',
    page: async () => (await import('./batch-list.tsx')).VendorBatchList,
  },
  {
    path: `${list}/new`,
    title: 'New Vendor Batch',
    may: 'payment_batch.create',
    page: async () => (await import('./batch-form.tsx')).NewVendorBatch,
  },
  {
    path: `${one}/edit`,
    title: 'Edit Vendor Batch',
    may: 'payment_batch.update',
    page: async () => (await import('./batch-form.tsx')).EditVendorBatch,
  },
  {
    path: `${one}/bills`,
    title: 'Vendor Batch Bills',
    may: 'payment_batch.update',
    page: async () => (await import('./payment-bills.tsx')).VendorBatchBills,
  },
  {
    path: payments,
    title: 'Vendor Payments',
    may: 'payment_batch.read',
    page: async () => (await import('./payment-list.tsx')).VendorPaymentList,
  },
  {
    path: `${payments}/:vendor_payment_id/edit`,
    title: 'Edit Vendor Payment',
    may: 'payment_batch.update',
    page: async () => (await import('./payment-form.tsx')).EditVendorPayment,
  },
  {
    path: `${payments}/:vendor_payment_id/bills`,
    title: 'Vendor Payment Bills',
    may: 'payment_batch.update',
    page: async () => (await import('./payment-bills.tsx')).VendorPaymentBills,
  },
  {
    path: `${payments}/:vendor_payment_id/reversals`,
    title: 'Vendor Payment Reversals',
    may: 'payment_batch.read',
    page: async () => (await import('./reversal-page.tsx')).VendorPaymentReversals,
  },
  {
    path: `${one}/approval`,
    title: 'Vendor Batch Approval',
    may: 'payment_batch.read',
    page: async () => (await import('./approval-page.tsx')).VendorBatchApproval,
  },
  {
    path: '/clients/:client_id/payment_settings',
    title: 'Approval of Vendor Batches',
    may: 'payment_batch.read',
    page: async () => (await import('./payment-settings-form.tsx')).PaymentSettings,
  },
  {
    path: '/global_batch/advices',
    title: 'Remittance Advices',
    may: 'global_batch.read',
    staff: true,
    page: async () => (await import('./advice-list.tsx')).AdviceList,
  },
]
