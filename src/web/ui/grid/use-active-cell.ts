import { useLayoutEffect, useRef, useState, type FocusEvent } from 'react'
import type { CellPlace } from './grid-keys.ts'

export type ActiveCell = {
  active: CellPlace
  /** Moves the keyboard there and scrolls it into sight. */
  moveTo: (place: CellPlace) => void
  /** For the grid's root: follows the focus wherever a click puts it. */
  onFocus: (event: FocusEvent<HTMLElement>) => void
}

/** The one cell that Tab reaches; the arrows move it. */
export function useActiveCell(root: HTMLElement | null, rows: number, cols: number): ActiveCell {
  const [place, setPlace] = useState<CellPlace>({ row: 0, col: 0 })
  const wanted = useRef(false)
  const active = { row: Math.min(place.row, rows - 1), col: Math.min(place.col, cols - 1) }
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
      const next = placeOf(event.target)
      if (next && (next.row !== place.row || next.col !== place.col)) setPlace(next)
    },
  }
}

/** The place of the cell around an element of a grid. */
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
