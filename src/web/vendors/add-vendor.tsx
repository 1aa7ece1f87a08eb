import { paymentMethodCalls } from '#contract/reference/payment-method.ts'
import { vendor, vendorCalls } from '#contract/vendors/vendor.ts'
import { AddForm } from '../kernel/forms/add-form.tsx'
import type { Adding } from '../kernel/forms/add-new.tsx'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'

const pickers = { payment_method_ids: optionsOf('payment_methods', paymentMethodCalls.selectOptions, {}) }
/** Identification and address only. Payment details are entered in the vendor's own form, where a second person reviews them. */
const sections = [
  { fields: ['name', 'short_code', 'phone', 'payment_method_ids'] },
  { title: 'Address', fields: ['street_address_1', 'street_address_2', 'city', 'state', 'zip', 'country'] },
]

export function AddVendor(adding: Adding) {
  return <AddForm entity={vendor} {...formCalls(vendorCalls, 'vendor', {})} sections={sections} pickers={pickers} adding={adding} />
}
