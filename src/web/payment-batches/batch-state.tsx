import type { PaymentBatch } from '#contract/payment-batches/batch-record.ts'
import type { VendorPayment } from '#contract/payment-batches/vendor-payment.ts'
import { StatusDot } from '../ui/status.tsx'

export type VendorBatchTab = 'edit' | 'bills' | 'vendor_payments' | 'approval'
type OneBatch = Pick<PaymentBatch, 'client_id' | 'id'>

export const vendorBatchesHref = (clientId: number): string => `/clients/${clientId}/payment_batches`

export function vendorBatchHref({ client_id, id }: OneBatch, tab: VendorBatchTab): string {
  return `${vendorBatchesHref(client_id)}/${id}/${tab}`
}

export function vendorPaymentHref(batch: OneBatch, { id }: Pick<VendorPayment, 'id'>, tab: 'edit' | 'bills' | 'reversals'): string {
  return `${vendorBatchHref(batch, 'vendor_payments')}/${id}/${tab}`
}

/** The state of a batch with its colour: open, closed or paid. */
export function stateOf({ closed, is_paid }: Pick<PaymentBatch, 'closed' | 'is_paid'>) {
  if (is_paid) return <StatusDot tone="ok">Paid</StatusDot>
  return closed ? (
    <StatusDot tone="info" shape="lock">
      Closed
    </StatusDot>
  ) : (
    <StatusDot tone="grey" shape="ring">
      Open
    </StatusDot>
  )
}
