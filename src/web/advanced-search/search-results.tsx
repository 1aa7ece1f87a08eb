/** The results: billable and supply accounts as two lists, each with its count. */
import { useEffect, useEffectEvent, useMemo } from 'react'
import { searchedKinds, type FoundAccount, type SearchedKind } from '#contract/advanced-search/advanced-search.ts'
import { foundBillable, foundSupply } from '#contract/advanced-search/searched-fields.ts'
import { listColumns } from '../kernel/lists/list-columns.tsx'
import type { ViewState } from '../kernel/lists/view-state.ts'
import { useGo } from '../kernel/navigation.tsx'
import { ColumnChooser } from '../ui/grid/column-chooser.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import { Pager } from '../ui/grid/pager.tsx'
import { Tabs } from '../ui/page-header.tsx'
import { foundActions, foundCells, foundColumns, foundHref } from './search-columns.tsx'
import type { SearchState } from './search-state.ts'
import { useFound, useTotals, type Totals } from './use-search.ts'

const entities = { billable_accounts: foundBillable, supply_accounts: foundSupply } as const

interface ResultsProps {
  readonly clientId: number | undefined
  readonly state: SearchState
  readonly views: ViewState
}

export function SearchResults({ clientId, state, views }: ResultsProps) {
  const { list, hrefOf } = state
  const totals = useTotals(clientId, list)
  const kind = state.kind ?? fullerKind(totals)
  const { rows, status } = useFound(clientId, kind, list)
  const go = useGo()
  const columns = useMemo(
    () =>
      listColumns<FoundAccount>(foundBillable, { columns: foundColumns(clientId === undefined), cells: foundCells, rowHref: foundHref }),
    [clientId],
  )
  const { labels } = entities[kind]
  const total = totals?.[kind]
  useLastPage(list, total)
  return (
    <section aria-label="Results">
      <Tabs
        label="Results"
        items={searchedKinds.map((one) => ({
          href: hrefOf(one),
          label: entities[one].labels,
          count: totals?.[one].toLocaleString('en-US'),
          current: one === kind,
        }))}
        end={<ColumnChooser columns={columns} layout={views.layout} onLayoutChange={views.save} />}
      />
      <DataGrid
        label={labels}
        columns={columns}
        rows={views.ready ? rows : []}
        rowId={(row) => row.id}
        rowLabel={(row) => `${row.account_number} ${row.name}`}
        status={views.ready ? status : { kind: 'loading' }}
        total={total}
        sort={list.sort}
        onSortChange={list.setSort}
        filters={list.filters}
        onClearFilters={state.clear}
        rowActions={foundActions}
        onOpen={(row) => go(foundHref(row))}
        layout={views.layout}
        onLayoutChange={views.save}
        footer={
          <Pager
            page={list.page}
            per={list.per}
            total={total}
            rowsOnPage={rows.length}
            sizes={foundBillable.list.sizes}
            onPage={list.setPage}
            onPer={list.setPer}
            noun={labels.toLowerCase()}
          />
        }
      />
    </section>
  )
}

/** Returns the list to show first: supply accounts if the search finds only those. */
function fullerKind(totals: Totals | undefined): SearchedKind {
  return totals?.billable_accounts === 0 && totals.supply_accounts > 0 ? 'supply_accounts' : 'billable_accounts'
}

/** Replaces a page number beyond the end with the last page. */
function useLastPage({ page, per, setPage }: SearchState['list'], total: number | undefined): void {
  const goBack = useEffectEvent((last: number) => setPage(last))
  useEffect(() => {
    if (total !== undefined && page > 1 && (page - 1) * per >= total) goBack(Math.max(1, Math.ceil(total / per)))
  }, [page, per, total])
}
