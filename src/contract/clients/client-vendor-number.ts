/** The number of a vendor in a client's own accounting. A client has one per vendor, since its files name each vendor once. */
import { crudCalls } from '../kernel/call.ts'
import { derived, entity, ref, text, type Draft, type Row, numberText } from '../kernel/entity.ts'

export const clientVendorNumber = entity(
  'client_vendor_number',
  'client_vendor_numbers',
  {
    vendor_id: ref('Vendor', 'vendors'),
    vendor_name: derived(text('Vendor Name')),
    vendor_number: numberText('Vendor Number', 100),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: ['id', 'vendor_id', 'vendor_name', 'vendor_number'],
    sort: ['vendor_name', 'vendor_number', 'id'],
    defaultSort: 'vendor_name asc',
  },
)
export type ClientVendorNumber = Row<typeof clientVendorNumber>
export type ClientVendorNumberDraft = Draft<typeof clientVendorNumber>

/** They belong to the client: the rights to read and change the client cover them. */
export const clientVendorNumberCalls = {
  ...crudCalls(clientVendorNumber, '/clients/:client_id/client_vendor_numbers', {
    read: 'client.read',
    create: 'client.update',
    update: 'client.update',
    destroy: 'client.update',
  }),
}
