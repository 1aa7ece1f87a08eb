import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import { paymentBatchCalls } from '#contract/payment-batches/payment-batch.ts'
import type { PaymentBatchDetail } from '#contract/payment-batches/batch-record.ts'
import type { PaymentBill } from '#contract/payment-batches/payment-bill.ts'
import { vendorPaymentCalls, type VendorPayment } from '#contract/payment-batches/vendor-payment.ts'
import { WaitingBills, batchStyles, hiddenTicks, matchingBills, sortedBills } from '../batches/batches.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { useUnsavedGuard } from '../kernel/forms/use-unsaved-guard.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridSort } from '../ui/grid/grid-types.ts'
import { EmptyState } from '../ui/states.tsx'
import { VendorBatchHead } from './batch-head.tsx'
import { paymentColumns, refusalOf } from './bill-columns.tsx'
import { nothingChosen, useBillChoice } from './use-bill-choice.ts'
import { useBatchAndPayment } from './use-payment.ts'
import {
  saveOfBill,
  lockedOf,
  saveBills,
  isConflict,
  newBillsOf,
  choiceWith,
  checkForNewBills,
  takesNoMore,
  idOf,
  type NewBills,
} from './chosen-bills.ts'

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

interface ChooseProps {
  readonly batch: PaymentBatchDetail
  readonly payment?: VendorPayment
  readonly held: readonly PaymentBill[]
}

function ChooseBills({ batch, payment, held }: ChooseProps) {
  const { choice, setChoice, choosable, ticked, isHeld, dirty } = useBillChoice(held)
  const [waiting, setWaiting] = useState<Waiting>(nothingWaits)
  const [typed, setTyped] = useState('')
  const [sort, setSort] = useState<GridSort | null>(null)
  const attempt = useAttempt()
  useUnsavedGuard(dirty && !batch.closed, () => setChoice(nothingChosen))
  const shown = useMemo(() => sortedBills(matchingBills(choosable, typed), sort), [choosable, typed, sort])
  const columns = useMemo(
    () =>
      paymentColumns({
        save: async (bill, amount_paid) => {
          setChoice((now) => ({ ...now, shownDue: { ...now.shownDue, [bill.id]: bill.amount_due } }))
          await saveOfBill(batch, { bill_id: bill.id, amount_paid, amount_due: bill.amount_due })
        },
        saveReason: (bill, difference_reason) => saveOfBill(batch, { bill_id: bill.id, difference_reason }),
        lockedReason: lockedOf(batch),
      }),
    [batch, setChoice],
  )
  const tick = (ids: ReadonlySet<number>) =>
    setChoice({ ...choice, unticked: new Set(choosable.filter((bill) => !ids.has(bill.id)).map((bill) => bill.id)) })
  const save = () =>
    attempt.run(async () => {
      const added = ticked.filter((bill) => !isHeld(bill))
      try {
        await saveBills(batch, payment, { ticked, added })
      } catch (error) {
        const found = added.length > 0 && isConflict(error) ? await newBillsOf(batch, payment).catch(ignore) : undefined
        if (found) setChoice(choiceWith(choice, found.new_bills))
        throw error
      }
      setChoice(nothingChosen)
    })
  const check = () =>
    attempt.run(() =>
      checkForNewBills(batch, payment, ({ new_bills, ...rest }) => {
        setChoice({ ...choice, added: new_bills, shownDue: {} })
        setWaiting(rest)
      }),
    )
  const total = formatMoney(sumMoney(ticked.map((bill) => bill.amount_paid)))
  return (
    <section className={batchStyles.page} aria-label="Bills of the batch">
      <VendorBatchHead batch={batch} tab={payment ? 'vendor_payments' : 'bills'} payment={payment} unsaved={dirty} />
      <div className={batchStyles.bar}>
        <TextField label="Find" value={typed} onChange={setTyped} placeholder="Vendor, account, facility" />
        <span className={`${batchStyles.chosen} num`} role="status">
          {`${payment ? `${payment.full_name}: ` : ''}${ticked.length.toLocaleString('en-US')} of ${choosable.length.toLocaleString('en-US')} bills chosen · ${total}`}
        </span>
        <Button busy={attempt.busy} disabledReason={takesNoMore(batch, payment)} onClick={() => void check()}>
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
      <WaitingBills bills={waiting.waiting.map((bill) => ({ id: bill.id, label: labelOf(bill), reason: refusalOf(bill) }))} />
      {waiting.later_count > 0 && <p className={batchStyles.later}>{laterText(waiting.later_count, batch.bills_due_date)}</p>}
    </section>
  )
}

/** The bills that a search for new bills left out: those that wait for something, and those due after the batch. */
type Waiting = Pick<NewBills, 'waiting' | 'later_count'>
const nothingWaits: Waiting = { waiting: [], later_count: 0 }

const laterText = (count: number, day: string): string =>
  `${count === 1 ? '1 more bill is' : `${count.toLocaleString('en-US')} more bills are`} due after ${formatDate(day)}, the due date of this batch.`

const ignore = () => undefined

const labelOf = (bill: PaymentBill): string => `${bill.vendor_name ?? ''} ${bill.account_number} ${formatMoney(bill.amount_due)}`.trim()
