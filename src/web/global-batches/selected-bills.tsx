import { useMemo, useState, type Ref } from 'react'
import { type GlobalBill } from '#contract/global-batches/global-bill.ts'
import { centsOf, formatMoney } from '#contract/kernel/money.ts'
import { listColumns } from '../kernel/lists/list-columns.tsx'
import { sortedBills } from '../batches/batches.ts'
import { Button } from '../ui/button.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridSort } from '../ui/grid/grid-types.ts'
import { EmptyState } from '../ui/states.tsx'
import { resetChoice, setChoice, totalOf } from './chosen-bills.ts'
import { billLabel, deskColumns } from './desk-columns.tsx'
import { unsweptList } from './desk-filters.tsx'
import styles from './global-batches.module.css'
import type { LiveChoice } from './live-choice.ts'
import { counted } from './words.ts'

/** The action on the selected bills: its button, its consequence in words, and the work. */
export interface DeskAct {
  readonly label: string
  readonly consequence: string
  readonly run: () => void
  readonly busy?: boolean
}

interface SelectedProps {
  readonly ref: Ref<HTMLElement>
  readonly live: LiveChoice
  readonly choiceKey: string
  readonly act: DeskAct
  readonly adding: boolean
}

/** The selected bills with their action. Bills that can no longer be batched stay here, struck through, until they are removed. */
export function SelectedBills({ ref, live, choiceKey, act, adding }: SelectedProps) {
  const { choice, ids, bills, lost, total } = live
  const [sort, setSort] = useState<GridSort | null>(null)
  const columns = useMemo(
    () =>
      listColumns(unsweptList, {
        columns: deskColumns({
          choice,
          change: (next) => setChoice(choiceKey, next),
          reason: (bill) => lost.get(bill.id),
          adding,
        }).map((column) => (typeof column === 'string' ? column : { ...column, filter: undefined })),
      }).map(({ filter: _filter, ...column }) => column),
    [choice, choiceKey, lost, adding],
  )
  const rows = useMemo(() => sortedBills(live.rows, sort), [live.rows, sort])
  const keep = (kept: ReadonlySet<number>) => setChoice(choiceKey, { ...choice, bills: choice.bills.filter(({ id }) => kept.has(id)) })
  return (
    <section ref={ref} className={styles.selected} aria-label="Selected Bills">
      <header className={styles.selectedHead}>
        <h2>
          Selected Bills <span className={styles.badge}>{bills.length.toLocaleString('en-US')}</span>
        </h2>
        <span className={`${styles.selectedSum} num`}>{formatMoney(total)}</span>
        <span className={styles.spacer} />
        {lost.size > 0 && (
          <Button onClick={() => keep(new Set(bills.map(({ id }) => id)))}>{`Take out ${counted(lost.size, 'lost bill')}`}</Button>
        )}
        <Button
          disabledReason={choice.bills.length === 0 ? 'Nothing is chosen' : undefined}
          reasonHidden
          onClick={() => resetChoice(choiceKey, choice)}
        >
          Reset
        </Button>
        {/* Never disabled: without a bill it reports that one is needed. */}
        <Button kind="primary" busy={act.busy} onClick={act.run}>
          {act.label}
        </Button>
        {bills.length > 0 && <span className="num">{`${act.consequence} · ${formatMoney(total)}`}</span>}
      </header>
      <Payers bills={bills} choice={choice} />
      <DataGrid
        label="Selected Bills"
        columns={columns}
        rows={rows}
        rowId={idOf}
        rowLabel={billLabel}
        status={{ kind: 'ready' }}
        total={rows.length}
        sort={sort}
        onSortChange={setSort}
        isSaidElsewhere
        selection={{ ids, allMatching: false }}
        onSelectionChange={({ ids: kept }) => keep(kept)}
        faded={(bill) => lost.has(bill.id)}
        struck={(bill) => lost.has(bill.id)}
        totals={[{ label: 'Chosen', values: { amount_paid: formatMoney(total) } }]}
        empty={<EmptyState title="No bill is chosen">Tick bills above: they stay chosen over pages, filters and a reload.</EmptyState>}
      />
    </section>
  )
}

const idOf = (bill: GlobalBill): number => bill.id

/** The amount that each client will pay, largest first. */
function Payers({ bills, choice }: Pick<LiveChoice, 'bills' | 'choice'>) {
  const groups = [...Map.groupBy(bills, (bill) => bill.client_id)].map(([id, group]) => ({
    id,
    name: group[0]?.client_name ?? '',
    count: group.length,
    total: totalOf(choice, group),
  }))
  if (groups.length < 2) return null
  return (
    <ul className={styles.payers} aria-label="By payer">
      {groups
        .toSorted((one, other) => centsOf(other.total) - centsOf(one.total))
        .map(({ id, name, count, total }) => (
          <li key={id}>
            {name} <span className="num">{`${counted(count, 'bill')} · ${formatMoney(total)}`}</span>
          </li>
        ))}
    </ul>
  )
}
