/** The list of an entity: rows, filters, sort, pages, columns, views, export. What is particular comes as JSX. */
import { useEffect, useEffectEvent, useMemo, type ReactNode } from 'react'
import { FilterX, Plus, Upload } from 'lucide-react'
import { pageSizeDefault } from '#contract/kernel/query.ts'
import { ButtonLink, Button } from '../../ui/button.tsx'
import { ColumnChooser } from '../../ui/grid/column-chooser.tsx'
import { DataGrid, type DataGridProps } from '../../ui/grid/data-grid.tsx'
import { Pager } from '../../ui/grid/pager.tsx'
import { Chips, PageHeader } from '../../ui/page-header.tsx'
import type { Part } from '../api.ts'
import { ExportButton, type ExportCall } from './export-button.tsx'
import { filterChips } from './filter-chips.ts'
import { listColumns, type Cells, type ColumnWish } from './list-columns.tsx'
import { useListData, type FixedQuery, type ListCall } from './list-data.ts'
import { useListState, type ListControls, type ListedEntity } from './list-state.ts'
import { useListSelection, type Chosen } from './list-selection.ts'
import { ListViews, useListViews } from './list-views.tsx'
import { useGo } from '../navigation.tsx'
import { Can, type Does } from '../permissions.tsx'
import styles from '../kernel.module.css'
import { valueText } from '../value-text.ts'

/** Sizes that the pager offers where the entity names none. */
const SIZES = [10, 20, 50, 100, 200]
const noFilters: readonly string[] = []

export type ListPageProps<Plural extends string, Row extends { id: number }, Params> = Part<'params', Params> & {
  entity: ListedEntity<Plural>
  calls: { list: ListCall<Plural, Row, Params>; exportCsv?: ExportCall<Params> | undefined }
  /** Fields by name, or with what differs. Give a constant, or keep it by useMemo. */
  columns: readonly ColumnWish<Row>[]
  /** Cells that show more than the field's text. A constant too. */
  cells?: Cells<Row> | undefined
  /** `MenuItem`s of a row's Actions menu. */
  actions?: ((row: Row) => ReactNode) | undefined
  /** Where a row leads, by its first cell and by Enter. */
  rowHref?: ((row: Row) => string | undefined) | undefined
  /** Enter, Space or a double click on a row shows it here, in a list whose rows lead nowhere. */
  onOpen?: ((row: Row) => void) | undefined
  /** Above the rows, with the rows of the page: what is done with the chosen ones. */
  above?: ((rows: readonly Row[]) => ReactNode) | undefined
  /** Beside the grid, with the rows of the page: what shows one of them. */
  beside?: ((rows: readonly Row[]) => ReactNode) | undefined
  /** What names a row for screen readers; its first column unless told. */
  rowLabel?: ((row: Row) => string) | undefined
  /** The heading; the entity's labels unless told. '' leaves the heading to the page around. */
  title?: string | undefined
  /** A sum with its currency sign, beside the count. */
  sum?: string | undefined
  addNew?: { href: string; may: Does; label?: string } | undefined
  importHref?: string | undefined
  /** Further buttons before the primary one. */
  headerActions?: ReactNode
  /** Parameters beside the filters that hold for the whole page. Keep it by useMemo. */
  query?: FixedQuery | undefined
  /** Filters that the call knows beyond the entity's. A constant. */
  extraFilters?: readonly string[] | undefined
  /** Filters that stand beside the list in fields of their own: no chip repeats them. A constant. */
  ownFilters?: readonly string[] | undefined
  /** Under which name columns and views are kept; the plural unless told. */
  listName?: string | undefined
  /** False: no size changer, and `per` of the address is not heard. */
  sizes?: readonly number[] | false | undefined
  perDefault?: number | undefined
  empty?: ReactNode
  /** Rows can be chosen, and what can be done with them stands below: buttons. Undefined where nothing can. */
  bulk?: ((chosen: Chosen) => ReactNode) | undefined
  /** Selection, totals and what else the grid takes; as a function, by the rows of the page. */
  grid?: GridExtras<Row> | ((rows: readonly Row[]) => GridExtras<Row>) | undefined
}

type GridExtras<Row> = Partial<
  Pick<
    DataGridProps<Row, number>,
    | 'selection'
    | 'onSelectionChange'
    | 'ineligible'
    | 'box'
    | 'canSelectAllMatching'
    | 'bulk'
    | 'totals'
    | 'order'
    | 'faded'
    | 'onRowKey'
    | 'isSaidElsewhere'
  >
>

/** A whole list page; its state lives in the address. */
export function ListPage<Plural extends string, Row extends { id: number }, Params>(props: ListPageProps<Plural, Row, Params>) {
  const { entity, calls, columns, cells, rowHref, query, grid } = props
  const go = useGo()
  const name = props.listName ?? entity.plural
  const perDefault = props.perDefault ?? pageSizeDefault
  const state = useListState(entity, props.extraFilters ?? noFilters, perDefault, props.sizes !== false)
  const params = paramsOf(props)
  const views = useListViews(name, state)
  const data = useListData({ plural: entity.plural, call: calls.list, params, query }, state)
  const gridColumns = useMemo(() => listColumns(entity, { columns, cells, rowHref }), [entity, columns, cells, rowHref])
  useLastPage(state, data)
  const { bulk } = props
  const { selection, select, chosen } = useListSelection({ entity, filters: state.filters, query, params, total: data.total })
  const title = props.title ?? entity.labels
  // 'Bills' becomes 'bills' inside a sentence, 'API Tokens' becomes 'API tokens'.
  const labels = entity.labels.replaceAll(/\b[A-Z](?![A-Z])/g, (letter) => letter.toLowerCase())
  const open = rowHref
    ? (row: Row) => {
        const href = rowHref(row)
        if (href) go(href)
      }
    : props.onOpen
  return (
    <section className={styles.list} data-fills={props.beside ? undefined : ''} aria-label={title || entity.labels}>
      <PageHeader
        title={title}
        count={data.total === undefined ? undefined : data.total.toLocaleString('en-US')}
        sum={props.sum}
        actions={
          <>
            <ListViews list={name} state={state} views={views} />
            <ColumnChooser columns={gridColumns} layout={views.layout} onLayoutChange={views.save} />
            <ResetFilters state={state} />
            {props.importHref && (
              <ButtonLink href={props.importHref}>
                <Upload size={14} aria-hidden="true" />
                Import
              </ButtonLink>
            )}
            {calls.exportCsv && (
              <ExportButton
                call={calls.exportCsv}
                params={params}
                labels={entity.labels}
                filters={state.filters}
                sort={state.sort}
                query={query}
              />
            )}
            {props.headerActions}
            {props.addNew && <AddNew {...props.addNew} />}
          </>
        }
      />
      <Chips label="Filters" items={filterChips(entity, state, gridColumns).filter(({ key }) => !props.ownFilters?.includes(key))} />
      {props.above?.(data.rows)}
      <DataGrid
        {...(bulk && { selection, onSelectionChange: select, canSelectAllMatching: true, bulk: () => bulk(chosen) })}
        {...(typeof grid === 'function' ? grid(data.rows) : grid)}
        label={title || entity.labels}
        columns={gridColumns}
        rows={views.ready ? data.rows : []}
        rowId={idOf}
        rowLabel={props.rowLabel ?? ((row) => labelOf(row, entity))}
        status={views.ready ? data.status : { kind: 'loading' }}
        total={data.total}
        sort={state.sort}
        onSortChange={state.setSort}
        filters={state.typedFilters}
        onFiltersChange={state.setFilters}
        onClearFilters={state.reset}
        rowActions={props.actions}
        onOpen={open}
        onPeek={props.onOpen}
        layout={views.layout}
        onLayoutChange={views.save}
        empty={props.empty}
        footer={
          <Pager
            page={state.page}
            per={state.per}
            total={data.total}
            rowsOnPage={data.rows.length}
            sizes={props.sizes === false ? undefined : (props.sizes ?? entity.list.sizes ?? SIZES)}
            onPage={state.setPage}
            onPer={state.setPer}
            noun={labels}
          />
        }
      />
      {props.beside?.(data.rows)}
    </section>
  )
}

function AddNew({ href, may, label = 'Add New' }: { href: string; may: Does; label?: string }) {
  return (
    <Can do={may}>
      <ButtonLink kind="primary" href={href}>
        <Plus size={14} aria-hidden="true" />
        {label}
      </ButtonLink>
    </Can>
  )
}

function ResetFilters({ state }: { state: ListControls }) {
  const untouched = Object.keys(state.typedFilters).length === 0 && state.viewText === ''
  return (
    <Button onClick={state.reset} disabledReason={untouched ? 'No filter is set' : undefined} reasonHidden>
      <FilterX size={14} aria-hidden="true" />
      Reset Filters
    </Button>
  )
}

/** A page beyond the end (its last row was deleted, or the address is old) gives way to the last one that there is. */
function useLastPage(state: ListControls, data: { rows: readonly unknown[]; total: number | undefined; status: { kind: string } }): void {
  const { page, per, setPage } = state
  const { total } = data
  const isEmpty = data.status.kind === 'ready' && data.rows.length === 0
  const goBack = useEffectEvent((last: number) => setPage(last))
  useEffect(() => {
    if (isEmpty && page > 1 && total !== undefined && total <= (page - 1) * per) goBack(Math.max(1, Math.ceil(total / per)))
  }, [isEmpty, page, per, total])
}

/** Lists without path parameters need none; the props' type asks for them where there are some. */
function paramsOf<Params>(props: { params?: Params }): Params {
  return props.params ?? noParams<Params>()
}

function noParams<Params>(): Params
function noParams(): object {
  return {}
}

function idOf(row: { id: number }): number {
  return row.id
}

function labelOf(row: object, entity: ListedEntity): string {
  const known = new Map<string, unknown>(Object.entries(row))
  const found = ['name', 'account_number', 'title', 'email', 'id']
    .map((key) => known.get(key))
    .find((value) => value !== undefined && value !== null)
  return found === undefined ? entity.label : valueText(found)
}
