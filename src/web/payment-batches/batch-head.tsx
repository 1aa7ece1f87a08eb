import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import { pageSizeMax } from '#contract/kernel/query.ts'
import { paymentBatchCalls, type PaymentBatch } from '#contract/payment-batches/payment-batch.ts'
import { vendorPaymentCalls, type VendorPayment } from '#contract/payment-batches/vendor-payment.ts'
import { type BatchStep, StatePath } from '../batches/batches.ts'
import type { Result } from '#contract/kernel/call.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { Can, useCan } from '../kernel/permissions.tsx'
import { apiQuery, refresh } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { Breadcrumbs, PageHeader, Tabs } from '../ui/page-header.tsx'
import { approvalReason } from './approval-words.tsx'
import { vendorBatchesHref, vendorBatchHref, type VendorBatchTab } from './batch-state.tsx'

interface HeadProps {
  readonly batch: PaymentBatch
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

function VendorBatchHeading({ batch, unsaved }: { batch: PaymentBatch; unsaved: boolean }) {
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

/** Closing pays the ready bills; a batch that is partly unpaid is opened again. */
function NextStep({ batch, unsaved }: { batch: PaymentBatch; unsaved: boolean }) {
  const attempt = useAttempt()
  const params = { client_id: batch.client_id, payment_batch_id: batch.id }
  const { data } = useQuery(apiQuery(vendorPaymentCalls.list, { params, query: { per: pageSizeMax } }))
  const payments = data?.vendor_payments ?? []
  const ready = payments.filter((payment) => !payment.paid && payment.payment_date !== null && payment.check_number !== null)
  const [last, setLast] = useState<Step | null>(null)
  const take = async (step: Step) => {
    setLast(step)
    if (!(await confirm(step.question))) return
    await attempt.run(async () => {
      resultNotice(await sendStep(batch, step))
      refresh('payment_batches', 'vendor_payments', 'bills')
    })
  }
  const sum = formatMoney(sumMoney(ready.map((payment) => payment.amount)))
  return (
    <>
      <FailedAttempt attempt={attempt} again={() => last && void take(last)} />
      {batch.closed ? (
        <Button busy={attempt.busy} disabledReason={batch.is_paid ? 'All of it is paid' : undefined} onClick={() => void take(reopen)}>
          Open again
        </Button>
      ) : (
        <Button
          kind="primary"
          busy={attempt.busy}
          disabledReason={whyNotClosed(batch, ready.length, unsaved)}
          onClick={() => void take(closing(ready, sum))}
        >
          {`Close batch · pays ${figure(ready.length)} of ${figure(payments.length)} payments · ${sum}`}
        </Button>
      )}
    </>
  )
}

/** If one person works alone, the server asks for the typed total before it pays what otherwise takes two people. */
async function sendStep(batch: PaymentBatch, { closed }: Step): Promise<Result> {
  const params = { client_id: batch.client_id, id: batch.id }
  const body = { payment_batch: { closed, lock_version: batch.lock_version } }
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

function whyNotClosed(batch: PaymentBatch, ready: number, unsaved: boolean): string | undefined {
  if (unsaved) return 'Save the bills first'
  if (batch.bill_count === 0) return 'It holds no bill'
  const unapproved = approvalReason(batch)
  if (unapproved !== undefined) return unapproved
  return ready === 0 ? 'No payment has both a payment date and a payment ID' : undefined
}

interface Step {
  readonly closed: boolean
  readonly question: Parameters<typeof confirm>[0]
}

function closing(ready: readonly VendorPayment[], sum: string): Step {
  const payments = ready.length === 1 ? '1 payment' : `${figure(ready.length)} payments`
  return {
    closed: true,
    question: {
      message: 'Close this vendor batch?',
      consequence: `The bills of ${payments} become paid: ${sum}. This cannot be taken back.`,
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
