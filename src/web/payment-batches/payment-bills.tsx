import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import { paymentBatchCalls, type PaymentBatch } from '#contract/payment-batches/payment-batch.ts'
import type { PaymentBill, billAmount } from '#contract/payment-batches/payment-bill.ts'
import { addFault } from '#contract/payment-batches/payment-mix.ts'
import { vendorPaymentCalls, type VendorPayment } from '#contract/payment-batches/vendor-payment.ts'
import { WaitingBills, batchStyles, hiddenTicks, matchingBills, sortedBills } from '../batches/batches.ts'
import { accepted, ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { useUnsavedGuard } from '../kernel/forms/use-unsaved-guard.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { resultNotice } from '../kernel/notices/notices.ts'
import { apiQuery, refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { TextField } from '../ui/fields/text-field.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridSort } from '../ui/grid/grid-types.ts'
import { EmptyState } from '../ui/states.tsx'
import { VendorBatchHead } from './batch-head.tsx'
import { paymentColumns, refusalOf, type ChoosableBill } from './bill-columns.tsx'
import { useBatchAndPayment } from './use-payment.ts'

/** The bills of the whole batch. */
export function VendorBatchBills() {
  const params = { client_id: usePathId('client_id'), id: usePathId('payment_batch_id') }
  const asked = useQuery(apiQuery(paymentBatchCalls.get, { params }))
  const bills = useQuery(apiQuery(paymentBatchCalls.bills, { params, query: { client_id: String(params.client_id) } }))
  const data = asked.data && bills.data ? { batch: asked.data.payment_batch, held: bills.data.bills } : undefined
  const refetch = () => {
    void asked.refetch()
    void bills.refetch()
  }
  return (
    <RecordGate asked={{ data, error: asked.error ?? bills.error, refetch }}>
      {({ batch, held }) => <ChooseBills key={batch.id} batch={batch} held={held} />}
    </RecordGate>
  )
}

/** The bills of one payment. */
export function VendorPaymentBills() {
  const asked = useBatchAndPayment()
  const params = { client_id: usePathId('client_id'), payment_batch_id: usePathId('payment_batch_id'), id: usePathId('vendor_payment_id') }
  const bills = useQuery(apiQuery(vendorPaymentCalls.bills, { params }))
  const data = asked.data && bills.data ? { ...asked.data, held: bills.data.bills } : undefined
  const refetch = () => {
    asked.refetch()
    void bills.refetch()
  }
  return (
    <RecordGate asked={{ data, error: asked.error ?? bills.error, refetch }}>
      {({ batch, payment, held }) => <ChooseBills key={payment.id} batch={batch} payment={payment} held={held} />}
    </RecordGate>
  )
}

/** The user's unsaved selection of bills. It survives a reload of the batch that others have changed. */
interface Choice {
  readonly added: readonly PaymentBill[]
  readonly unticked: ReadonlySet<number>
}
const nothingChosen: Choice = { added: [], unticked: new Set() }

interface ChooseProps {
  readonly batch: PaymentBatch
  readonly payment?: VendorPayment
  readonly held: readonly PaymentBill[]
}

function useChoice(held: readonly PaymentBill[]) {
  const [choice, setChoice] = useState(nothingChosen)
  const heldIds = useMemo(() => new Set(held.map((bill) => bill.id)), [held])
  const added = useMemo(() => choice.added.filter((bill) => !heldIds.has(bill.id)), [choice.added, heldIds])
  const all = useMemo(() => [...added, ...held], [added, held])
  // The batch's own bills always go together; a found bill stays selected as long as it goes with those before it.
  const ticked = useMemo(() => tickedOf(held, added, choice.unticked), [held, added, choice.unticked])
  const choosable = useMemo(() => withReasons(all, ticked), [all, ticked])
  return { choice, setChoice, choosable, ticked, dirty: ticked.length !== held.length || ticked.some((bill) => !heldIds.has(bill.id)) }
}

function tickedOf(held: readonly PaymentBill[], added: readonly PaymentBill[], unticked: ReadonlySet<number>): PaymentBill[] {
  const ticked = held.filter((bill) => bill.refusal === null && !unticked.has(bill.id))
  for (const bill of added) {
    if (bill.refusal === null && !unticked.has(bill.id) && addFault(ticked, bill) === null) ticked.push(bill)
  }
  return ticked
}

function withReasons(bills: readonly PaymentBill[], ticked: readonly PaymentBill[]): ChoosableBill[] {
  const ids = new Set(ticked.map((bill) => bill.id))
  return bills.map((bill) => ({
    ...bill,
    reason: refusalOf(bill) ?? (ids.has(bill.id) ? undefined : (addFault(ticked, bill) ?? undefined)),
  }))
}

function ChooseBills({ batch, payment, held }: ChooseProps) {
  const { choice, setChoice, choosable, ticked, dirty } = useChoice(held)
  const [waiting, setWaiting] = useState<readonly PaymentBill[]>([])
  const [typed, setTyped] = useState('')
  const [sort, setSort] = useState<GridSort | null>(null)
  const attempt = useAttempt()
  useUnsavedGuard(dirty && !batch.closed, () => setChoice(nothingChosen))
  const shown = useMemo(() => sortedBills(matchingBills(choosable, typed), sort), [choosable, typed, sort])
  const columns = useMemo(
    () =>
      paymentColumns({
        save: (bill, amount_paid) => saveOfBill(batch, { bill_id: bill.id, amount_paid }),
        saveReason: (bill, difference_reason) => saveOfBill(batch, { bill_id: bill.id, difference_reason }),
        lockedReason: lockedOf(batch),
      }),
    [batch],
  )
  const tick = (ids: ReadonlySet<number>) =>
    setChoice({ ...choice, unticked: new Set(choosable.filter((bill) => !ids.has(bill.id)).map((bill) => bill.id)) })
  const save = () =>
    attempt.run(async () => {
      await saveBills(batch, payment, ticked)
      setChoice(nothingChosen)
    })
  const check = () =>
    attempt.run(() => checkForNewBills(batch, payment, (found, rest) => (setChoice({ ...choice, added: found }), setWaiting(rest))))
  const total = formatMoney(sumMoney(ticked.map((bill) => bill.amount_paid)))
  return (
    <section className={batchStyles.page} aria-label="Bills of the batch">
      <VendorBatchHead batch={batch} tab={payment ? 'vendor_payments' : 'bills'} payment={payment} unsaved={dirty} />
      <div className={batchStyles.bar}>
        <TextField label="Find" value={typed} onChange={setTyped} placeholder="Vendor, account, facility" />
        <span className={`${batchStyles.chosen} num`} role="status">
          {`${payment ? `${payment.full_name}: ` : ''}${ticked.length.toLocaleString('en-US')} of ${choosable.length.toLocaleString('en-US')} bills chosen · ${total}`}
        </span>
        <Button
          busy={attempt.busy}
          disabledReason={batch.closed ? 'A closed batch takes no more bills' : undefined}
          onClick={() => void check()}
        >
          Check for new bills
        </Button>
        <Button
          kind="primary"
          busy={attempt.busy}
          disabledReason={batch.closed ? 'The batch is closed' : dirty ? undefined : 'Nothing has changed'}
          onClick={() => void save()}
        >
          Save
        </Button>
        <FailedAttempt attempt={attempt} again={() => void save()} />
      </div>
      <DataGrid
        label="Bills"
        columns={columns}
        rows={shown}
        rowId={idOf}
        rowLabel={labelOf}
        status={{ kind: 'ready' }}
        total={shown.length}
        sort={sort}
        onSortChange={setSort}
        selection={batch.closed ? undefined : { ids: new Set(ticked.map(idOf)), allMatching: false }}
        onSelectionChange={({ ids }) => tick(new Set([...ids, ...hiddenTicks(ticked, shown)]))}
        ineligible={(bill) => bill.reason}
        totals={[{ label: 'Chosen', values: { amount_paid: total } }]}
        empty={<EmptyState title="No bills yet">Check for new bills: the unpaid bills of the payer are offered.</EmptyState>}
      />
      <WaitingBills bills={waiting.map((bill) => ({ id: bill.id, label: labelOf(bill), reason: refusalOf(bill) }))} />
    </section>
  )
}

async function saveBills(batch: PaymentBatch, payment: VendorPayment | undefined, ticked: readonly PaymentBill[]): Promise<void> {
  try {
    const draft = { bill_ids: ticked.map(idOf), lock_version: batch.lock_version }
    const body = payment ? { payment_batch: draft, vendor_payment_id: payment.id } : { payment_batch: draft }
    resultNotice(accepted(await callApi(paymentBatchCalls.update, { params: { client_id: batch.client_id, id: batch.id }, body })))
    refresh('payment_batches', 'vendor_payments', 'bills')
  } catch (error) {
    // Another user saved: the current batch is loaded, and the selection stays.
    if (error instanceof ApiProblem && error.status === 409) refresh('payment_batches', 'vendor_payments')
    throw error
  }
}

/** Saves one amount or its reason at once, without affecting what others type at other bills. */
async function saveOfBill({ client_id, id }: PaymentBatch, amount: z.infer<typeof billAmount>): Promise<void> {
  const body = { payment_batch: { bill_amounts: [amount] } }
  await callApi(paymentBatchCalls.update, { params: { client_id, id }, body })
  refresh('payment_batches', 'vendor_payments', 'bills')
}

function lockedOf(batch: PaymentBatch): (bill: PaymentBill) => string | undefined {
  return (bill) => {
    if (bill.paid) return 'The bill is paid'
    if (batch.closed) return 'The batch is closed'
    return bill.vendor_payment_id === null ? 'Save the bill in the batch first' : undefined
  }
}

async function checkForNewBills(
  { client_id, id }: PaymentBatch,
  payment: VendorPayment | undefined,
  take: (found: readonly PaymentBill[], waiting: readonly PaymentBill[]) => void,
): Promise<void> {
  try {
    const query = { client_id: String(client_id), ...(payment ? { vendor_payment_id: String(payment.id) } : {}) }
    const { new_bills, new_bills_total, waiting } = await callApi(paymentBatchCalls.newBills, { params: { client_id, id }, query })
    take(new_bills, waiting)
    notify({ kind: 'success', title: messages.success, message: `Found ${new_bills.length} new bill(s), ${formatMoney(new_bills_total)}` })
  } catch (error) {
    if (error instanceof ApiProblem && error.signedOut) throw error
    notify({ kind: 'error', title: messages.error, message: messages.new_bills_failed, duration: seconds.batch })
  }
}

const idOf = (bill: PaymentBill): number => bill.id
const labelOf = (bill: PaymentBill): string => `${bill.vendor_name ?? ''} ${bill.account_number} ${formatMoney(bill.amount_due)}`.trim()
