import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { paymentApprovalCalls, unusualMarks, type BatchApproval } from '#contract/payment-batches/payment-approval.ts'
import { paymentBatchCalls, type PaymentBatchDetail } from '#contract/payment-batches/payment-batch.ts'
import { batchStyles } from '../batches/batches.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { Badge, Missing } from '../ui/status.tsx'
import { ApprovalDialog, type ApprovalAct } from './approval-dialog.tsx'
import { ApprovalMark } from './approval-words.tsx'
import { VendorBatchHead } from './batch-head.tsx'
import styles from './payment-batches.module.css'

/** The approval of a batch: its requirements, the decisions so far, and what is unusual. Also laid out for phones. */
export function VendorBatchApproval() {
  const params = { client_id: usePathId('client_id'), id: usePathId('payment_batch_id') }
  const batch = useQuery(apiQuery(paymentBatchCalls.get, { params }))
  const approval = useQuery(apiQuery(paymentApprovalCalls.get, { params }))
  const data = batch.data && approval.data ? { batch: batch.data.payment_batch, approval: approval.data.approval } : undefined
  const refetch = () => {
    void batch.refetch()
    void approval.refetch()
  }
  return (
    <RecordGate asked={{ data, error: batch.error ?? approval.error, refetch }}>
      {(found) => <Approval batch={found.batch} approval={found.approval} />}
    </RecordGate>
  )
}

interface Parts {
  readonly batch: PaymentBatchDetail
  readonly approval: BatchApproval
}

function Approval({ batch, approval }: Parts) {
  return (
    <section className={batchStyles.page} aria-label="Approval of the batch">
      <VendorBatchHead batch={batch} tab="approval" />
      <Decision batch={batch} approval={approval} />
      <Steps batch={batch} approval={approval} />
      <Payments clientId={batch.client_id} payments={approval.payments} />
      <Largest clientId={batch.client_id} bills={approval.largest} />
      <Events events={approval.events} />
    </section>
  )
}

/** The user's possible actions, or why there are none. */
function Decision({ batch, approval }: Parts) {
  const [act, setAct] = useState<ApprovalAct | null>(null)
  const isOpen = approval.state === 'needed' || approval.state === 'rejected' || approval.state === 'held'
  const maker = useCan('payment_batch.update')
  return (
    <div className={styles.decision}>
      <ApprovalMark batch={batch} />
      <span className="num">{`${formatMoney(approval.total)} · due ${formatDate(batch.bills_due_date)}`}</span>
      <span className={styles.acts}>
        {maker && isOpen && !batch.closed && (
          <Button
            kind={approval.may_approve ? 'default' : 'primary'}
            onClick={() => setAct(approval.state === 'held' ? 'answer' : 'request')}
          >
            {approval.state === 'held' ? 'Answer…' : 'Request approval…'}
          </Button>
        )}
        {approval.may_approve && (
          <>
            <Button onClick={() => setAct('ask')}>Ask…</Button>
            <Button onClick={() => setAct('reject')}>Reject…</Button>
            <Button kind="primary" onClick={() => setAct('approve')}>{`Approve ${formatMoney(approval.total)}…`}</Button>
          </>
        )}
      </span>
      {approval.why_not !== null && approval.state !== 'not_needed' && <p className={styles.quiet}>{approval.why_not}</p>}
      {act !== null && <ApprovalDialog act={act} batch={batch} approval={approval} onClose={() => setAct(null)} />}
    </div>
  )
}

function Steps({ batch, approval }: Parts) {
  if (approval.steps.length === 0)
    return (
      <p className={styles.quiet}>
        Vendor batches of this client need no approval.{' '}
        <Can do="client.update">
          <UiLink href={`/clients/${batch.client_id}/payment_settings`}>Set steps</UiLink>
        </Can>
      </p>
    )
  return (
    <ol className={styles.steps} aria-label="Steps">
      {approval.steps.map((step) => (
        <li key={step.id} data-needed={step.needed || undefined}>
          <b>{step.name}</b>
          <span className="num">{`above ${formatMoney(step.above_amount)}`}</span>
          <span>{step.approver_names.join(', ')}</span>
          <span>
            {step.approved_at === null ? (
              step.needed ? (
                'open'
              ) : (
                'not needed'
              )
            ) : (
              <>
                {`approved by ${step.approved_by_name ?? 'somebody who is gone'}, `}
                <NewYorkTime at={step.approved_at} />
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

const markLabels = new Map<string, string>(unusualMarks.map(({ value, label }) => [value, label]))

function Payments({ clientId, payments }: { clientId: number; payments: BatchApproval['payments'] }) {
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

function Largest({ clientId, bills }: { clientId: number; bills: BatchApproval['largest'] }) {
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

function Events({ events }: { events: BatchApproval['events'] }) {
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
