import { useMemo } from 'react'
import { clientVendorNumber, clientVendorNumberCalls, type ClientVendorNumber } from '#contract/clients/client-vendor-number.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { messages } from '../kernel/notices/messages.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { VendorNumberFrame } from './vendor-number-frame.tsx'

/** The numbers by which a client knows its vendors, in pages of fixed size: ten rows. */
export function VendorNumberList() {
  const clientId = usePathId('client_id')
  const mayEdit = useCan('client.update')
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const at = addressOf(clientId)
  return (
    <VendorNumberFrame clientId={clientId}>
      <ListPage
        entity={clientVendorNumber}
        calls={clientVendorNumberCalls}
        params={params}
        columns={columns}
        rowHref={mayEdit ? editHref : undefined}
        rowLabel={vendorOf}
        addNew={{ href: `${at}/new`, may: 'client.update' }}
        importHref={`${at}/import`}
        sizes={false}
        actions={mayEdit ? actions : undefined}
        empty={
          <EmptyState title="No vendor numbers yet">
            It is the number by which this client’s own books know a vendor, and it goes into the files that the client loads.
          </EmptyState>
        }
      />
    </VendorNumberFrame>
  )
}

const columns = [{ key: 'vendor_name', width: 320 }, 'vendor_number'] as const

function actions(row: ClientVendorNumber) {
  return (
    <Can do="client.update">
      <MenuItem href={editHref(row)}>Edit</MenuItem>
      <DeleteItem
        call={clientVendorNumberCalls.destroy}
        params={{ client_id: row.client_id, id: row.id }}
        name={`${row.vendor_name}: ${row.vendor_number}`}
        question={messages.delete_client_vendor_number_question}
        success={messages.client_vendor_number_deleted}
        failure={messages.client_vendor_number_delete_failed}
      />
    </Can>
  )
}

function vendorOf(row: ClientVendorNumber): string {
  return row.vendor_name
}

function editHref(row: ClientVendorNumber): string {
  return `${addressOf(row.client_id)}/${row.id}/edit`
}

function addressOf(clientId: number): string {
  return `/clients/${clientId}/client_vendor_numbers`
}
