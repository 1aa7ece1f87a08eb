/** The fetched statements: their states with reasons, the selection, and the button that creates bills from it. */
import { useCallback, useMemo, useState } from 'react'
import type { StatementCounts } from '#contract/bill-retrieval/bill-retrieval.ts'
import { retrievedStatement, stateLabels, type RetrievedStatement } from '#contract/bill-retrieval/retrieved-statement.ts'
import { billRetrievalCalls } from '#contract/bill-retrieval/retrieval-calls.ts'
import { statementStates } from '#contract/bill-retrieval/statement.ts'
import type { Task } from '#contract/tasks/task.ts'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { useListData } from '../kernel/lists/list-data.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { useListState } from '../kernel/lists/list-state.ts'
import { usePath, useSearchText, withSearch } from '../kernel/navigation.tsx'
import { wireFilters } from '../kernel/lists/wire-filters.ts'
import type { GridSelection } from '../ui/grid/data-grid.tsx'
import { UiLink } from '../ui/link.tsx'
import { Tabs } from '../ui/page-header.tsx'
import { Missing } from '../ui/status.tsx'
import { EmptyState } from '../ui/states.tsx'
import { lackOf, type AccountPlans } from './account-plans.ts'
import { BulkActions, type Chosen } from './bulk-actions.tsx'
import { StatementStateWord } from './statement-state.tsx'
import { isOpen } from './use-retrieval-tasks.ts'

interface StatementListProps {
  readonly clientId: number
  readonly counts: StatementCounts | undefined
  readonly plans: AccountPlans
  readonly running: Task | undefined
  /** Called when an import was started, which uses up its plans. */
  readonly onStarted: () => void
}

export function StatementList({ clientId, counts, plans, running, onStarted }: StatementListProps) {
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const state = useListState(retrievedStatement)
  const { rows } = useListData({ plural: 'records', call: billRetrievalCalls.list, params }, state)
  const [selection, choose] = useChosen(rows)
  const columns = useColumns(counts)
  const chosen: Chosen = { ...selection, filters: wireFilters(state.filters) }
  return (
    <>
      <StateTabs counts={counts} />
      <ListPage
        entity={retrievedStatement}
        calls={billRetrievalCalls}
        params={params}
        columns={columns}
        cells={cells}
        rowHref={useRowHref()}
        rowLabel={labelOf}
        listName="retrieval_statements"
        empty={
          <EmptyState title="No statement was fetched yet">Fetch statements asks the retrieval service for all that it has.</EmptyState>
        }
        grid={{
          selection: selection.grid,
          onSelectionChange: choose,
          canSelectAllMatching: true,
          ineligible: (row) => ineligible(row, plans),
          bulk: () => (
            <BulkActions
              clientId={clientId}
              chosen={chosen}
              plans={plans}
              busy={running !== undefined && isOpen(running)}
              onStarted={() => {
                choose(nothing)
                onStarted()
              }}
              onDone={() => choose(nothing)}
            />
          ),
        }}
      />
    </>
  )
}

const nothing: GridSelection<number> = { ids: new Set(), allMatching: false }

/** Keeps the selected rows as a whole, because they may be on several pages and the import needs their file ids. */
function useChosen(rows: readonly RetrievedStatement[]) {
  const [kept, setKept] = useState<{ readonly grid: GridSelection<number>; readonly rows: readonly RetrievedStatement[] }>({
    grid: nothing,
    rows: [],
  })
  const choose = (grid: GridSelection<number>) => {
    const known = new Map([...kept.rows, ...rows].map((row) => [row.id, row]))
    setKept({ grid, rows: [...grid.ids].flatMap((id) => known.get(id) ?? []) })
  }
  return [kept, choose] as const
}

/** Returns why a statement cannot be selected. An ignored one can be, to take it back. */
function ineligible(row: RetrievedStatement, plans: AccountPlans): string | undefined {
  switch (row.state) {
    case 'created':
      return 'Its bill is there already'
    case 'needs_account':
      return lackOf(plans, row.provider_name) ?? undefined
    case 'ignored':
      return row.amount_due === null ? (row.reason ?? 'It prints no amounts') : undefined
    case 'new':
    case 'matched':
    case 'needs_meter':
    case 'duplicate':
      return undefined
  }
}

/** The number of statements by state, each linking to their list. */
function StateTabs({ counts }: { counts: StatementCounts | undefined }) {
  const path = usePath()
  const search = useSearchText()
  const { state: current, page: _page, ...rest } = search
  const by = counts?.by_state ?? {}
  const total = Object.values(by).reduce((sum, count) => sum + count, 0)
  const tabs = statementStates
    .filter((one) => by[one] !== undefined || one === current)
    .map((one) => ({
      href: withSearch(path, { ...rest, state: one }),
      label: stateLabels[one],
      count: (by[one] ?? 0).toLocaleString('en-US'),
      current: current === one,
    }))
  const all = { href: withSearch(path, rest), label: 'All', count: total.toLocaleString('en-US'), current: current === undefined }
  return <Tabs label="Statements by state" items={[all, ...tabs]} />
}

/** Enter or a click on the first cell opens the statement beside the list; the address names it. */
function useRowHref() {
  const path = usePath()
  const search = useSearchText()
  return useCallback((row: RetrievedStatement) => withSearch(path, { ...search, statement: row.id }), [path, search])
}

const base: readonly ColumnWish<RetrievedStatement>[] = [
  { key: 'account_name', label: 'Account', hidden: true },
  { key: 'bill_date', width: 104 },
  { key: 'interval_start', width: 104, hidden: true },
  { key: 'interval_end', width: 104, hidden: true },
  { key: 'due_date', width: 104, hidden: true },
  { key: 'balance_forward', hidden: true },
  { key: 'current_charges', width: 120 },
  { key: 'amount_due', width: 120 },
  { key: 'reason', minWidth: 180, grow: true },
  { key: 'bill_id', label: 'Bill', width: 90 },
  { key: 'kind', width: 110, hidden: true },
  { key: 'statement_id', hidden: true },
  { key: 'invoice_number', hidden: true },
  { key: 'vendor_name', hidden: true },
  { key: 'service_address', hidden: true },
  { key: 'attachment', hidden: true },
]

function useColumns(counts: StatementCounts | undefined): readonly ColumnWish<RetrievedStatement>[] {
  const utilities = counts?.by_utility
  return useMemo(() => {
    const options = (utilities ?? []).map(({ provider_name }) => ({ value: provider_name, label: provider_name }))
    return [
      { key: 'account_number', width: 160, pinned: true },
      { key: 'state', width: 140 },
      { key: 'provider_name', width: 170, filter: { kind: 'choice', key: 'provider_name_eq', options } },
      ...base,
    ]
  }, [utilities])
}

const cells: Cells<RetrievedStatement> = {
  state: (row) => <StatementStateWord state={row.state} />,
  bill_id: (row) =>
    row.bill_id === null ? (
      <Missing word="no bill" />
    ) : (
      <UiLink href={`/clients/${row.client_id}/bills/${row.bill_id}`}>Bill {row.bill_id}</UiLink>
    ),
}

function labelOf(row: RetrievedStatement): string {
  return `${row.provider_name} ${row.account_number} of ${row.bill_date ?? 'no date'}`
}
