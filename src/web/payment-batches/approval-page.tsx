import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { paymentApprovalCalls, type BatchApproval } from '#contract/payment-batches/payment-approval.ts'
import { paymentBatchCalls } from '#contract/payment-batches/payment-batch.ts'
import type { PaymentBatchDetail } from '#contract/payment-batches/batch-record.ts'
import { batchStyles } from '../batches/batches.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { ApprovalDialog, type ApprovalAct } from './approval-dialog.tsx'
import { ApprovalMark } from './approval-words.tsx'
import { VendorBatchHead } from './batch-head.tsx'
import styles from './payment-batches.module.css'
import { Payments, Largest, Events } from './approval-parts.tsx'

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
