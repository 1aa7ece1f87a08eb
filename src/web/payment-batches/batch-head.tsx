import { useState } from 'react'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { paymentBatchCalls } from '#contract/payment-batches/payment-batch.ts'
import type { BatchClosing, PaymentBatch, PaymentBatchDetail } from '#contract/payment-batches/batch-record.ts'
import type { VendorPayment } from '#contract/payment-batches/vendor-payment.ts'
import { type BatchStep, StatePath } from '../batches/batches.ts'
import type { Result } from '#contract/kernel/call.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { Can, useCan } from '../kernel/permissions.tsx'
import { refresh } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { Breadcrumbs, PageHeader, Tabs } from '../ui/page-header.tsx'
import { approvalReason } from './approval-words.tsx'
import { vendorBatchesHref, vendorBatchHref, type VendorBatchTab } from './batch-state.tsx'

interface HeadProps {
  readonly batch: PaymentBatchDetail
  readonly tab: VendorBatchTab
  /** The payment that the page shows. */
  readonly payment?: VendorPayment | undefined
  /** Whether the selection of bills has unsaved changes. */
  readonly unsaved?: boolean
  /** False if the page below has its own heading. */
  readonly heading?: boolean
}

/** The header above the tabs of a vendor batch: payer, amount, state and next step. */
export function VendorBatchHead({ batch, tab, payment, unsaved = false, heading = tab !== 'edit' }: HeadProps) {
  const mayEdit = useCan('payment_batch.update')
  const tabs: readonly { key: VendorBatchTab; label: string; count?: string | undefined }[] = [
    ...(mayEdit ? [{ key: 'edit', label: 'Batch' } as const] : []),
    { key: 'vendor_payments', label: 'Vendor Payments', count: figure(batch.payment_count) },
    ...(mayEdit ? [{ key: 'bills', label: 'Bills', count: figure(batch.bill_count) } as const] : []),
    { key: 'approval', label: 'Approval', count: approvalCount(batch) },
  ]
  const own = payment ? [{ label: payment.full_name }] : []
  const batchCrumb = { label: formatDate(batch.batch_date), href: payment ? vendorBatchHref(batch, 'vendor_payments') : undefined }
  return (
    <>
      <Breadcrumbs
        items={[{ label: 'Vendor Batches', href: vendorBatchesHref(batch.client_id) }, { label: batch.payer_name }, batchCrumb, ...own]}
      />
      {heading && <VendorBatchHeading batch={batch} unsaved={unsaved} />}
      <StatePath steps={stepsOf(batch)} />
      <Tabs
        label="Vendor Batch"
        items={tabs.map(({ key, label, count }) => ({ href: vendorBatchHref(batch, key), current: key === tab, label, count }))}
      />
    </>
  )
}

function VendorBatchHeading({ batch, unsaved }: { batch: PaymentBatchDetail; unsaved: boolean }) {
  return (
    <PageHeader
      title={`${batch.payer_name} ${formatDate(batch.batch_date)}`}
      count={`${figure(batch.bill_count)} ${batch.bill_count === 1 ? 'bill' : 'bills'} · due ${formatDate(batch.bills_due_date)}${reversedWords(batch)}`}
      sum={formatMoney(batch.batch_total)}
      actions={
        <Can do="payment_batch.update">
          <NextStep batch={batch} unsaved={unsaved} />
        </Can>
      }
    />
  )
}

const approvalCount = ({ approvals_given: given, approvals_needed: needed }: PaymentBatch) =>
  needed === 0 ? undefined : `${given} of ${needed}`
const figure = (count: number) => count.toLocaleString('en-US')

const reversedWords = ({ reversed_total: sum }: PaymentBatch) => (sum === '0.00' ? '' : ` · ${formatMoney(sum)} reversed`)

function stepsOf(batch: PaymentBatch): readonly BatchStep[] {
  return [
    { word: 'Open', at: batch.created_at, taken: true, here: !batch.closed },
    { word: 'Closed', at: null, taken: batch.closed, here: batch.closed && !batch.is_paid },
    { word: 'Paid', at: batch.paid_at, taken: batch.is_paid, here: batch.is_paid },
  ]
}

/** Closing pays the ready payments, as the server counts them; a batch that is partly unpaid is opened again. */
function NextStep({ batch, unsaved }: { batch: PaymentBatchDetail; unsaved: boolean }) {
  const attempt = useAttempt()
  const { closing: pays } = batch
  const [last, setLast] = useState<Step | null>(null)
  const take = async (step: Step) => {
    setLast(step)
    if (!(await confirm(step.question))) return
    await attempt.run(async () => {
      try {
        resultNotice(await sendStep(batch, step))
      } finally {
        // After a refusal too: somebody may have changed what the close pays.
        refresh('payment_batches', 'vendor_payments', 'bills')
      }
    })
  }
  return (
    <>
      <FailedAttempt attempt={attempt} again={() => last && void take(last)} />
      {batch.closed ? (
        <Button busy={attempt.busy} disabledReason={batch.is_paid ? 'All of it is paid' : undefined} onClick={() => void take(reopen)}>
          Open again
        </Button>
      ) : (
        <Button kind="primary" busy={attempt.busy} disabledReason={whyNotClosed(batch, unsaved)} onClick={() => void take(closing(pays))}>
          {`Close batch · pays ${figure(pays.ready)} of ${figure(pays.payments)} payments · ${formatMoney(pays.total)}`}
        </Button>
      )}
    </>
  )
}

/** If one person works alone, the server asks for the typed total before it pays what otherwise takes two people. */
async function sendStep(batch: PaymentBatch, { closed, pays }: Step): Promise<Result> {
  const params = { client_id: batch.client_id, id: batch.id }
  const body = { payment_batch: { closed, lock_version: batch.lock_version }, ...(pays ? { pays } : {}) }
  try {
    return await callApi(paymentBatchCalls.update, { params, body })
  } catch (error) {
    if (!(error instanceof ApiProblem) || !('confirmation' in error.fields)) throw error
    const sure = await confirm({
      message: 'You asked for new bank details of one of these vendors.',
      consequence: 'Elsewhere somebody else pays it. Here you do, and that is written down.',
      confirmLabel: 'Close batch',
      typed: batch.batch_total,
    })
    if (!sure) throw error
    return callApi(paymentBatchCalls.update, { params, body: { ...body, confirmation: batch.batch_total } })
  }
}

function whyNotClosed(batch: PaymentBatchDetail, unsaved: boolean): string | undefined {
  if (unsaved) return 'Save the bills first'
  if (batch.bill_count === 0) return 'It holds no bill'
  const unapproved = approvalReason(batch)
  if (unapproved !== undefined) return unapproved
  return batch.closing.ready === 0 ? 'No payment has both a payment date and a payment ID' : undefined
}

interface Step {
  readonly closed: boolean
  /** The payments that the question before the close names. */
  readonly pays?: Pick<BatchClosing, 'ready' | 'total'>
  readonly question: Parameters<typeof confirm>[0]
}

function closing({ ready, total }: BatchClosing): Step {
  const payments = ready === 1 ? '1 payment' : `${figure(ready)} payments`
  return {
    closed: true,
    pays: { ready, total },
    question: {
      message: 'Close this vendor batch?',
      consequence: `The bills of ${payments} become paid: ${formatMoney(total)}. This cannot be taken back.`,
      confirmLabel: 'Close batch',
    },
  }
}

const reopen: Step = {
  closed: false,
  question: {
    message: 'Open this vendor batch again?',
    consequence: 'Its unpaid payments can be changed and paid. Paid bills stay paid.',
    confirmLabel: 'Open again',
  },
}
