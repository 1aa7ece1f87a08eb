import { useMemo, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { globalBatchCalls, type GlobalBatch } from '#contract/global-batches/global-batch.ts'
import { globalBillCalls, type GlobalBill } from '#contract/global-batches/global-bill.ts'
import { centsOf, formatMoney } from '#contract/kernel/money.ts'
import { pageSizeMax } from '#contract/kernel/query.ts'
import { callApi } from '../kernel/api.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { wireFilters } from '../kernel/lists/wire-filters.ts'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { problemNotice } from '../kernel/notices/notices.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import type { GridSelection } from '../ui/grid/grid-types.ts'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import { useListedShortcuts, useShortcuts } from '../ui/shortcuts.ts'
import { EmptyState } from '../ui/states.tsx'
import { BankLine, useBankValue } from './bank-line.tsx'
import { addKey, deskKey, isChoice, refusedMix, resetChoice, setChoice, ticked, type Choice } from './chosen-bills.ts'
import { billLabel, deskColumns, reasonAmong, refusalOf } from './desk-columns.tsx'
import { DeskFilters, fieldedFilters, ownFilters, unsweptList, useDeskState, useUnsweptSums } from './desk-filters.tsx'
import { batchTitle, DeskTabs, todaysHref } from './desk-head.tsx'
import styles from './global-batches.module.css'
import { useLiveChoice, type LiveChoice } from './live-choice.ts'
import { SelectedBills, type DeskAct } from './selected-bills.tsx'
import { useAddToBatch } from './use-add-to-batch.tsx'
import { counted, ownWords, said, words } from './words.ts'

/** The unswept bills of all clients: they are selected here and batched by the form. */
export function UnsweptBills() {
  const go = useGo()
  const live = useLiveChoice(deskKey)
  const create = () => (live.bills.length === 0 ? void notify(said(words.no_bill_selected)) : go('/global_batch/new'))
  return (
    <Desk
      live={live}
      choiceKey={deskKey}
      title="Unswept Bills"
      act={{ label: 'Add New', consequence: batchesOf(live.bills), run: create }}
    />
  )
}

/** The same bills, while they are added to a batch. */
export function AddBills() {
  const id = usePathId('global_batch_id')
  const asked = useQuery(apiQuery(globalBatchCalls.get, { params: { id } }))
  return <RecordGate asked={asked}>{({ global_batch }) => <AddToBatch key={id} batch={global_batch} />}</RecordGate>
}

type LoadedBatch = GlobalBatch & { readonly bills: readonly GlobalBill[] }

function AddToBatch({ batch }: { batch: LoadedBatch }) {
  const live = useLiveChoice(addKey(batch.id))
  const adding = useAddToBatch(batch, live)
  return (
    <>
      <Desk
        live={live}
        choiceKey={addKey(batch.id)}
        title={batchTitle(batch)}
        batch={batch}
        act={{ label: 'Add to batch', consequence: counted(live.bills.length, 'bill'), run: adding.add, busy: adding.busy }}
      />
      {adding.dialog}
    </>
  )
}

/** Returns the number of batches that the selected bills make: one per client. */
function batchesOf(bills: readonly GlobalBill[]): string {
  return counted(new Set(bills.map(({ client_id }) => client_id)).size, 'batch', 'batches')
}

interface DeskProps {
  readonly live: LiveChoice
  readonly choiceKey: string
  readonly title: string
  readonly act: DeskAct
  /** The batch to which bills are added. */
  readonly batch?: LoadedBatch
}

function Desk({ live, choiceKey, title, act, batch }: DeskProps) {
  const bank = useBankValue()
  const selected = useRef<HTMLElement>(null)
  useShortcuts([{ keys: 'b', label: act.label, group: 'Unswept Bills', run: act.run }])
  useListedShortcuts(deskKeys)
  return (
    <div className={styles.page}>
      {batch && (
        <Breadcrumbs
          items={[
            { label: 'Today’s Batches', href: todaysHref(batch.effective_type) },
            { label: batch.payer_name },
            { label: 'Add Bills' },
          ]}
        />
      )}
      <PageHeader
        title={title}
        count={batch && `${batch.payer_name} · ${batch.effective_type ?? ''} · ${counted(batch.bill_count, 'bill')}`}
      />
      <DeskTabs tab={batch ? 'bills' : 'unswept'} batch={batch} />
      <RecordGate asked={bank}>
        {(value) => (
          <>
            <BankLine bank={value} chosen={{ count: live.bills.length, total: live.total }} />
            {value.locked ? (
              <>
                <BillTable
                  live={live}
                  choiceKey={choiceKey}
                  batch={batch}
                  toSelected={() => selected.current?.scrollIntoView({ block: 'start' })}
                />
                <p className={styles.footnote}>{ownWords.footnote}</p>
                <SelectedBills ref={selected} live={live} choiceKey={choiceKey} act={act} adding={batch !== undefined} />
              </>
            ) : (
              <EmptyState title={centsOf(value.value) === 0 ? words.no_bank_value : words.bank_value_unlocked}>
                Type the value above and lock it. What is chosen already stays chosen.
              </EmptyState>
            )}
          </>
        )}
      </RecordGate>
    </div>
  )
}

const deskKeys = [
  { keys: 'x', label: 'Choose the bill', group: 'Unswept Bills' },
  { keys: 'a', label: 'Choose all bills of its vendor', group: 'Unswept Bills' },
  { keys: 'p', label: 'Edit the amount paid', group: 'Unswept Bills' },
  { keys: 'b', label: 'Batch what is chosen', group: 'Unswept Bills' },
]

interface TableProps {
  readonly live: LiveChoice
  readonly choiceKey: string
  readonly batch: LoadedBatch | undefined
  readonly toSelected: () => void
}

function BillTable({ live, choiceKey, batch, toSelected }: TableProps) {
  const { choice, ids } = live
  const { state, fixed } = useDeskState()
  const query = useMemo(() => (batch ? { ...fixed, client_ids: String(batch.client_id) } : fixed), [fixed, batch])
  const sums = useUnsweptSums(state.filters, query)
  const held = batch?.bills ?? none
  const among = useMemo(() => [...held, ...live.bills], [held, live.bills])
  const change = (next: Choice) => setChoice(choiceKey, next)
  const columns = useMemo(
    () =>
      deskColumns({
        choice,
        change: (next) => setChoice(choiceKey, next),
        reason: (bill) => live.lost.get(bill.id) ?? reasonAmong(among, ids, bill),
        adding: batch !== undefined,
      }),
    [choice, choiceKey, live.lost, among, ids, batch],
  )
  const select = (rows: readonly GlobalBill[], { ids: next }: GridSelection<number>) => {
    const answer = ticked(choice, next, rows, held)
    if (!isChoice(answer)) return void notify(answer)
    change(answer)
  }
  const addVendor = (bill: GlobalBill) => void addAllOf(bill, { choice, held, query: { ...query, q: wireFilters(state.filters) } }, change)
  return (
    <>
      <DeskFilters state={state} fixed={fixed} bounds={sums} adding={batch !== undefined} />
      <ListPage<'bills', GlobalBill, Nothing>
        entity={unsweptList}
        calls={globalBillCalls}
        title=""
        sum={sums && `${formatMoney(sums.amount_due_total)} due`}
        columns={columns}
        query={query}
        extraFilters={ownFilters}
        ownFilters={fieldedFilters}
        listName={batch ? 'global_bills_to_add' : 'global_bills'}
        rowLabel={billLabel}
        headerActions={
          <>
            <Button
              disabledReason={choice.bills.length === 0 ? 'Nothing is chosen' : undefined}
              reasonHidden
              onClick={() => resetChoice(choiceKey, choice)}
            >
              Reset selected bills
            </Button>
            <Button onClick={toSelected}>Go to selected bills</Button>
          </>
        }
        grid={(rows) => ({
          isSaidElsewhere: true,
          selection: { ids, allMatching: false },
          onSelectionChange: (next) => select(rows, next),
          ineligible: refusalOf,
          faded: (bill) => reasonAmong(among, ids, bill) !== undefined,
          totals: [{ label: 'Chosen', values: { amount_paid: formatMoney(live.total) } }],
          onRowKey: (key, bill, edit) => {
            if (key === 'a') addVendor(bill)
            else if (key === 'p') edit('amount_paid')
            return key === 'a' || key === 'p'
          },
        })}
        empty={<EmptyState title="No unswept bills">Every bill is paid, parked or in a batch.</EmptyState>}
      />
    </>
  )
}

type Nothing = Record<never, never>
const none: readonly GlobalBill[] = []

/** Selects all bills of the vendor that match the filters, over all pages, without those that no batch may contain. */
async function addAllOf(
  bill: GlobalBill,
  { choice, held, query }: { choice: Choice; held: readonly GlobalBill[]; query: object },
  change: (next: Choice) => void,
): Promise<void> {
  if (bill.vendor_id === null) return
  try {
    const asked = { ...query, vendor_ids: String(bill.vendor_id), per: pageSizeMax, with_total: 'false' } as const
    const { bills } = await callApi(globalBillCalls.list, { query: asked })
    const known = new Set(choice.bills.map(({ id }) => id))
    const added = bills.filter((one) => !known.has(one.id) && refusalOf(one) === undefined)
    const refused = refusedMix([...held, ...choice.bills], added)
    if (refused) notify(refused)
    else change({ ...choice, bills: [...choice.bills, ...added] })
  } catch (error) {
    problemNotice(error)
  }
}
