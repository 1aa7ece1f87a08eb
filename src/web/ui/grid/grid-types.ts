import type { ReactNode } from 'react'
import type { Choice } from '../fields/choice-fields.tsx'

/** With this many choices or more, a column's filter is searched by typing. */
export const SEARCHED_FROM = 8

export type RowId = string | number

export type GridColumn<Row> = {
  /** Also the sort key. */
  key: string
  label: string
  /** Shown after the label, so that cells need no unit. */
  unit?: string | undefined
  /** Numbers and money are right-aligned in tabular figures. */
  kind?: 'text' | 'number' | 'money' | 'date' | undefined
  /** Text, spans and links only: no library component, no tooltip, no icon component. */
  cell: (row: Row) => ReactNode
  /** Text of the tooltip; a truncated cell shows its full text without it. */
  tip?: ((row: Row) => string | undefined) | undefined
  /** Pixels. */
  width?: number | undefined
  minWidth?: number | undefined
  /** Takes a share of the free width; by default text columns do, numbers and dates don't. */
  grow?: boolean | undefined
  sortable?: boolean | undefined
  filter?: GridFilter | undefined
  /** Explanation of the choices, shown beside the filter. */
  filterHelp?: ReactNode
  edit?: GridEdit<Row> | undefined
  /** Stays at the start while the rest scrolls sideways, unless the layout says otherwise. */
  pinned?: boolean | undefined
  /** Hidden unless the layout says otherwise. */
  hidden?: boolean | undefined
  /** Cannot be hidden. */
  fixed?: boolean | undefined
  /** The part that it has in a card, which rows are on narrow screens; by default it follows from all columns. */
  card?: CardPart | undefined
}

/** Parts of a card: its first line, the amount at the end of that line, the second line, the state, and what is read after 'More'. */
export type CardPart = 'title' | 'figure' | 'second' | 'badge' | 'rest'

/** Keys are those of the caller's filter record, for instance `account_number_cont`. */
export type GridFilter =
  | { kind: 'text'; key: string }
  | { kind: 'range'; of: 'number' | 'date'; from: string; to: string }
  | { kind: 'choice'; key: string; options: readonly Choice[] }
  | { kind: 'boolean'; key: string; yes?: string | undefined; no?: string | undefined }

/** Filter text in wire format by filter key; keys without text are left out. */
export type GridFilters = Readonly<Record<string, string>>

export type GridSort = { key: string; direction: 'asc' | 'desc' }

export type GridEdit<Row> = {
  /** The initial text of an edit. */
  value: (row: Row) => string
  /** Makes the edit a select instead of an input; a first choice with the value '' clears the value. */
  options?: readonly Choice[] | undefined
  /** Parses typed or pasted text; returns the value, or why it is not accepted. */
  parse?: ((text: string, row: Row) => { value: string } | { error: string }) | undefined
  /** Saves one cell. A rejected promise marks the cell as failed with the error's message. */
  save: (row: Row, value: string) => Promise<void>
  /** Why this row's cell cannot be edited. */
  lockedReason?: ((row: Row) => string | undefined) | undefined
}

export type GridSelection<Id extends RowId> = {
  ids: ReadonlySet<Id>
  /** Everything that matches the filters, on all pages. */
  allMatching: boolean
  /** The rows excluded from everything that matches; absent if the caller supports no exclusions. */
  except?: ReadonlySet<Id> | undefined
}

/** The user's changes to the columns; null is the unchanged state. Keys of unknown columns are ignored. */
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

/** A sticky line below the rows, for the page or for all matches. Values by column key. */
export type GridTotals = { label: string; values: Readonly<Record<string, ReactNode>> }

export type CellMark = { state: 'saving' | 'saved' | 'failed'; text: string; message?: string | undefined }
/** Marks of a row by column key. */
export type RowMarks = Readonly<Record<string, CellMark>>

/** Rows that users order. An element with `data-drag` in a cell is the drag handle. */
export type GridOrder<Row> = {
  /** Moves a row by this many places, −1 being up; ±Infinity means the first or the last place. */
  move: (row: Row, by: number) => void
  /** Returns why the row cannot be moved that way now. */
  refused?: ((row: Row, by: number) => string | undefined) | undefined
}

export type DataGridProps<Row, Id extends RowId> = {
  /** The grid's name for screen readers: 'Bills'. */
  label: string
  /** Must be the same array as long as nothing changes. */
  columns: readonly GridColumn<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => Id
  /** Names a row for screen readers; usually the text of its first cell. */
  rowLabel: (row: Row) => string
  status: GridStatus
  /** Rows on all pages; undefined while unknown. */
  total?: number | undefined
  sort?: GridSort | null | undefined
  onSortChange?: ((sort: GridSort) => void) | undefined
  filters?: GridFilters | undefined
  /** Called at every change; the caller waits for a pause before it asks the server. */
  onFiltersChange?: ((filters: GridFilters) => void) | undefined
  selection?: GridSelection<Id> | undefined
  onSelectionChange?: ((selection: GridSelection<Id>) => void) | undefined
  /** Returns why a row cannot be selected; such a row is dimmed. */
  ineligible?: ((row: Row) => string | undefined) | undefined
  /** Returns whether a row has no checkbox, or a read-only one. */
  box?: ((row: Row) => 'none' | 'fixed' | undefined) | undefined
  /** Offers 'Select all N matching' once the page's rows are selected. */
  canSelectAllMatching?: boolean | undefined
  /** The page shows the selection itself: no bar below the rows, and Escape ends nothing. */
  isSaidElsewhere?: boolean | undefined
  /** Contents of the bar that is shown while rows are selected: a running total and the actions. */
  bulk?: ((selection: GridSelection<Id>) => ReactNode) | undefined
  /** Adds the moves to the row's menu, and Alt with the arrows. */
  order?: GridOrder<Row> | undefined
  /** Less important rows, e.g. those no longer in use. */
  faded?: ((row: Row) => boolean) | undefined
  /** The row to find at a glance, such as one that was saved a moment ago; it is scrolled into view. */
  lit?: Id | null | undefined
  /** Removed rows, shown struck through until the user has seen them. */
  struck?: ((row: Row) => boolean) | undefined
  /** `MenuItem`s of the row's menu; if given, the column of menu buttons is shown. */
  rowActions?: ((row: Row) => ReactNode) | undefined
  /** Enter on a row, or a double click. */
  onOpen?: ((row: Row) => void) | undefined
  /** Handles further keys of a row, such as `a`. Returns whether it handled the key; `edit` starts editing a cell of the row. */
  onRowKey?: ((key: string, row: Row, edit: (columnKey: string) => void) => boolean) | undefined
  /** Handles Space on a row where rows cannot be selected: previews it without leaving the list. */
  onPeek?: ((row: Row) => void) | undefined
  layout?: GridLayout | null | undefined
  /** Called only after a change by the user; null means Reset: the caller forgets the layout. */
  onLayoutChange?: ((layout: GridLayout | null) => void) | undefined
  totals?: readonly GridTotals[] | undefined
  /** Shown if there are no rows at all. */
  empty?: ReactNode
  /** Clears the filters when nothing matches. */
  onClearFilters?: (() => void) | undefined
  /** Below the rows: the pager. */
  footer?: ReactNode
}

/** The open row menu and the button that it is anchored to. */
export type OpenMenu<Row> = { row: Row; anchor: HTMLElement; key: number }
/** The cell that is being edited, with the text typed so far. */
export type Editing<Id extends RowId> = { id: Id; key: string; text: string }

/** A visible column in its place. */
export type ShownColumn<Row> = {
  column: GridColumn<Row>
  pinned: boolean
  /** The last pinned column, after which the scrolling part begins. */
  lastPinned: boolean
  /** Its part in a card; undefined while rows are lines. */
  card?: CardPart | undefined
}
