/** The list of an entity: rows, filters, sort, pages, columns, views, export. Special parts are passed as JSX. */
import { lazy, Suspense, useEffect, useEffectEvent, useMemo, type ReactNode } from 'react'
import { FilterX, Plus, Upload } from 'lucide-react'
import { pageSizeDefault } from '#contract/kernel/query.ts'
import { ButtonLink, Button } from '../../ui/button.tsx'
import { ColumnChooser } from '../../ui/grid/column-chooser.tsx'
import { DataGrid, type DataGridProps } from '../../ui/grid/data-grid.tsx'
import { shownKeys } from '../../ui/grid/layout.ts'
import { Pager, type PagerProps } from '../../ui/grid/pager.tsx'
import { Chips, PageHeader } from '../../ui/page-header.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'
import type { Part } from '../api.ts'
import { ExportButton, type ExportCall } from './export-button.tsx'
import { nameOfRecord } from '../record-name.ts'
import { useFit, useMeasuredFit, type Fit } from './fitted-rows.ts'
import { filterChips } from './filter-chips.ts'
import { listColumns, type Cells, type ColumnWish } from './list-columns.tsx'
import { useListData, type FixedQuery, type ListCall } from './list-data.ts'
import { useListState, type ListControls, type ListedEntity } from './list-state.ts'
import { matchingRows, useListSelection, type Chosen } from './list-selection.ts'
import { useListSums, type ListSums } from './list-sums.ts'
import { ListViews, ListViewTabs, useListViews } from './list-views.tsx'
import { useGo } from '../navigation.tsx'
import { useSavedRow } from './way-back.ts'
import { Can, type Does } from '../permissions.tsx'
import styles from '../kernel.module.css'

const NothingYet = lazy(() => import('./nothing-yet.tsx').then((module) => ({ default: module.NothingYet })))

/** Page sizes that the pager offers if the entity names none. */
const SIZES = [10, 20, 50, 100, 200]
const noFilters: readonly string[] = []

export type ListPageProps<Plural extends string, Row extends { id: number }, Params> = Part<'params', Params> & {
  entity: ListedEntity<Plural>
  calls: { list: ListCall<Plural, Row, Params>; exportCsv?: ExportCall<Params> | undefined }
  /** Fields by name, or with overrides. Must be constant or memoized. */
  columns: readonly ColumnWish<Row>[]
  /** Cells that show more than the field's text. Must be constant. */
  cells?: Cells<Row> | undefined
  /** `MenuItem`s of a row's Actions menu. */
  actions?: ((row: Row) => ReactNode) | undefined
  /** Path that a row links to by its first cell and by Enter. */
  rowHref?: ((row: Row) => string | undefined) | undefined
  /** Shows a row in place by Enter, Space or a double click, in a list whose rows do not link to a page. */
  onOpen?: ((row: Row) => void) | undefined
  /** Rendered above the rows with the page's rows: actions on the selected ones. */
  above?: ((rows: readonly Row[]) => ReactNode) | undefined
  /** Rendered beside the grid with the page's rows: a view of one of them. */
  beside?: ((rows: readonly Row[]) => ReactNode) | undefined
  /** Name of a row for screen readers; its first column by default. */
  rowLabel?: ((row: Row) => string) | undefined
  /** The heading; the entity's labels by default. '' leaves the heading to the surrounding page. */
  title?: string | undefined
  /** A sum with its currency sign, shown beside the count. */
  sum?: string | undefined
  addNew?: { href: string; may: Does; label?: string } | undefined
  importHref?: string | undefined
  /** Further buttons before the primary one. */
  headerActions?: ReactNode
  /** Parameters besides the filters that hold for the whole page. Must be memoized. */
  query?: FixedQuery | undefined
  /** Filters of the call beyond the entity's. Must be constant. */
  extraFilters?: readonly string[] | undefined
  /** Filters that have their own fields beside the list and therefore no chips. Must be constant. */
  ownFilters?: readonly string[] | undefined
  /** Name under which columns and views are saved; the plural by default. */
  listName?: string | undefined
  /** False: the page size is fixed, and `per` in the address is ignored. */
  sizes?: readonly number[] | false | undefined
  perDefault?: number | undefined
  /** Replaces the state of a list without any record. */
  empty?: ReactNode
  /** What the first record needs, said while there is none. */
  emptyHint?: string | undefined
  /** Buttons below the rows for the selected ones. Undefined if rows cannot be selected. */
  bulk?: ((chosen: Chosen) => ReactNode) | undefined
  /** The sums of all matching rows, shown below the rows. Must be constant or memoized. */
  sums?: ListSums | undefined
  /** Selection, totals and other props of the grid; as a function, of the page's rows. */
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

/** A whole list page; its state is in the address. */
export function ListPage<Plural extends string, Row extends { id: number }, Params>(props: ListPageProps<Plural, Row, Params>) {
  const { entity, calls, columns, cells, rowHref, query, grid } = props
  const go = useGo()
  const name = props.listName ?? entity.plural
  const isSizable = props.sizes !== false
  const ownPer = props.perDefault ?? pageSizeDefault
  const fit = useFit(name, ownPer)
  const perDefault = isSizable ? fit.per : ownPer
  const state = useListState(entity, props.extraFilters ?? noFilters, perDefault, isSizable, ownPer)
  const params = paramsOf(props)
  const views = useListViews(name, state)
  const data = useListData({ plural: entity.plural, call: calls.list, params, query }, state)
  const gridColumns = useMemo(() => listColumns(entity, { columns, cells, rowHref }), [entity, columns, cells, rowHref])
  useLastPage(state, data)
  const section = useMeasuredFit(fit)
  const savedRow = useSavedRow(entity.name)
  const { bulk } = props
  const { selection, select, chosen } = useListSelection({ entity, filters: state.filters, query, params, total: data.total })
  const matching = matchingRows({ entity, filters: state.filters, query })
  const totals = useListSums(props.sums, { plural: entity.plural, params, matching, total: data.total })
  const title = props.title ?? entity.labels
  const labels = inSentence(entity.labels)
  const open = rowHref
    ? (row: Row) => {
        const href = rowHref(row)
        if (href) go(href)
      }
    : props.onOpen
  return (
    <section ref={section} className={styles.list} data-fills={props.beside ? undefined : ''} aria-label={title || entity.labels}>
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
                shown={shownKeys(gridColumns, views.layout).filter((key) => key === 'id' || key in entity.fields)}
              />
            )}
            {props.headerActions}
            {props.addNew && <AddNew {...props.addNew} />}
          </>
        }
      >
        <ListViewTabs state={state} views={views} />
      </PageHeader>
      <Chips label="Filters" items={filterChips(entity, state, gridColumns).filter(({ key }) => !props.ownFilters?.includes(key))} />
      {props.above?.(data.rows)}
      <DataGrid
        {...(bulk && { selection, onSelectionChange: select, canSelectAllMatching: true, bulk: () => bulk(chosen) })}
        {...(totals && { totals })}
        {...(typeof grid === 'function' ? grid(data.rows) : grid)}
        label={title || entity.labels}
        columns={gridColumns}
        rows={views.ready ? data.rows : []}
        rowId={idOf}
        lit={savedRow}
        rowLabel={props.rowLabel ?? ((row) => nameOfRecord(row) ?? entity.label)}
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
        empty={
          props.empty ?? (
            <Suspense fallback={null}>
              <NothingYet
                label={inSentence(entity.label)}
                labels={labels}
                hint={props.emptyHint}
                addNew={props.addNew}
                importHref={props.importHref}
              />
            </Suspense>
          )
        }
        footer={
          <Pager
            page={state.page}
            per={state.per}
            total={data.total}
            rowsOnPage={data.rows.length}
            sizes={props.sizes === false ? undefined : (props.sizes ?? entity.list.sizes ?? SIZES)}
            onPage={state.setPage}
            onPer={state.setPer}
            fit={fitOf(fit, state)}
            noun={labels}
          />
        }
      />
      {props.beside?.(data.rows)}
    </section>
  )
}

/** The choice of the pager. A number in the address comes before it. */
function fitOf({ isOn, per, set }: Fit, state: ListControls): PagerProps['fit'] {
  const choose = (on: boolean) => {
    set(on)
    if (on) state.setPer(per)
  }
  return { isOn: isOn && state.per === per, set: choose }
}

/** 'Bills' becomes 'bills' inside a sentence, 'API Tokens' becomes 'API tokens'. */
function inSentence(label: string): string {
  return label.replaceAll(/\b[A-Z](?![A-Z])/g, (letter) => letter.toLowerCase())
}

function AddNew({ href, may, label = 'Add New' }: { href: string; may: Does; label?: string }) {
  return (
    <Can do={may}>
      <AddNewLink href={href} label={label} />
    </Can>
  )
}

function AddNewLink({ href, label }: { href: string; label: string }) {
  const go = useGo()
  useShortcuts([{ keys: 'n', label, group: 'Lists', run: () => go(href) }])
  return (
    <ButtonLink kind="primary" href={href} title="N">
      <Plus size={14} aria-hidden="true" />
      {label}
    </ButtonLink>
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

/** Replaces a page number beyond the end with the last page, e.g. after its last row was deleted or from an old address. */
function useLastPage(state: ListControls, data: { rows: readonly unknown[]; total: number | undefined; status: { kind: string } }): void {
  const { page, per, setPage } = state
  const { total } = data
  const isEmpty = data.status.kind === 'ready' && data.rows.length === 0
  const goBack = useEffectEvent((last: number) => setPage(last))
  useEffect(() => {
    if (isEmpty && page > 1 && total !== undefined && total <= (page - 1) * per) goBack(Math.max(1, Math.ceil(total / per)))
  }, [isEmpty, page, per, total])
}

/** Lists without path parameters need none; the type of the props requires them where there are some. */
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
