import { useQuery } from '@tanstack/react-query'
import { paymentMethodCalls } from '#contract/reference/payment-method.ts'
import { vendor, vendorCalls, type Vendor } from '#contract/vendors/vendor.ts'
import { EntityForm, type FormSection } from '../kernel/forms/entity-form.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { apiQuery } from '../kernel/query.ts'
import { paymentMethodAddition } from '../settings/settings.ts'
import { AdviceNote } from './advice-note.tsx'
import { BankNotes, BankNotesCell } from './bank-notes.tsx'
import { BankNumberField } from './bank-number-field.tsx'
import { useFullNumbers } from './use-full-numbers.ts'

export function NewVendor() {
  return <VendorForm />
}

export function EditVendor() {
  const asked = useQuery(apiQuery(vendorCalls.get, { params: { id: usePathId('id') } }))
  return <RecordGate asked={asked}>{({ vendor: row }) => <VendorForm row={row} />}</RecordGate>
}

const list = '/vendors'
const pickers = { payment_method_ids: optionsOf('payment_methods', paymentMethodCalls.selectOptions, {}, { adds: paymentMethodAddition }) }
const sections: readonly FormSection[] = [
  { fields: ['name', 'short_code', 'phone', 'tariffs_link', 'aliases', 'active'] },
  { title: 'Address', fields: ['street_address_1', 'street_address_2', 'city', 'state', 'zip', 'country'] },
  { title: 'Payment', fields: ['payment_method_ids', 'payment_terms_days', 'remittance', 'is_exclusive'] },
  { title: 'Remittance Advice', fields: ['remittance_email', 'remittance_by_mail'] },
  {
    title: 'Remit To',
    fields: ['remit_name', 'remit_street_address_1', 'remit_street_address_2', 'remit_city', 'remit_state', 'remit_zip'],
  },
  { title: 'Bank Details', fields: ['po_box', 'payment_identifier', 'account_type', 'account_holder', 'prenote_state', 'prenote_date'] },
]

function VendorForm({ row }: { row?: Vendor }) {
  const numbers = useFullNumbers('vendor', row?.id ?? 0)
  return (
    <EntityForm
      entity={vendor}
      row={row}
      {...formCalls(vendorCalls, 'vendor', {})}
      sections={sections}
      pickers={pickers}
      slots={{
        po_box: (slot) => <BankNumberField name="po_box" slot={slot} row={row} numbers={numbers} />,
        payment_identifier: (slot) => <BankNumberField name="payment_identifier" slot={slot} row={row} numbers={numbers} />,
      }}
      startOf={({ payment_methods }) => ({ payment_method_ids: payment_methods?.map((method) => method.id) ?? [] })}
      refreshes={['vendors', 'vendor_bank_changes']}
      aside={row && <BankNotesCell row={row} />}
      backHref={list}
    >
      {row && <AdviceNote row={row} />}
      {row && <BankNotes row={row} />}
    </EntityForm>
  )
}
