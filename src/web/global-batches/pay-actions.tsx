import { useState, type ReactNode } from 'react'
import type { GlobalBatch } from '#contract/global-batches/global-batch.ts'
import { globalPaymentCalls, type GlobalExport } from '#contract/global-batches/global-payment.ts'
import { achFormats, type PayType } from '#contract/global-batches/pay-type.ts'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import { callApi } from '../kernel/api.ts'
import { paidOnce } from './paid-once.ts'
import { connectionId } from '../kernel/connection.ts'
import { seconds } from '../kernel/notices/messages.ts'
import { problemNotice, requestErrorNotice, resultNotice } from '../kernel/notices/notices.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { onlyExclusiveVendor } from './chosen-batches.ts'
import { Consequence, Faults, Files, Refused, Waits } from './export-answers.tsx'
import { FirstPaymentsDialog } from './first-payments-dialog.tsx'
import { counted, said, words } from './words.ts'

interface PayProps {
  readonly type: PayType | null
  /** The earlier day whose batches are shown, if any. */
  readonly day: string | undefined
  readonly batches: readonly GlobalBatch[]
  readonly chosen: readonly GlobalBatch[]
  /** The selected batches as text, with number and total. */
  readonly chosenWords: string
  readonly busy: boolean
  /** Runs one action at a time and reloads everything after it. */
  readonly act: (work: () => Promise<void>) => Promise<void>
  readonly onDone: () => void
}

/** Pays the selected batches by file, by OP or as NP, and exports what is paid. */
export function PayActions(props: PayProps) {
  const { type, day, batches, chosen, busy, act } = props
  const [dialog, setDialog] = useState<ReactNode>(null)
  const none = chosen.length === 0 ? 'No batch is chosen' : undefined
  const settle = (kind: 'pay' | 'finalize') => act(() => saying(() => settleBatches(kind, props)))
  const exportPaid = () => act(() => saying(async () => setDialog(await accountingExport(day, () => setDialog(null)))))
  return (
    <>
      {type === 'OP' && (
        <Button kind="primary" busy={busy} disabledReason={none} reasonHidden onClick={() => void settle('pay')}>
          Pay OP batches
        </Button>
      )}
      {type === 'NP' && (
        <Button kind="primary" busy={busy} disabledReason={none} reasonHidden onClick={() => void settle('finalize')}>
          Finalize NP batches
        </Button>
      )}
      {type !== null && type !== 'OP' && type !== 'NP' && <ExportAs {...props} type={type} setDialog={setDialog} />}
      {type === null && chosen.length === 0 && batches.length > 0 && (
        <Button kind="primary" busy={busy} onClick={() => void exportPaid()}>
          Export paid batches
        </Button>
      )}
      {dialog}
    </>
  )
}

async function saying(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    problemNotice(error, seconds.batch)
  }
}

async function settleBatches(kind: 'pay' | 'finalize', { type, chosen, chosenWords, onDone }: PayProps): Promise<void> {
  const question =
    kind === 'pay'
      ? { message: 'Pay OP batches?', consequence: `${chosenWords}. They become paid. This cannot be taken back.`, confirmLabel: 'Pay' }
      : {
          message: 'Finalize NP batches?',
          consequence: `${chosenWords}. They are closed, and nothing is paid out. This cannot be taken back.`,
          confirmLabel: 'Finalize',
        }
  if (!(await confirm(question))) return
  const call = kind === 'pay' ? globalPaymentCalls.pay : globalPaymentCalls.finalize
  const seen_total = sumMoney(chosen.map((batch) => batch.batch_total))
  const body = { ids: chosen.map(({ id }) => id), seen_total, ...(type ? { type } : {}) }
  resultNotice(await paidOnce((intent) => callApi(call, { body, intent })), seconds.batch)
  onDone()
}

/** Loads the number of paid batches, asks whether to export them, and shows the resulting files. */
async function accountingExport(day: string | undefined, close: () => void): Promise<ReactNode> {
  const ofDay = day ? { day } : {}
  const { count } = await callApi(globalPaymentCalls.paidCount, { query: ofDay })
  if (count === 0) {
    notify(said(words.no_paid_batches))
    return null
  }
  const consequence = `${counted(count, 'paid batch', 'paid batches')} leave the list. This cannot be taken back.`
  if (!(await confirm({ message: words.export_question, consequence, confirmLabel: 'Export' }))) return null
  const query = { ...ofDay, seen_count: String(count), connection_id: connectionId }
  const made = await paidOnce((intent) => callApi(globalPaymentCalls.accountingExport, { query, intent }))
  notify({ kind: 'success', title: words.export_created, duration: seconds.batch })
  return <Files title={words.export_created} message={made.message} files={made.files} close={close} />
}

interface ExportProps extends PayProps {
  readonly type: PayType
  readonly setDialog: (dialog: ReactNode) => void
}

/** Exports the selected batches, after showing what the export would pay. */
function ExportAs({ type, chosen, busy, act, onDone, setDialog }: ExportProps) {
  const [format, setFormat] = useState<(typeof achFormats)[number]['value']>('standard')
  const vendor = onlyExclusiveVendor(chosen)
  const body: GlobalExport = {
    ids: chosen.map(({ id }) => id),
    pay_method: type,
    ...(type === 'ACH' ? { ach_format: format } : {}),
    ...(vendor === null ? {} : { vendor_name: vendor.replaceAll('&', 'and') }),
  }
  const close = () => setDialog(null)
  const attempt = (work: () => Promise<ReactNode>): void =>
    void act(async () => {
      try {
        setDialog(await work())
      } catch (error) {
        requestErrorNotice(error)
        setDialog(<Refused error={error} close={close} />)
      }
    })
  const run = () => {
    if (chosen.length === 0) return void notify(said(words.missing_batches))
    attempt(() => askToExport({ body, type, close, onDone, attempt }))
  }
  return (
    <>
      {type === 'ACH' && (
        <SelectField
          label="ACH format"
          value={format}
          options={achFormats}
          onChange={(value) => setFormat(achFormats.find((one) => one.value === value)?.value ?? 'standard')}
        />
      )}
      <Button kind="primary" busy={busy} onClick={run}>{`Export as ${type}`}</Button>
    </>
  )
}

interface Exporting {
  readonly body: GlobalExport
  readonly type: PayType
  readonly close: () => void
  readonly onDone: () => void
  readonly attempt: (work: () => Promise<ReactNode>) => void
}

/** Shows what prevents the export, or asks before it. First payments after a change of bank details are confirmed by vendor. */
async function askToExport(exporting: Exporting): Promise<ReactNode> {
  const { type, close, attempt } = exporting
  const plan = await callApi(globalPaymentCalls.preview, { body: exporting.body })
  // The export says what is shown here, and is refused if that is no longer what it would pay.
  const body = { ...exporting.body, seen: plan.seen }
  if (plan.faults.length > 0) return <Faults faults={plan.faults} close={close} />
  const waits = plan.waits_because.length > 0
  const consequence = <Consequence plan={plan} />
  const message = `Export as ${type}: ${counted(plan.payments, 'payment')} · ${formatMoney(plan.total)}?`
  const confirmLabel = waits ? 'Ask for Release' : `Export as ${type}`
  if (plan.first_payments.length > 0) {
    const confirmed_vendors = plan.first_payments.map(({ vendor_id, changed_at }) => ({ vendor_id, changed_at }))
    const onConfirm = () => attempt(() => exportNow({ ...exporting, body: { ...body, confirmed_vendors } }))
    return <FirstPaymentsDialog {...{ message, consequence, confirmLabel, close, onConfirm }} first={plan.first_payments} />
  }
  return (await confirm({ message, consequence, confirmLabel })) ? exportNow({ ...exporting, body }) : null
}

async function exportNow({ body, close, onDone }: Exporting): Promise<ReactNode> {
  const made = await paidOnce((intent) => callApi(globalPaymentCalls.exportFiles, { body, intent }))
  if (made.waits !== null) {
    notify({ kind: 'info', title: 'A release was asked for', duration: seconds.batch })
    onDone()
    return <Waits waits={made.waits} close={close} />
  }
  notify({ kind: 'success', title: words.export_created, duration: seconds.batch })
  onDone()
  return <Files title={words.export_created} message={made.message} files={made.files} close={close} />
}
