import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '#contract/kernel/money.ts'
import { paymentBatchCalls } from '#contract/payment-batches/payment-batch.ts'
import type { PaymentBatch, PaymentBatchDetail } from '#contract/payment-batches/batch-record.ts'
import type { ReversalDraft } from '#contract/payment-batches/payment-reversal.ts'
import { paymentNumber, vendorPayment, vendorPaymentCalls, type VendorPayment } from '#contract/payment-batches/vendor-payment.ts'
import { batchStyles } from '../batches/batches.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import type { ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { resultNotice } from '../kernel/notices/notices.ts'
import { Can, useCan } from '../kernel/permissions.tsx'
import { apiQuery, refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import { VendorBatchHead } from './batch-head.tsx'
import { vendorPaymentHref } from './batch-state.tsx'
import { ReverseDialog } from './reverse-dialog.tsx'
import { startPaymentsPdf } from './start-work.ts'

export function VendorPaymentList() {
  const params = { client_id: usePathId('client_id'), id: usePathId('payment_batch_id') }
  const asked = useQuery(apiQuery(paymentBatchCalls.get, { params }))
  return <RecordGate asked={asked}>{(found) => <PaymentsOfBatch batch={found.payment_batch} />}</RecordGate>
}

/** The payments of one vendor batch, smallest first. */
function PaymentsOfBatch({ batch }: { batch: PaymentBatchDetail }) {
  const mayEdit = useCan('payment_batch.update')
  const [reversing, setReversing] = useState<VendorPayment | null>(null)
  const params = useMemo(() => ({ client_id: batch.client_id, payment_batch_id: batch.id }), [batch.client_id, batch.id])
  return (
    <section className={batchStyles.page} aria-label="Payments of the batch">
      <VendorBatchHead batch={batch} tab="vendor_payments" />
      <ListPage
        entity={vendorPayment}
        calls={vendorPaymentCalls}
        title=""
        params={params}
        columns={columns}
        cells={cells}
        rowHref={mayEdit ? (row) => vendorPaymentHref(batch, row, 'bills') : undefined}
        rowLabel={(row) => row.full_name}
        actions={(row) => <Actions batch={batch} row={row} reverse={() => setReversing(row)} />}
        headerActions={
          <Can do="payment_batch.update">
            <SyncButton batch={batch} />
          </Can>
        }
        empty={<EmptyState title="No vendor payments yet">Choose bills: each vendor of theirs gets a payment.</EmptyState>}
      />
      {reversing && (
        <ReverseDialog payment={reversing} reverse={(draft) => reverse(batch, reversing, draft)} onClose={() => setReversing(null)} />
      )}
    </section>
  )
}

const columns: readonly ColumnWish<VendorPayment>[] = [
  { key: 'full_name', label: 'ID', width: 100, pinned: true },
  { key: 'vendor_name', width: 190, grow: true },
  { key: 'payment_date', width: 118 },
  { key: 'check_number', width: 130 },
  { key: 'amount', width: 120 },
  { key: 'reversed_amount', width: 110 },
  { key: 'bill_count', width: 76 },
  { key: 'payment_methods', width: 150 },
  { key: 'locked', width: 100, filter: { kind: 'boolean', key: 'locked' } },
]

const cells = {
  full_name: (row: VendorPayment) => paymentNumber(row.id),
  reversed_amount: (row: VendorPayment) => (isReversed(row) ? formatMoney(row.reversed_amount) : <Missing word="nothing" />),
  locked: (row: VendorPayment) => (row.locked ? lockOf(row) : 'No'),
} as const

const isReversed = (row: VendorPayment): boolean => row.reversed_amount !== '0.00'

function lockOf(row: VendorPayment) {
  if (row.paid)
    return (
      <StatusDot tone="ok" shape="lock">
        Paid
      </StatusDot>
    )
  return isReversed(row) ? (
    <StatusDot tone="bad" shape="lock">
      Reversed
    </StatusDot>
  ) : (
    <StatusDot tone="info" shape="lock">
      Locked
    </StatusDot>
  )
}

function Actions({ batch, row, reverse }: { batch: PaymentBatch; row: VendorPayment; reverse: () => void }) {
  const locked = row.locked ? 'It is locked' : undefined
  return (
    <>
      <Can do="payment_batch.update">
        <MenuItem href={vendorPaymentHref(batch, row, 'bills')}>Bills</MenuItem>
        <MenuItem href={vendorPaymentHref(batch, row, 'edit')} disabledReason={locked}>
          Edit
        </MenuItem>
      </Can>
      <MenuItem disabledReason={row.bill_count === 0 ? 'It pays no bill' : undefined} onSelect={() => void startPaymentsPdf(batch, row)}>
        Payments PDF
      </MenuItem>
      {isReversed(row) && <MenuItem href={vendorPaymentHref(batch, row, 'reversals')}>Reversals</MenuItem>}
      <Can do="payment_reversal.create">
        <MenuItem onSelect={reverse} disabledReason={row.paid ? undefined : 'It is not paid'}>
          Reverse…
        </MenuItem>
      </Can>
      <Can do="payment_batch.destroy">
        <DeleteItem
          call={vendorPaymentCalls.destroy}
          params={{ client_id: batch.client_id, payment_batch_id: batch.id, id: row.id }}
          name={`${row.full_name}: its bills leave the batch`}
          success={messages.vendor_payment_deleted}
          failure={messages.vendor_payment_delete_failed}
          disabledReason={locked}
          onDeleted={() => refresh('payment_batches', 'bills')}
        />
      </Can>
    </>
  )
}

function SyncButton({ batch }: { batch: PaymentBatch }) {
  return (
    <Button disabledReason={batch.closed ? 'The batch is closed' : undefined} onClick={() => void syncPayments(batch)}>
      Sync Vendor Payments
    </Button>
  )
}

async function syncPayments({ client_id, id }: PaymentBatch): Promise<void> {
  try {
    const query = { client_id: String(client_id) }
    const { message, made, moved, emptied } = await callApi(paymentBatchCalls.sync, { params: { client_id, id }, query })
    const done = `${made} made, ${moved} ${moved === 1 ? 'bill' : 'bills'} moved, ${emptied} emptied`
    notify({ kind: 'success', title: message, message: done, duration: seconds.batch })
    refresh('payment_batches', 'vendor_payments', 'bills')
  } catch (error) {
    if (error instanceof ApiProblem && error.signedOut) throw error
    const why = error instanceof ApiProblem && error.status === 409 ? ` ${error.message}` : ''
    notify({ kind: 'error', title: messages.error, message: `${messages.sync_failed}${why}`, duration: seconds.batch })
  }
}

/** The lists are read again whether it succeeded or failed: somebody else may have reversed the payment a moment before. */
async function reverse({ client_id, id: payment_batch_id }: PaymentBatch, { id }: VendorPayment, draft: ReversalDraft): Promise<void> {
  try {
    const body = { payment_reversal: draft }
    resultNotice(await callApi(vendorPaymentCalls.reverse, { params: { client_id, payment_batch_id, id }, body }))
  } finally {
    refresh('payment_batches', 'vendor_payments', 'bills')
  }
}
