import { useQuery } from '@tanstack/react-query'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { reversalKinds, type PaymentReversal } from '#contract/payment-batches/payment-reversal.ts'
import { vendorPaymentCalls } from '#contract/payment-batches/vendor-payment.ts'
import { batchStyles } from '../batches/batches.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import plain from '../ui/plain-table.module.css'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import { VendorBatchHead } from './batch-head.tsx'
import styles from './payment-batches.module.css'
import { useBatchAndPayment } from './use-payment.ts'

/** The reversals of a payment: user, time, reason, and the bills that were opened again. */
export function VendorPaymentReversals() {
  const asked = useBatchAndPayment()
  const params = { client_id: usePathId('client_id'), payment_batch_id: usePathId('payment_batch_id'), id: usePathId('vendor_payment_id') }
  const reversals = useQuery(apiQuery(vendorPaymentCalls.reversals, { params }))
  const data = asked.data && reversals.data ? { ...asked.data, rows: reversals.data.payment_reversals } : undefined
  const refetch = () => {
    asked.refetch()
    void reversals.refetch()
  }
  return (
    <RecordGate asked={{ data, error: asked.error ?? reversals.error, refetch }}>
      {({ batch, payment, rows }) => (
        <section className={batchStyles.page} aria-label={`Reversals of ${payment.full_name}`}>
          <VendorBatchHead batch={batch} tab="vendor_payments" payment={payment} />
          {rows.length === 0 ? (
            <EmptyState title="Nothing of this payment was reversed">A paid payment can be reversed from the list of payments.</EmptyState>
          ) : (
            <ReversalTable clientId={batch.client_id} rows={rows} total={payment.reversed_amount} />
          )}
        </section>
      )}
    </RecordGate>
  )
}

function ReversalTable({ clientId, rows, total }: { clientId: number; rows: readonly PaymentReversal[]; total: string }) {
  return (
    <div className={plain.scroll}>
      <table className={cx(plain.table, styles.reversals)} aria-label="Reversals">
        <thead>
          <tr>
            <th scope="col">Bill</th>
            <th scope="col" className={plain.figure}>
              Amount
            </th>
            <th scope="col">Kind</th>
            <th scope="col">Reversed On</th>
            <th scope="col">Reason</th>
            <th scope="col">By</th>
            <th scope="col">Written Down</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <UiLink href={`/clients/${clientId}/bills/${row.bill_id}`}>{`${row.account_number}, ${formatDate(row.bill_date)}`}</UiLink>
              </td>
              <td className={`${plain.figure} num`}>{formatMoney(row.amount)}</td>
              <td>{[kindWord(row), row.return_code].filter(Boolean).join(' ')}</td>
              <td className="num">{formatDate(row.reversed_date)}</td>
              <td className={styles.words}>{row.reason}</td>
              <td>{row.created_by_name ?? <Missing word="nobody who is still known" />}</td>
              <td>
                <NewYorkTime at={row.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className={`${plain.figure} num`}>{formatMoney(total)}</td>
            <td colSpan={5} />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

const kindWord = ({ kind }: PaymentReversal): string => reversalKinds.find(({ value }) => value === kind)?.label ?? kind
