/** The payments, largest bills and events of an approval. */
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { unusualMarks, type BatchApproval } from '#contract/payment-batches/payment-approval.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { UiLink } from '../ui/link.tsx'
import { Badge, Missing } from '../ui/status.tsx'
import styles from './payment-batches.module.css'

const markLabels = new Map<string, string>(unusualMarks.map(({ value, label }) => [value, label]))

export function Payments({ clientId, payments }: { clientId: number; payments: BatchApproval['payments'] }) {
  const batchId = usePathId('payment_batch_id')
  if (payments.length === 0) return null
  return (
    <section aria-labelledby="approval-payments">
      <h2 id="approval-payments" className={styles.heading}>
        Payments
      </h2>
      <ul className={styles.cards}>
        {payments.map((payment) => (
          <li key={payment.id}>
            <span className={styles.cardHead}>
              <b>{payment.vendor_name}</b>
              <b className="num">{formatMoney(payment.amount)}</b>
            </span>
            <span className={styles.quiet}>
              {payment.bill_count === 1 ? '1 bill' : `${payment.bill_count} bills`}
              {' · '}
              {payment.last_date === null || payment.last_amount === null
                ? 'no payment before'
                : `last ${formatMoney(payment.last_amount)} on ${formatDate(payment.last_date)}`}
            </span>
            {payment.marks.length > 0 && (
              <span className={styles.marks}>
                {payment.marks.map((mark) => (
                  <Badge key={mark} tone="warn">
                    {markLabels.get(mark) ?? mark}
                  </Badge>
                ))}
              </span>
            )}
          </li>
        ))}
      </ul>
      <UiLink href={`/clients/${clientId}/payment_batches/${batchId}/vendor_payments`}>All vendor payments</UiLink>
    </section>
  )
}

export function Largest({ clientId, bills }: { clientId: number; bills: BatchApproval['largest'] }) {
  if (bills.length === 0) return null
  return (
    <section aria-labelledby="approval-largest">
      <h2 id="approval-largest" className={styles.heading}>
        {bills.length === 1 ? 'The bill' : `The ${bills.length} largest bills`}
      </h2>
      <ul className={styles.cards}>
        {bills.map((bill) => (
          <li key={bill.id}>
            <span className={styles.cardHead}>
              <UiLink href={`/clients/${clientId}/bills/${bill.id}`}>{`${bill.vendor_name} · ${bill.account_number}`}</UiLink>
              <b className="num">{formatMoney(bill.amount_paid)}</b>
            </span>
            <span className={`${styles.quiet} num`}>
              {bill.facility_name ?? 'No facility'}
              {` · ${formatDate(bill.date)}, due ${formatDate(bill.due_date)}`}
              {bill.amount_paid === bill.amount_due ? '' : ` · ${formatMoney(bill.amount_due)} are due`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const eventWords: Readonly<Record<BatchApproval['events'][number]['kind'], string>> = {
  requested: 'asked for approval',
  approved: 'approved',
  rejected: 'rejected it',
  asked: 'asked',
  answered: 'answered',
}

export function Events({ events }: { events: BatchApproval['events'] }) {
  if (events.length === 0) return null
  return (
    <section aria-labelledby="approval-events">
      <h2 id="approval-events" className={styles.heading}>
        What was said
      </h2>
      <ol className={styles.events}>
        {events.map((event) => (
          <li key={event.id} data-ended={event.ended_at !== null || undefined}>
            <span>
              <b>{event.user_name ?? <Missing word="somebody who is gone" />}</b>
              {` ${eventWords[event.kind]}${event.step_name === null ? '' : ` ${event.step_name}`}, ${formatMoney(event.total)}`}
              {event.alone && ', alone'}
              {' · '}
              <NewYorkTime at={event.created_at} />
            </span>
            {event.comment !== null && <q>{event.comment}</q>}
            {event.ended_why !== null && <span className={styles.quiet}>{`No longer stands: ${event.ended_why}`}</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}
