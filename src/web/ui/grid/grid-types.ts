import type { ReactNode } from 'react'
import type { Choice } from '../fields/choice-fields.tsx'

/** From so many choices on, the filter of a column is one that is typed into. */
export const SEARCHED_FROM = 8

export type RowId = string | number

export type GridColumn<Row> = {
  /** Also the sort key. */
  key: string
  label: string
  /** Shown after the label, so that cells carry none. */
  unit?: string | undefined
  /** Numbers and money stand at the right in tabular figures. */
  kind?: 'text' | 'number' | 'money' | 'date' | undefined
  /** Text, spans and links only: no component of a library, no tooltip, no icon component. */
  cell: (row: Row) => ReactNode
  /** Text of the tooltip; a cut-off cell shows its whole text without being told. */
  tip?: ((row: Row) => string | undefined) | undefined
  /** Pixels. */
  width?: number | undefined
  minWidth?: number | undefined
  /** Takes a share of the free width; text does unless told, numbers and dates don't. */
  grow?: boolean | undefined
  sortable?: boolean | undefined
  filter?: GridFilter | undefined
  /** Stands beside the filter: what its choices mean. */
  filterHelp?: ReactNode
  edit?: GridEdit<Row> | undefined
  /** Stands still at the start while the rest scrolls sideways, unless the layout says otherwise. */
  pinned?: boolean | undefined
  /** Not shown unless the layout says otherwise. */
  hidden?: boolean | undefined
  /** Cannot be hidden. */
  fixed?: boolean | undefined
}

/** Keys are those of the caller's filter record, for instance `account_number_cont`. */
export type GridFilter =
  | { kind: 'text'; key: string }
  | { kind: 'range'; of: 'number' | 'date'; from: string; to: string }
  | { kind: 'choice'; key: string; options: readonly Choice[] }
  | { kind: 'boolean'; key: string; yes?: string | undefined; no?: string | undefined }

/** Filter key to its text on the wire; a key without text is left out. */
export type GridFilters = Readonly<Record<string, string>>

export type GridSort = { key: string; direction: 'asc' | 'desc' }

export type GridEdit<Row> = {
  /** The text that editing starts from. */
  value: (row: Row) => string
  /** One of these is chosen instead of text that is typed; a first choice with the value '' takes the value away. */
  options?: readonly Choice[] | undefined
  /** What typed or pasted text means, or why it cannot be taken. */
  parse?: ((text: string, row: Row) => { value: string } | { error: string }) | undefined
  /** Saves one cell. A rejection marks the cell failed, with the error's message. */
  save: (row: Row, value: string) => Promise<void>
  /** Why this row's cell cannot be edited. */
  lockedReason?: ((row: Row) => string | undefined) | undefined
}

export type GridSelection<Id extends RowId> = {
  ids: ReadonlySet<Id>
  /** Everything that matches the filters, on this page and the others. */
  allMatching: boolean
  /** Of everything that matches, the rows that are left out; absent where whoever takes the selection can leave none out. */
  except?: ReadonlySet<Id> | undefined
}

/** What a user changed about the columns; null is the untouched state. Keys that no column has are ignored. */
export type GridLayout = {
  order: readonly string[]
  hidden: readonly string[]
  pinned: readonly string[]
  widths: Readonly<Record<string, number>>
}

export type GridStatus =
  | { kind: 'loading' }
  | { kind: 'ready'; refetching?: boolean | undefined }
  | { kind: 'error'; message?: string | undefined; requestId?: string | undefined; onRetry?: (() => void) | undefined }
  | { kind: 'forbidden'; what?: string | undefined }

/** A sticky line under the rows: of the page, of all matches. Values by column key. */
export type GridTotals = { label: string; values: Readonly<Record<string, ReactNode>> }

export type CellMark = { state: 'saving' | 'saved' | 'failed'; text: string; message?: string | undefined }
/** By column key. */
export type RowMarks = Readonly<Record<string, CellMark>>

/** Rows that people put in order. A cell's element with `data-drag` is the handle for the pointer. */
export type GridOrder<Row> = {
  /** Moves a row by so many places, −1 being up; an infinite number means the first or the last place. */
  move: (row: Row, by: number) => void
  /** Why it cannot be moved that way now. */
  refused?: ((row: Row, by: number) => string | undefined) | undefined
}

export type DataGridProps<Row, Id extends RowId> = {
  /** The grid's name for screen readers: 'Bills'. */
  label: string
  /** Must be the same array while nothing changes. */
  columns: readonly GridColumn<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => Id
  /** Names a row for screen readers; its first cell's text is no bad choice. */
  rowLabel: (row: Row) => string
  status: GridStatus
  /** Rows on all pages; undefined while unknown. */
  total?: number | undefined
  sort?: GridSort | null | undefined
  onSortChange?: ((sort: GridSort) => void) | undefined
  filters?: GridFilters | undefined
  /** Called with every change; the caller waits for a pause before it asks the server. */
  onFiltersChange?: ((filters: GridFilters) => void) | undefined
  selection?: GridSelection<Id> | undefined
  onSelectionChange?: ((selection: GridSelection<Id>) => void) | undefined
  /** Why a row cannot be selected; it is shown dimmed. */
  ineligible?: ((row: Row) => string | undefined) | undefined
  /** A row without a box to tick, or with one that only shows whether it is chosen. */
  box?: ((row: Row) => 'none' | 'fixed' | undefined) | undefined
  /** Offer 'Select all N matching' beside the selected rows of the page. */
  canSelectAllMatching?: boolean | undefined
  /** The page says itself what is selected: no bar below the rows, and Escape ends nothing. */
  isSaidElsewhere?: boolean | undefined
  /** In the bar that shows while something is selected: a running total and the actions. */
  bulk?: ((selection: GridSelection<Id>) => ReactNode) | undefined
  /** Gives the row's menu the moves, and Alt with the arrows. */
  order?: GridOrder<Row> | undefined
  /** Rows of less weight, such as what is no longer in use. */
  faded?: ((row: Row) => boolean) | undefined
  /** Rows that are gone, and are shown until somebody has seen it. */
  struck?: ((row: Row) => boolean) | undefined
  /** `MenuItem`s of the row's menu; the column of buttons shows when given. */
  rowActions?: ((row: Row) => ReactNode) | undefined
  /** Enter on a row, or a double click. */
  onOpen?: ((row: Row) => void) | undefined
  /** Further keys of a row, such as `a`. Answers whether it was one of them; `edit` starts to edit a cell of the row. */
  onRowKey?: ((key: string, row: Row, edit: (columnKey: string) => void) => boolean) | undefined
  /** Space on a row, where rows cannot be selected: a look at it without leaving the list. */
  onPeek?: ((row: Row) => void) | undefined
  layout?: GridLayout | null | undefined
  /** Called after a user's change only; null is Reset, and means: forget it. */
  onLayoutChange?: ((layout: GridLayout | null) => void) | undefined
  totals?: readonly GridTotals[] | undefined
  /** Shown when there are no rows at all. */
  empty?: ReactNode
  /** Clears the filters, from the state in which nothing matches. */
  onClearFilters?: (() => void) | undefined
  /** Under the rows: the pager. */
  footer?: ReactNode
}

/** The row menu that is open, and the button that it hangs on. */
export type OpenMenu<Row> = { row: Row; anchor: HTMLElement; key: number }
/** The cell that is being edited, with the text typed so far. */
export type Editing<Id extends RowId> = { id: Id; key: string; text: string }
