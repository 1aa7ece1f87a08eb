import { useCallback, useLayoutEffect, useMemo, useRef, useState, type FocusEvent } from 'react'
import type { FinishEdit } from './cell-editor.tsx'
import type { HeaderProps } from './grid-header.tsx'
import { HEADER_ROW, type CellPlace } from './grid-keys.ts'
import type { DataGridProps, Editing, GridSort, OpenMenu, RowId, RowMarks } from './grid-types.ts'
import { withWidth } from './layout.ts'
import { emptySelection, pageState, togglePage } from './selection.ts'
import { useActiveCell } from './use-active-cell.ts'
import { useCellEdits } from './use-cell-edits.ts'
import { useCards, type Cards } from './use-cards.ts'
import { useColumns, type ShownColumns } from './use-columns.ts'
import { useGridHandlers, type GridHandlers } from './use-grid-handlers.ts'
import { useRowOrder, type RowOrdering } from './use-row-order.ts'

export type Grid<Row, Id extends RowId> = {
  root: HTMLDivElement | null
  setRoot: (element: HTMLDivElement | null) => void
  /** State and not a ref, because the rows are rendered first and must rerender once it is set. */
  scroller: HTMLDivElement | null
  setScroller: (element: HTMLDivElement | null) => void
  columns: ShownColumns<Row>
  /** What draws rows as cards; null while it is loaded, undefined where rows are lines. */
  cards: Cards | null | undefined
  hasSelect: boolean
  hasActions: boolean
  /** Number of columns including the checkbox and the menu button. */
  cols: number
  active: CellPlace
  editing: Editing<Id> | null
  marks: ReadonlyMap<Id, RowMarks>
  /** Ids of the page's rows that can be selected. */
  selectableIds: readonly Id[]
  menu: OpenMenu<Row> | null
  closeMenu: () => void
  order: RowOrdering<Row>
  finishEdit: FinishEdit
  header: HeaderProps<Row>
  handlers: GridHandlers
  onFocus: (event: FocusEvent<HTMLElement>) => void
}

/** All state that a grid keeps between renders. */
export function useGrid<Row, Id extends RowId>(props: DataGridProps<Row, Id>): Grid<Row, Id> {
  const { rows, rowId, selection, ineligible, box, sort } = props
  const [root, setRoot] = useState<HTMLDivElement | null>(null)
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [resizing, setResizing] = useState<{ key: string; width: number } | null>(null)
  const [editing, setEditing] = useState<Editing<Id> | null>(null)
  const [menu, setMenu] = useState<OpenMenu<Row> | null>(null)
  const hasSelect = selection !== undefined && props.onSelectionChange !== undefined
  const hasActions = props.rowActions !== undefined
  const cards = useCards()
  const { columns: own, layout, totals } = props
  // Cards have no columns that could be measured.
  const measured = cards === undefined ? root : null
  const lines = useColumns({ root: measured, rows, columns: own, layout, resizing, hasSelect, hasActions, totals })
  const shown = useMemo(() => cards?.inCardOrder(lines.shown) ?? lines.shown, [cards, lines.shown])
  const columns = { ...lines, shown }
  const cols = columns.shown.length + (hasSelect ? 1 : 0) + (hasActions ? 1 : 0)
  const cell = useActiveCell(root, rows.length, cols)
  const edits = useCellEdits(rowId)
  const selectableIds = useMemo(
    () => rows.filter((row) => ineligible?.(row) === undefined && box?.(row) === undefined).map(rowId),
    [rows, rowId, ineligible, box],
  )
  const order = useRowOrder(props, cell)
  const { handlers, finishEdit } = useGridHandlers({
    props,
    order,
    columns,
    areCards: Boolean(cards),
    hasSelect,
    hasActions,
    cols,
    cell,
    edits,
    selectableIds,
    editing,
    setEditing,
    setMenu,
    scroller,
  })
  const resize = (key: string, width: number, done: boolean) => {
    setResizing(done ? null : { key, width })
    if (done) props.onLayoutChange?.(withWidth(columns.layout, key, width))
  }
  return {
    root,
    setRoot,
    scroller,
    setScroller,
    columns,
    cards,
    hasSelect,
    hasActions,
    cols,
    active: cell.active,
    editing,
    marks: edits.marks,
    selectableIds,
    menu,
    closeMenu: () => setMenu(null),
    order,
    finishEdit: useStableFinish(finishEdit),
    header: {
      shown: columns.shown,
      hasActions,
      sort,
      onSort: props.onSortChange && ((key) => props.onSortChange?.(nextSort(sort, key))),
      select: hasSelect ? pageBox(props, selectableIds) : undefined,
      activeCol: cell.active.row === HEADER_ROW ? cell.active.col : -1,
      onResize: props.onLayoutChange && resize,
    },
    handlers,
    onFocus: cell.onFocus,
  }
}

/** Returns the sort after a click on a title: by that column, or in the other direction. */
export function nextSort(sort: GridSort | null | undefined, key: string): GridSort {
  return { key, direction: sort?.key === key && sort.direction === 'asc' ? 'desc' : 'asc' }
}

function pageBox<Row, Id extends RowId>(props: DataGridProps<Row, Id>, selectableIds: readonly Id[]): HeaderProps<Row>['select'] {
  const selection = props.selection ?? emptySelection
  return {
    state: pageState(selection, selectableIds),
    toggle: () => props.onSelectionChange?.(togglePage(selection, selectableIds)),
    disabled: selectableIds.length === 0,
  }
}

/** Returns the same function for the lifetime of the grid, so that it rerenders no row. */
function useStableFinish(finish: FinishEdit): FinishEdit {
  const latest = useRef(finish)
  useLayoutEffect(() => {
    latest.current = finish
  })
  return useCallback<FinishEdit>((text, after) => latest.current(text, after), [])
}
