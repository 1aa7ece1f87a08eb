import type { GridColumn, GridLayout, GridTotals } from './grid-types.ts'

export const MIN_COLUMN_WIDTH = 56
export const MAX_COLUMN_WIDTH = 900
/** Widths (px) of the bold letters of a sum, rounded up, and of a cell's padding and border. */
const LETTER_WIDTH = 8.5
const POINT_WIDTH = 4.5
const CELL_PADDING = 22
const DEFAULT_WIDTHS = { text: 160, number: 110, money: 116, date: 106 } as const

type AnyColumn = Omit<GridColumn<never>, 'cell' | 'tip' | 'edit'>

/**
 * Returns the layout in use: the user's changes applied to the columns' defaults. New columns come after those that the user's layout contains.
 */
export function resolveLayout(columns: readonly AnyColumn[], layout: GridLayout | null | undefined): GridLayout {
  const keys = columns.map((column) => column.key)
  if (!layout) return ownLayout(columns)
  const known = layout.order.filter((key) => keys.includes(key))
  const isNew = (column: AnyColumn) => !layout.order.includes(column.key)
  return {
    order: [...known, ...keys.filter((key) => !known.includes(key))],
    hidden: columns
      .filter((column) => !column.fixed && (isNew(column) ? column.hidden : layout.hidden.includes(column.key)))
      .map((column) => column.key),
    pinned: keys.filter((key) => layout.pinned.includes(key)),
    widths: layout.widths,
  }
}

/** Returns the keys of the columns in sight, in their order. */
export function shownKeys(columns: readonly AnyColumn[], layout: GridLayout | null | undefined): string[] {
  const { order, hidden } = resolveLayout(columns, layout)
  return order.filter((key) => !hidden.includes(key))
}

function ownLayout(columns: readonly AnyColumn[]): GridLayout {
  return {
    order: columns.map((column) => column.key),
    hidden: columns.filter((column) => column.hidden).map((column) => column.key),
    pinned: columns.filter((column) => column.pinned).map((column) => column.key),
    widths: {},
  }
}

/** Returns a column's width in pixels: the user's, else the column's, else that of its kind, widened for the sums below it. */
export function columnWidth(column: AnyColumn, widths: GridLayout['widths'], totals: readonly GridTotals[] = []): number {
  const own = widths[column.key]
  if (own !== undefined) return boundedWidth(column, own)
  const sums = totals.map(({ values }) => sumWidth(values[column.key]))
  return boundedWidth(column, Math.max(column.width ?? DEFAULT_WIDTHS[column.kind ?? 'text'], ...sums))
}

/** Returns the width of a sum's text; 0 for what is no text. */
function sumWidth(value: GridTotals['values'][string]): number {
  if (typeof value !== 'string') return 0
  const points = value.replaceAll(/[^.,]/g, '').length
  return points * POINT_WIDTH + (value.length - points) * LETTER_WIDTH + CELL_PADDING
}

/** Widths (px): room for a filter, and what leaves room for the other columns. */
const FILTER_WIDTH = 84
const MOST_OWN_WIDTH = 240
const MOST_SHARED_WIDTH = 420
/** A column grows by this factor before it cuts its content, because an account number without its end names no account. */
const STRETCH = 1.15

/**
 * Returns a column's width (px) by its content, and its share of the free width, null if it takes none. A short column is never cut; long ones
 * that share the free width also share what is missing.
 * @param width by the column's description
 * @param wanted that of its widest content; undefined before it is measured
 */
export function widthByContent(
  column: AnyColumn,
  { width, wanted, grows }: { width: number; wanted: number | undefined; grows: boolean },
): { width: number; share: number | null } {
  if (wanted === undefined) return { width, share: grows ? width : null }
  const least = Math.max(wanted, Math.min(width, column.filter ? FILTER_WIDTH : MIN_COLUMN_WIDTH))
  if (!grows) return { width: boundedWidth(column, Math.min(least, Math.max(width, MOST_OWN_WIDTH))), share: null }
  return { width: boundedWidth(column, Math.min(least, width * STRETCH)), share: Math.min(least, Math.max(width, MOST_SHARED_WIDTH)) }
}

export function boundedWidth(column: AnyColumn, width: number): number {
  return Math.round(Math.min(MAX_COLUMN_WIDTH, Math.max(column.minWidth ?? MIN_COLUMN_WIDTH, width)))
}

/** Whether a column takes a share of the free width: never when pinned or set by the user. */
export function growsFreely(column: AnyColumn, layout: GridLayout): boolean {
  if (layout.pinned.includes(column.key) || layout.widths[column.key] !== undefined) return false
  return column.grow ?? (column.kind === undefined || column.kind === 'text')
}

export function withWidth(layout: GridLayout, key: string, width: number | undefined): GridLayout {
  const { [key]: _old, ...rest } = layout.widths
  return { ...layout, widths: width === undefined ? rest : { ...rest, [key]: width } }
}

export function withVisible(layout: GridLayout, key: string, visible: boolean): GridLayout {
  const others = layout.hidden.filter((one) => one !== key)
  return { ...layout, hidden: visible ? others : [...others, key] }
}

export function withPinned(layout: GridLayout, key: string, pinned: boolean): GridLayout {
  const others = layout.pinned.filter((one) => one !== key)
  return { ...layout, pinned: pinned ? [...others, key] : others }
}

/** Moves a column to the index of another, which for a single step is its neighbour's. */
export function withMoved(layout: GridLayout, key: string, toIndex: number): GridLayout {
  const order = layout.order.filter((one) => one !== key)
  order.splice(Math.max(0, Math.min(order.length, toIndex)), 0, key)
  return { ...layout, order }
}
