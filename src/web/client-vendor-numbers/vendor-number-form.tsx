import { useQuery } from '@tanstack/react-query'
import { clientVendorNumber, clientVendorNumberCalls, type ClientVendorNumber } from '#contract/clients/client-vendor-number.ts'
import { vendorCalls } from '#contract/vendors/vendor.ts'
import { EntityForm } from '../kernel/forms/entity-form.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { vendorAddition } from '../vendors/vendors.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { VendorNumberFrame } from './vendor-number-frame.tsx'

export function NewVendorNumber() {
  return <VendorNumberForm />
}

export function EditVendorNumber() {
  const params = { client_id: usePathId('client_id'), id: usePathId('client_vendor_number_id') }
  const asked = useQuery(apiQuery(clientVendorNumberCalls.get, { params }))
  return <RecordGate asked={asked}>{(found) => <VendorNumberForm row={found.client_vendor_number} />}</RecordGate>
}

const pickers = { vendor_id: optionsOf('vendors', vendorCalls.selectOptions, {}, { adds: vendorAddition }) }
const sections = [{ fields: ['vendor_id', 'vendor_number'] }] as const

function VendorNumberForm({ row }: { row?: ClientVendorNumber }) {
  const client_id = usePathId('client_id')
  const list = `/clients/${client_id}/client_vendor_numbers`
  return (
    <VendorNumberFrame clientId={client_id} page={row ? row.vendor_name : 'New'}>
      <EntityForm
        entity={clientVendorNumber}
        row={row}
        {...formCalls(clientVendorNumberCalls, 'client_vendor_number', { client_id })}
        sections={sections}
        pickers={pickers}
        backHref={list}
      />
    </VendorNumberFrame>
  )
}
