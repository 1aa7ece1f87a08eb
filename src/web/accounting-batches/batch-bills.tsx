import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import type { BatchBill } from '#contract/accounting-batches/batch-contents.ts'
import { batchRefusalText } from '#contract/accounting-batches/batch-refusal.ts'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import { WaitingBills, batchStyles, hiddenTicks, matchingBills, sortedBills } from '../batches/batches.ts'
import { accepted, ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { messages } from '../kernel/notices/messages.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { apiQuery, refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { useUnsavedGuard } from '../kernel/forms/use-unsaved-guard.ts'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { TextField } from '../ui/fields/text-field.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridSort } from '../ui/grid/grid-types.ts'
import { EmptyState } from '../ui/states.tsx'
import { BatchHead } from './batch-head.tsx'
import { billColumns } from './bill-columns.tsx'

export function BatchBills() {
  const params = { client_id: usePathId('client_id'), id: usePathId('accounting_batch_id') }
  const asked = useQuery(apiQuery(accountingBatchCalls.get, { params }))
  const bills = useQuery(apiQuery(accountingBatchCalls.bills, { params, query: { client_id: String(params.client_id) } }))
  const both = asked.data && bills.data ? { batch: asked.data.accounting_batch, bills: bills.data.bills } : undefined
  const retry = () => {
    void asked.refetch()
    void bills.refetch()
  }
  return (
    <RecordGate asked={{ data: both, error: asked.error ?? bills.error, refetch: retry }}>
      {({ batch, bills: held }) => <ChooseBills key={batch.id} batch={batch} held={held} />}
    </RecordGate>
  )
}

/** The user's unsaved selection of bills. It survives a reload of the batch that others have changed. */
interface Choice {
  readonly added: readonly BatchBill[]
  readonly unticked: ReadonlySet<number>
}
const nothingChosen: Choice = { added: [], unticked: new Set() }

function ChooseBills({ batch, held }: { batch: AccountingBatch; held: readonly BatchBill[] }) {
  const [choice, setChoice] = useState(nothingChosen)
  const [waiting, setWaiting] = useState<readonly BatchBill[]>([])
  const [typed, setTyped] = useState('')
  const [sort, setSort] = useState<GridSort | null>(null)
  const attempt = useAttempt()
  const heldIds = useMemo(() => new Set(held.map((bill) => bill.id)), [held])
  const added = useMemo(() => choice.added.filter((bill) => !heldIds.has(bill.id)), [choice.added, heldIds])
  const all = useMemo(() => [...added, ...held], [added, held])
  const ticked = all.filter((bill) => bill.refusal === null && !choice.unticked.has(bill.id))
  const sum = formatMoney(sumMoney(ticked.map((bill) => bill.amount_due)))
  const dirty = added.length > 0 || ticked.length !== held.length
  useUnsavedGuard(dirty && !batch.closed, () => setChoice(nothingChosen))
  const shown = useMemo(() => sortedBills(matchingBills(all, typed), sort), [all, typed, sort])
  const tick = (ids: ReadonlySet<number>) =>
    setChoice({ ...choice, unticked: new Set(all.filter((bill) => !ids.has(bill.id)).map((bill) => bill.id)) })
  const params = { client_id: batch.client_id, id: batch.id }
  const save = () =>
    attempt.run(async () => {
      try {
        const body = { accounting_batch: { bill_ids: ticked.map((bill) => bill.id), lock_version: batch.lock_version } }
        resultNotice(accepted(await callApi(accountingBatchCalls.update, { params, body })))
        setChoice(nothingChosen)
        refresh('accounting_batches', 'bills')
      } catch (error) {
        // Another user saved: the current batch is loaded, and the selection stays.
        if (error instanceof ApiProblem && error.status === 409) refresh('accounting_batches')
        throw error
      }
    })
  const check = () =>
    attempt.run(() => checkForNewBills(params, (found, rest) => (setChoice({ ...choice, added: found }), setWaiting(rest))))
  return (
    <section className={batchStyles.page} aria-label="Bills of the batch">
      <BatchHead batch={batch} tab="bills" unsaved={dirty} />
      <div className={batchStyles.bar}>
        <TextField label="Find" value={typed} onChange={setTyped} placeholder="Vendor, account, facility" />
        <span className={`${batchStyles.chosen} num`} role="status">
          {`${ticked.length.toLocaleString('en-US')} of ${all.length.toLocaleString('en-US')} bills chosen · ${sum}`}
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
        columns={billColumns}
        rows={shown}
        rowId={idOf}
        rowLabel={labelOf}
        status={{ kind: 'ready' }}
        total={shown.length}
        sort={sort}
        onSortChange={setSort}
        selection={batch.closed ? undefined : { ids: new Set(ticked.map(idOf)), allMatching: false }}
        onSelectionChange={({ ids }) => tick(new Set([...ids, ...hiddenTicks(ticked, shown)]))}
        ineligible={reasonOf}
        totals={[{ label: 'Chosen', values: { amount_due: sum } }]}
        empty={
          <EmptyState title="No bills yet">Check for new bills: those of the batch’s group that are in no batch are offered.</EmptyState>
        }
      />
      <WaitingBills bills={waiting.map((bill) => ({ id: bill.id, label: labelOf(bill), reason: reasonOf(bill) }))} />
    </section>
  )
}

async function checkForNewBills(
  params: { client_id: number; id: number },
  take: (found: readonly BatchBill[], waiting: readonly BatchBill[]) => void,
): Promise<void> {
  try {
    const { new_bills, new_bills_total, waiting } = await callApi(accountingBatchCalls.newBills, {
      params,
      query: { client_id: String(params.client_id) },
    })
    take(new_bills, waiting)
    notify({ kind: 'success', title: messages.success, message: `Found ${new_bills.length} new bill(s), ${formatMoney(new_bills_total)}` })
  } catch (error) {
    if (error instanceof ApiProblem && error.signedOut) throw error
    notify({ kind: 'error', title: messages.error, message: messages.new_bills_failed })
  }
}

function idOf(bill: BatchBill): number {
  return bill.id
}

function labelOf(bill: BatchBill): string {
  return `${bill.vendor_name ?? ''} ${bill.account_number} ${formatMoney(bill.amount_due)}`.trim()
}

function reasonOf({ refusal, other_batch_code }: BatchBill): string | undefined {
  return refusal === null ? undefined : batchRefusalText({ refusal, other_batch_code })
}
