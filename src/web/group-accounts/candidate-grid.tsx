import { useMemo, useState } from 'react'
import { subaccount, type Subaccount } from '#contract/accounts/subaccount.ts'
import { listColumns, type Cells, type ColumnWish } from '../kernel/lists/list-columns.tsx'
import { useListData } from '../kernel/lists/list-data.ts'
import { useDebounced } from '../kernel/use-debounced.ts'
import { DataGrid, type GridSelection } from '../ui/grid/data-grid.tsx'
import type { GridFilters, GridSort } from '../ui/grid/grid-types.ts'
import { Pager } from '../ui/grid/pager.tsx'
import styles from './group-accounts.module.css'
import type { GroupKind, GroupParams } from './group-kinds.ts'
import { StandingOf, standingOf } from './standing.tsx'

/** Pause (ms) in typing after which the accounts are requested. */
const TYPING_PAUSE_MS = 300
const SIZES = [20, 50, 100, 200, 1_000]

interface CandidateGridProps {
  kind: GroupKind
  params: GroupParams
  chosen: readonly number[]
  /** Called with the page's rows too, so that their names are known. */
  onChoose: (ids: readonly number[], rows: readonly Subaccount[]) => void
}

/** The client's accounts to choose from. Page and filters are its own state and not in the address, because it is part of a form. */
export function CandidateGrid({ kind, params: { client_id, id }, chosen, onChoose }: CandidateGridProps) {
  const params = useMemo(() => ({ client_id, id }), [client_id, id])
  const state = useCandidateState()
  const data = useListData({ plural: 'subaccounts', call: kind.candidates, params }, state)
  const gridColumns = useMemo(() => listColumns(subaccount, { columns, cells: cellsOf(id) }), [id])
  const select = ({ ids }: GridSelection<number>) => onChoose(inOrder(chosen, ids), data.rows)
  return (
    <section className={styles.side} aria-label={kind.accountsLabel}>
      <div className={styles.sideHead}>
        <h2 className={styles.sideTitle}>{kind.accountsLabel}</h2>
        <span className={`${styles.count} num`}>{data.total?.toLocaleString('en-US')}</span>
      </div>
      <DataGrid
        label={kind.accountsLabel}
        columns={gridColumns}
        rows={data.rows}
        rowId={idOf}
        rowLabel={labelOf}
        status={data.status}
        total={data.total}
        sort={state.sort}
        onSortChange={state.setSort}
        filters={state.typed}
        onFiltersChange={state.setFilters}
        onClearFilters={() => state.setFilters({})}
        selection={{ ids: new Set(chosen), allMatching: false }}
        onSelectionChange={select}
        ineligible={(row) => standingOf(row, id)}
        footer={
          <Pager
            page={state.page}
            per={state.per}
            total={data.total}
            rowsOnPage={data.rows.length}
            sizes={SIZES}
            onPage={state.setPage}
            onPer={state.setPer}
            noun="accounts"
          />
        }
      />
    </section>
  )
}

const columns: readonly ColumnWish<Subaccount>[] = [
  { key: 'account_number', width: 150 },
  { key: 'name', width: 140 },
  { key: 'facility', width: 110 },
  {
    key: 'active',
    label: 'Standing',
    width: 140,
    sortable: false,
    filter: { kind: 'boolean', key: 'grouped', yes: 'In a group', no: 'In no group' },
  },
]

function cellsOf(groupId: number): Cells<Subaccount> {
  return { active: (row) => <StandingOf account={row} groupId={groupId} /> }
}

/** Keeps the order of the accounts chosen before and appends new ones. */
function inOrder(before: readonly number[], ids: ReadonlySet<number>): number[] {
  const kept = before.filter((one) => ids.has(one))
  return [...new Set([...kept, ...ids])]
}

function useCandidateState() {
  const [place, setPlace] = useState<{ page: number; per: number; sort: GridSort }>({
    page: 1,
    per: 20,
    sort: { key: 'account_number', direction: 'asc' },
  })
  const [typed, setTyped] = useState<GridFilters>({})
  const filters = useDebounced(typed, TYPING_PAUSE_MS)
  const change = (changes: Partial<typeof place>) => setPlace((before) => ({ ...before, page: 1, ...changes }))
  const setFilters = (next: GridFilters) => {
    setTyped(next)
    change({})
  }
  return {
    ...place,
    typed,
    filters,
    setFilters,
    setSort: (sort: GridSort) => change({ sort }),
    setPage: (page: number) => change({ page }),
    setPer: (per: number) => change({ per }),
  }
}

function idOf(row: Subaccount): number {
  return row.id
}

function labelOf(row: Subaccount): string {
  return `${row.account_number} ${row.name}`
}
