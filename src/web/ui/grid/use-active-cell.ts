import { useLayoutEffect, useRef, useState, type FocusEvent } from 'react'
import type { CellPlace } from './grid-keys.ts'

export type ActiveCell = {
  active: CellPlace
  /** Makes the cell active and scrolls to it. */
  moveTo: (place: CellPlace) => void
  /** For the grid's root: makes the cell active that receives the focus, e.g. by a click. */
  onFocus: (event: FocusEvent<HTMLElement>) => void
}

/** The single cell that Tab reaches; the arrows move it. */
export function useActiveCell(root: HTMLElement | null, rows: number, cols: number): ActiveCell {
  const [place, setPlace] = useState<CellPlace>({ row: 0, col: 0 })
  const wanted = useRef(false)
  const active = { row: Math.min(place.row, rows - 1), col: Math.min(place.col, cols - 1) }
  const held = useRef<Element | null>(null)
  // A row that leaves takes its focused cell along. The row that takes its place gets the focus, so that the keyboard goes on there.
  useLayoutEffect(() => {
    if (held.current === null || held.current.isConnected || document.activeElement !== document.body) return
    held.current = null
    focusCell(root, active)
  })
  useLayoutEffect(() => {
    if (!wanted.current) return
    wanted.current = false
    focusCell(root, place)
  }, [root, place])
  return {
    active,
    moveTo: (next) => {
      wanted.current = true
      setPlace({ ...next })
    },
    onFocus: (event) => {
      held.current = event.target
      const next = placeOf(event.target)
      if (next && (next.row !== place.row || next.col !== place.col)) setPlace(next)
    },
  }
}

/** Returns the place of the cell that contains an element. */
export function placeOf(element: Element): CellPlace | undefined {
  const row = element.closest('[data-row]')?.getAttribute('data-row')
  const col = element.closest('[data-col]')?.getAttribute('data-col')
  return row && col ? { row: Number(row), col: Number(col) } : undefined
}

function focusCell(root: HTMLElement | null, { row, col }: CellPlace): void {
  const cell = root?.querySelector(`[data-row="${row}"] [data-col="${col}"]`)
  if (!(cell instanceof HTMLElement)) return
  const inner = cell.hasAttribute('data-cell') ? null : cell.querySelector('input, button')
  const target = inner instanceof HTMLElement ? inner : cell
  target.focus({ preventScroll: true })
  cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
