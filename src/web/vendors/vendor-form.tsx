import { useQuery } from '@tanstack/react-query'
import { paymentMethodCalls } from '#contract/payment-method.ts'
import { vendor, vendorCalls, type Vendor } from '#contract/vendor.ts'
import { EntityForm, type FormSection } from '../kernel/entity-form.tsx'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { optionsOf } from '../kernel/picker.tsx'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/use-entity-form.ts'
import { apiQuery } from '../kernel/query.ts'

export function NewVendor() {
  return <VendorForm />
}

export function EditVendor() {
  const asked = useQuery(apiQuery(vendorCalls.get, { params: { id: usePathId('id') } }))
  return <RecordGate asked={asked}>{({ vendor: row }) => <VendorForm row={row} />}</RecordGate>
}

const list = '/vendors'
const pickers = { payment_method_ids: optionsOf('payment_methods', paymentMethodCalls.selectOptions, {}) }
const sections: readonly FormSection[] = [
  { fields: ['name', 'short_code', 'phone', 'tariffs_link'] },
  { title: 'Address', fields: ['street_address_1', 'street_address_2', 'city', 'state', 'zip', 'country'] },
  { title: 'Payment', fields: ['payment_method_ids', 'payment_terms_days', 'po_box', 'payment_identifier', 'is_exclusive'] },
]

function VendorForm({ row }: { row?: Vendor }) {
  const go = useGo()
  return (
    <EntityForm
      entity={vendor}
      row={row}
      {...formCalls(vendorCalls, 'vendor', {})}
      sections={sections}
      pickers={pickers}
      startOf={({ payment_methods }) => ({ payment_method_ids: payment_methods?.map((method) => method.id) ?? [] })}
      backHref={list}
      onSaved={() => go(list)}
    />
  )
}
