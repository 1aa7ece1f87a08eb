import { useMemo } from 'react'
import { formatDate } from '#contract/kernel/date.ts'
import { paymentBatchCalls } from '#contract/payment-batches/payment-batch.ts'
import { paymentBatch, type PaymentBatch } from '#contract/payment-batches/batch-record.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import type { ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { Can } from '../kernel/permissions.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import { ApprovalMark } from './approval-words.tsx'
import { stateOf, vendorBatchesHref, vendorBatchHref } from './batch-state.tsx'
import { exportBills, startVoucherCsv, startVoucherPdf } from './start-work.ts'

/** The vendor batches of one client, newest first. */
export function VendorBatchList() {
  const clientId = usePathId('client_id')
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  return (
    <ListPage
      entity={paymentBatch}
      calls={paymentBatchCalls}
      params={params}
      columns={columns}
      cells={cells}
      rowHref={(row) => vendorBatchHref(row, 'vendor_payments')}
      rowLabel={nameOf}
      addNew={{ href: `${vendorBatchesHref(clientId)}/new`, may: 'payment_batch.create' }}
      actions={actions}
      headerActions={<ButtonLink href={`/clients/${clientId}/payment_settings`}>Approval steps</ButtonLink>}
      empty={<EmptyState title="No vendor batches yet">A vendor batch gathers bills of one payer and pays each vendor once.</EmptyState>}
    />
  )
}

const columns: readonly ColumnWish<PaymentBatch>[] = [
  { key: 'payer_name', label: 'Payer', width: 130, pinned: true },
  { key: 'vendor_names', label: 'Vendors', width: 170, grow: true, sortable: false, card: 'second' },
  { key: 'batch_date', width: 98 },
  { key: 'bills_due_date', width: 98, card: 'second' },
  { key: 'batch_total', width: 108, card: 'figure' },
  { key: 'reversed_total', width: 104, hidden: true },
  { key: 'bill_count', width: 66, card: 'second' },
  { key: 'approval_state', width: 96, grow: false, card: 'badge' },
  { key: 'paid_as', width: 90 },
  { key: 'closed', width: 92, card: 'badge', filter: { kind: 'boolean', key: 'closed' } },
  { key: 'notes', width: 110 },
  { key: 'created_at', width: 104 },
]

const cells = {
  approval_state: (row: PaymentBatch) => <ApprovalMark batch={row} />,
  vendor_names: (row: PaymentBatch) => (row.vendor_names.length === 0 ? <Missing /> : row.vendor_names.join(', ')),
  closed: (row: PaymentBatch) => (row.closed ? stateOf(row) : 'No'),
} as const

const nameOf = (row: PaymentBatch): string => `${row.payer_name} ${formatDate(row.batch_date)}`

function actions(row: PaymentBatch) {
  const empty = row.bill_count === 0 ? 'It holds no bill' : undefined
  return (
    <>
      <MenuItem href={vendorBatchHref(row, 'vendor_payments')}>Vendor Payments</MenuItem>
      <MenuItem disabledReason={empty} onSelect={() => void startVoucherCsv(row)}>
        Voucher CSV
      </MenuItem>
      <MenuItem disabledReason={empty} onSelect={() => void startVoucherPdf(row)}>
        Voucher PDF
      </MenuItem>
      <MenuItem onSelect={() => void exportBills(row)}>Export bills</MenuItem>
      <MenuItem href={vendorBatchHref(row, 'approval')}>Approval</MenuItem>
      <Can do="payment_batch.update">
        <MenuItem href={vendorBatchHref(row, 'bills')}>Bills</MenuItem>
        <MenuItem href={vendorBatchHref(row, 'edit')}>Edit</MenuItem>
      </Can>
      <Can do="payment_batch.destroy">
        <DeleteItem
          call={paymentBatchCalls.destroy}
          params={{ client_id: row.client_id, id: row.id }}
          name={nameOf(row)}
          disabledReason={row.has_been_closed ? 'It has been closed, so it is kept' : undefined}
        />
      </Can>
    </>
  )
}
