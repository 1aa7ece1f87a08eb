/** Rows that users order: by dragging a row's handle, by Alt with the arrows, and by the row's menu. */
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { HEADER_ROW, type CellPlace } from './grid-keys.ts'
import type { DataGridProps, RowId } from './grid-types.ts'
import { placeOf, type ActiveCell } from './use-active-cell.ts'

/** The drop position of a dragged row: above the row with the index `line`. */
export type RowDrag = { from: number; line: number }

export type RowOrdering<Row> = {
  drag: RowDrag | null
  onPointerDown: (event: PointerEvent<HTMLElement>) => void
  /** Returns whether it handled the key. */
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => boolean
  /** Moves the row by this many places and keeps the focus on it. */
  move: (row: Row, by: number) => void
}

/** Distance (px) from the upper and lower edge within which a drag scrolls. */
const SCROLL_EDGE = 28

export function useRowOrder<Row, Id extends RowId>(
  { rows, rowId, order }: Pick<DataGridProps<Row, Id>, 'rows' | 'rowId' | 'order'>,
  cell: ActiveCell,
): RowOrdering<Row> {
  const [drag, setDrag] = useState<RowDrag | null>(null)
  const stop = useRef<(() => void) | null>(null)
  const follow = useFollowedRow({ rows, rowId }, cell)
  useEffect(() => () => stop.current?.(), [])

  const move = (row: Row, by: number, col = cell.active.col) => {
    if (!order || by === 0 || order.refused?.(row, by) !== undefined) return
    follow(row, col)
    order.move(row, by)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const handle = event.target instanceof Element ? event.target.closest('[data-drag]') : null
    const place = handle && placeOf(handle)
    const body = handle?.closest('[role="rowgroup"]')
    const row = place ? rows[place.row] : undefined
    if (!order || !place || !(body instanceof HTMLElement) || row === undefined || event.button !== 0) return
    event.preventDefault()
    stop.current = watchDrag(body, rows.length, {
      onMove: (line) => setDrag({ from: place.row, line }),
      onEnd: (line) => {
        stop.current = null
        setDrag(null)
        if (line !== null) move(row, (line > place.row ? line - 1 : line) - place.row, place.col)
      },
    })
    setDrag({ from: place.row, line: place.row })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): boolean => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    const place = event.target instanceof Element ? placeOf(event.target) : undefined
    const row = place && place.row !== HEADER_ROW ? rows[place.row] : undefined
    if (!order || !event.altKey || by === 0 || place === undefined || row === undefined) return false
    event.preventDefault()
    move(row, by, place.col)
    return true
  }
  return { drag, onPointerDown, onKeyDown, move }
}

/** Moving a row moves its element, which loses the focus; the focus is restored once the new rows are rendered. */
function useFollowedRow<Row, Id extends RowId>(
  { rows, rowId }: Pick<DataGridProps<Row, Id>, 'rows' | 'rowId'>,
  cell: ActiveCell,
): (row: Row, col: number) => void {
  const followed = useRef<{ id: Id; from: CellPlace } | null>(null)
  useLayoutEffect(() => {
    const { current } = followed
    if (!current) return
    const now = rows.findIndex((row) => rowId(row) === current.id)
    if (now === current.from.row) return
    followed.current = null
    cell.moveTo({ row: now < 0 ? Math.min(current.from.row, rows.length - 1) : now, col: current.from.col })
    // Only new rows can have moved it.
  }, [rows, rowId, cell])
  return (row, col) => {
    const id = rowId(row)
    followed.current = { id, from: { row: rows.findIndex((one) => rowId(one) === id), col } }
  }
}

type DragWatch = { onMove: (line: number) => void; onEnd: (line: number | null) => void }

/** Tracks the pointer until it is released; Escape cancels. @returns a function that ends it at once. */
function watchDrag(body: HTMLElement, count: number, { onMove, onEnd }: DragWatch): () => void {
  const scroller = body.closest('[role="grid"]')
  const ending = new AbortController()
  const { signal } = ending
  const lineAt = (event: globalThis.PointerEvent) => {
    const { top, height } = body.getBoundingClientRect()
    return Math.max(0, Math.min(count, Math.round((event.clientY - top) / (height / count))))
  }
  const end = (line: number | null) => {
    ending.abort()
    onEnd(line)
  }
  addEventListener(
    'pointermove',
    (event) => {
      scrollAtEdge(scroller, event.clientY)
      onMove(lineAt(event))
    },
    { signal },
  )
  addEventListener('pointerup', (event) => end(lineAt(event)), { signal })
  addEventListener('pointercancel', () => end(null), { signal })
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      end(null)
    },
    { signal, capture: true },
  )
  return () => ending.abort()
}

function scrollAtEdge(scroller: Element | null, y: number): void {
  if (!scroller) return
  const { top, bottom } = scroller.getBoundingClientRect()
  if (y > bottom - SCROLL_EDGE) scroller.scrollBy(0, SCROLL_EDGE / 2)
  else if (y < top + 2 * SCROLL_EDGE) scroller.scrollBy(0, -SCROLL_EDGE / 2)
}
