import { useState } from 'react'
import type { GlobalBatch, GlobalBatchPayment } from '#contract/global-batches/global-batch.ts'
import { firstPaymentText } from '#contract/global-batches/first-payment.ts'
import { globalPaymentCalls } from '#contract/global-batches/global-payment.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { reversalKinds, type ReversalDraft } from '#contract/payment-batches/payment-reversal.ts'
import { callApi } from '../kernel/api.ts'
import { resultNotice } from '../kernel/notices/notices.ts'
import { useCan } from '../kernel/permissions.tsx'
import { PaymentAdvice, ReverseDialog } from '../payment-batches/payment-batches.ts'
import { Button } from '../ui/button.tsx'
import { Missing } from '../ui/status.tsx'
import styles from './global-batches.module.css'
import { refreshDesk } from './refresh-desk.ts'

interface PaymentsProps {
  readonly batch: Pick<GlobalBatch, 'id'>
  readonly payments: readonly GlobalBatchPayment[]
}

/** The payments of a batch that is paid: what each paid, what came back of it, and taking it back. */
export function BatchPayments({ batch, payments }: PaymentsProps) {
  const may = useCan('global_batch.update')
  const [reversing, setReversing] = useState<GlobalBatchPayment | null>(null)
  return (
    <div className={styles.payments}>
      <table className={styles.paymentTable} aria-label="Payments of the batch">
        <thead>
          <tr>
            <th scope="col">Payment</th>
            <th scope="col">Date</th>
            <th scope="col">Check or Trace Number</th>
            <th scope="col">Paid</th>
            <th scope="col">Cleared</th>
            <th scope="col">Remittance Advice</th>
            <th scope="col">Reversed</th>
            <th scope="col">Reason</th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <tr key={payment.id}>
              <th scope="row">
                {payment.full_name}
                {payment.first_since && <small className={styles.first}>{firstPaymentText(payment.first_since)}</small>}
              </th>
              <td className="num">{payment.payment_date === null ? <Missing /> : formatDate(payment.payment_date)}</td>
              <td className="num">{payment.check_number ?? payment.trace_number ?? <Missing />}</td>
              <td className="num">{formatMoney(payment.amount)}</td>
              <td className="num">{payment.cleared_on === null ? <Missing word="outstanding" /> : formatDate(payment.cleared_on)}</td>
              <td>
                <PaymentAdvice payment={payment} />
              </td>
              <td className="num">
                {payment.reversal === null ? (
                  <Missing word="nothing" />
                ) : (
                  `${formatMoney(payment.reversed_amount)} on ${formatDate(payment.reversal.reversed_date)}`
                )}
              </td>
              <td className={styles.reason}>{reasonOf(payment) ?? <Missing word="none" />}</td>
              <td>
                {payment.paid && (
                  <Button
                    disabledReason={may ? undefined : 'You may not reverse it'}
                    aria-label={`Reverse ${payment.full_name}`}
                    onClick={() => setReversing(payment)}
                  >
                    Reverse…
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {reversing && (
        <ReverseDialog payment={reversing} reverse={(draft) => reverse(batch.id, reversing.id, draft)} onClose={() => setReversing(null)} />
      )}
    </div>
  )
}

/** The open payments that would be the first to their vendors since a change of bank details. */
export function FirstPayments({ payments }: Pick<PaymentsProps, 'payments'>) {
  const first = payments.flatMap(({ id, full_name, first_since }) => (first_since ? [{ id, full_name, first_since }] : []))
  if (first.length === 0) return null
  return (
    <ul className={styles.reasons} aria-label="First payments">
      {first.map(({ id, full_name, first_since }) => (
        <li key={id}>{`${full_name}: ${firstPaymentText(first_since)}`}</li>
      ))}
    </ul>
  )
}

/** 'Void check. The check was lost in the mail'. */
function reasonOf({ reversal }: GlobalBatchPayment): string | undefined {
  if (reversal === null) return undefined
  const kind = reversalKinds.find(({ value }) => value === reversal.kind)?.label ?? reversal.kind
  return `${kind}. ${reversal.reason}`
}

async function reverse(id: number, vendor_payment_id: number, draft: ReversalDraft): Promise<void> {
  try {
    resultNotice(await callApi(globalPaymentCalls.reverse, { params: { id, vendor_payment_id }, body: { payment_reversal: draft } }))
  } finally {
    refreshDesk()
  }
}
