import { formatMoney } from '#contract/kernel/money.ts'
import type { PaymentBatchDetail } from '#contract/payment-batches/batch-record.ts'
import { vendorPayment, vendorPaymentCalls, type VendorPayment } from '#contract/payment-batches/vendor-payment.ts'
import { EntityForm, type FormSection } from '../kernel/forms/entity-form.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { VendorBatchHead } from './batch-head.tsx'
import { vendorBatchHref, vendorPaymentHref } from './batch-state.tsx'
import { useBatchAndPayment } from './use-payment.ts'

export function EditVendorPayment() {
  const asked = useBatchAndPayment()
  return (
    <RecordGate asked={asked}>
      {({ batch, payment }) => <PaymentForm key={payment.lock_version} batch={batch} payment={payment} />}
    </RecordGate>
  )
}

const sections: readonly FormSection[] = [{ fields: ['payment_date', 'check_number'] }]

function PaymentForm({ batch, payment }: { batch: PaymentBatchDetail; payment: VendorPayment }) {
  const back = vendorBatchHref(batch, 'vendor_payments')
  const why = payment.paid ? 'This payment is paid.' : 'The vendor batch is closed. Open it again to change its payments.'
  return (
    <>
      <VendorBatchHead batch={batch} tab="vendor_payments" payment={payment} heading={false} />
      <EntityForm
        entity={vendorPayment}
        row={payment}
        {...formCalls(vendorPaymentCalls, 'vendor_payment', { client_id: batch.client_id, payment_batch_id: batch.id })}
        sections={sections}
        locked={payment.locked ? { payment_date: why, check_number: why } : undefined}
        refreshes={['vendor_payments', 'payment_batches', 'bills']}
        title={payment.full_name}
        backHref={back}
        savedLink={() => ({ href: vendorPaymentHref(batch, payment, 'bills'), label: `Bills of ${payment.full_name}` })}
      >
        <TextField label="Vendor" value={payment.vendor_name} onChange={ignore} disabled />
        <TextField label="Amount" value={formatMoney(payment.amount)} onChange={ignore} disabled />
      </EntityForm>
    </>
  )
}

const ignore = () => undefined
