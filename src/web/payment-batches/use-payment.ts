import { useQuery } from '@tanstack/react-query'
import { paymentBatchCalls } from '#contract/payment-batches/payment-batch.ts'
import { vendorPaymentCalls } from '#contract/payment-batches/vendor-payment.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'

/** Returns the vendor batch and the payment that the address names, as one query for a `RecordGate`. */
export function useBatchAndPayment() {
  const client_id = usePathId('client_id')
  const payment_batch_id = usePathId('payment_batch_id')
  const id = usePathId('vendor_payment_id')
  const batch = useQuery(apiQuery(paymentBatchCalls.get, { params: { client_id, id: payment_batch_id } }))
  const payment = useQuery(apiQuery(vendorPaymentCalls.get, { params: { client_id, payment_batch_id, id } }))
  const data = batch.data && payment.data ? { batch: batch.data.payment_batch, payment: payment.data.vendor_payment } : undefined
  const refetch = () => {
    void batch.refetch()
    void payment.refetch()
  }
  return { data, error: batch.error ?? payment.error, refetch }
}
