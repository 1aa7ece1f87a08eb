import { useState } from 'react'
import { accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import type { BatchBill } from '#contract/accounting-batches/batch-contents.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { type BatchStep, StatePath } from '../batches/batches.ts'
import { callApi } from '../kernel/api.ts'
import { useAttempt, FailedAttempt } from '../kernel/attempt.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { Can, useCan } from '../kernel/permissions.tsx'
import { refresh } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { Breadcrumbs, PageHeader, Tabs } from '../ui/page-header.tsx'
import styles from './accounting-batches.module.css'
import { batchHref, type BatchTab } from './batch-state.tsx'

/** The header above the tabs of a batch: name, figures, state and next step. */
export function BatchHead({ batch, tab, unsaved = false }: { batch: AccountingBatch; tab: BatchTab; unsaved?: boolean }) {
  const mayEdit = useCan('accounting_batch.update')
  const list = { label: 'Client Batches', href: `/clients/${batch.client_id}/accounting_batches` }
  const group = batch.batch_group_name === null ? [] : [{ label: batch.batch_group_name }]
  const tabs = [
    ...(mayEdit
      ? [{ key: 'edit', label: 'Batch' } as const, { key: 'bills', label: 'Bills', count: figure(batch.bill_count) } as const]
      : []),
    { key: 'ledger', label: 'Ledger' } as const,
    { key: 'files', label: 'Files' } as const,
    { key: 'invoice', label: 'Invoice' } as const,
  ]
  return (
    <>
      <Breadcrumbs items={[list, ...group, { label: batch.batch_code }]} />
      {tab !== 'edit' && <BatchHeading batch={batch} unsaved={unsaved} />}
      <StatePath steps={stepsOf(batch)} />
      <Tabs
        label="Client Batch"
        items={tabs.map((item) => ({
          href: batchHref(batch, item.key),
          current: item.key === tab,
          label: item.label,
          count: 'count' in item ? item.count : undefined,
        }))}
      />
    </>
  )
}

/** The record's heading with its code, figures and next step. The form of the batch has its own heading. */
function BatchHeading({ batch, unsaved }: { batch: AccountingBatch; unsaved: boolean }) {
  return (
    <PageHeader
      title={batch.batch_code}
      count={`${figure(batch.bill_count)} ${batch.bill_count === 1 ? 'bill' : 'bills'} · ${figure(batch.line_item_count)} ledger lines`}
      sum={formatMoney(batch.bills_total)}
      actions={
        <Can do="accounting_batch.update">
          <NextStep batch={batch} unsaved={unsaved} />
        </Can>
      }
    />
  )
}

const figure = (count: number) => count.toLocaleString('en-US')

function stepsOf(batch: AccountingBatch): readonly BatchStep[] {
  return [
    { word: 'Open', at: batch.created_at, taken: true, here: !batch.closed },
    { word: 'Closed', at: batch.closed_at, taken: batch.closed, here: batch.closed && !batch.invoiced },
    { word: 'Invoiced', at: batch.invoiced_at, taken: batch.invoiced, here: batch.invoiced },
  ]
}

/** The next step with its consequence in words, and the step back. */
function NextStep({ batch, unsaved }: { batch: AccountingBatch; unsaved: boolean }) {
  const attempt = useAttempt()
  const [last, setLast] = useState<Step | null>(null)
  const params = { client_id: batch.client_id, id: batch.id }
  const take = async (step: Step) => {
    setLast(step)
    if (!(await confirm(step.question))) return
    await attempt.run(async () => {
      const body = { accounting_batch: { ...step.change, lock_version: batch.lock_version } }
      resultNotice(await callApi(accountingBatchCalls.update, { params, body }))
      refresh('accounting_batches', 'bills')
    })
  }
  /** The bills are loaded when the user asks to close, so that the question names the bills that are in QC at that time. */
  const close = () =>
    attempt.run(async () => {
      const { bills } = await callApi(accountingBatchCalls.bills, { params, query: {} })
      void take(closing(batch, bills))
    })
  const why = unsaved ? 'Save the bills first' : batch.bill_count === 0 ? 'It holds no bill' : undefined
  return (
    <>
      <FailedAttempt attempt={attempt} again={() => void (last ? take(last) : close())} />
      {batch.closed && (
        <Button busy={attempt.busy} onClick={() => void take(batch.invoiced ? notInvoiced : reopen)}>
          {batch.invoiced ? 'Not invoiced after all' : 'Open again'}
        </Button>
      )}
      {!batch.invoiced && (
        <Button
          kind="primary"
          busy={attempt.busy}
          disabledReason={batch.closed ? undefined : why}
          onClick={() => void (batch.closed ? take(invoiced) : close())}
        >
          {batch.closed ? 'Mark as invoiced' : `Close batch · ${figure(batch.bill_count)} bills · ${formatMoney(batch.bills_total)}`}
        </Button>
      )}
    </>
  )
}

interface Step {
  readonly change: { readonly closed?: boolean; readonly invoiced?: boolean; readonly confirmed_qc_ids?: number[] }
  readonly question: Parameters<typeof confirm>[0]
}

function closing(batch: AccountingBatch, bills: readonly BatchBill[]): Step {
  const inQc = bills.filter((bill) => bill.qc)
  return {
    change: { closed: true, confirmed_qc_ids: inQc.map((bill) => bill.id) },
    question: {
      message: inQc.length === 0 ? 'Close this client batch?' : 'Close this client batch with bills in QC?',
      consequence: (
        <>
          <p className={styles.reason}>
            {`${figure(batch.line_item_count)} ledger lines of ${figure(batch.bill_count)} bills, ${formatMoney(batch.bills_total)}, are frozen with today’s names.`}
          </p>
          <NamedBills heading="in QC" bills={inQc} />
          <NamedBills heading="with estimated usage" bills={bills.filter((bill) => bill.estimated)} />
        </>
      ),
      confirmLabel: inQc.length === 0 ? 'Close batch' : 'Close batch with bills in QC',
    },
  }
}

/** Lists bills that the user should know about before the batch is closed. */
function NamedBills({ heading, bills }: { heading: string; bills: readonly BatchBill[] }) {
  if (bills.length === 0) return null
  const title = `${figure(bills.length)} ${bills.length === 1 ? 'bill' : 'bills'} ${heading}`
  return (
    <section aria-label={title}>
      <h3 className={styles.uncodedTitle}>{title}</h3>
      <ul className={`${styles.named} num`}>
        {bills.map((bill) => (
          <li key={bill.id}>
            {[bill.vendor_name, bill.account_number, formatDate(bill.date), formatMoney(bill.amount_due)].filter(Boolean).join(' · ')}
          </li>
        ))}
      </ul>
    </section>
  )
}

const reopen: Step = {
  change: { closed: false },
  question: {
    message: 'Open this client batch again?',
    consequence: 'Its frozen ledger lines are dropped and computed anew.',
    confirmLabel: 'Open again',
  },
}
const invoiced: Step = {
  change: { invoiced: true },
  question: {
    message: 'Mark this client batch as invoiced?',
    consequence: 'The client was asked for the money.',
    confirmLabel: 'Mark as invoiced',
  },
}
const notInvoiced: Step = {
  change: { invoiced: false },
  question: { message: 'Take the mark back?', consequence: 'The client was not asked for the money.', confirmLabel: 'Take it back' },
}
