import { useLayoutEffect, type Dispatch, type SetStateAction } from 'react'
import type { ShownColumn } from './grid-types.ts'

/** Rows that are measured at once; more would take a frame of their own. */
const MEASURED_ROWS = 60

export type WantedWidths = Readonly<Record<string, number>>

type Input<Row> = {
  root: HTMLElement | null
  rows: readonly Row[]
  shown: readonly ShownColumn<Row>[]
  /** Cells before the first column. */
  lead: number
  setWanted: Dispatch<SetStateAction<WantedWidths>>
}

/**
 * Sets by column key the width (px) at which no title and no cell of the rows in sight is cut. A width only grows while the grid is open, so
 * that columns keep their places from page to page.
 */
export function useWantedWidths<Row>({ root, rows, shown, lead, setWanted }: Input<Row>): void {
  // Before the browser paints, so that nobody sees the widths change.
  useLayoutEffect(() => {
    if (root === null || rows.length === 0) return
    const measured = measure(root)
    setWanted((before) => {
      const grown = shown.flatMap(({ column: { key } }, place) => {
        const width = measured[place + lead] ?? 0
        return width > (before[key] ?? 0) ? [[key, width] as const] : []
      })
      return grown.length === 0 ? before : { ...before, ...Object.fromEntries(grown) }
    })
  }, [root, rows, shown, lead, setWanted])
}

/** Returns the widest content of each column, by its place. All styles are written before the first width is read, so it costs one layout. */
function measure(root: HTMLElement): readonly number[] {
  const lines = [...root.querySelectorAll('[data-row]')].filter((line) => line instanceof HTMLElement).slice(0, MEASURED_ROWS)
  for (const line of lines) line.style.gridTemplateColumns = `repeat(${line.childElementCount}, max-content)`
  const widest: number[] = []
  for (const line of lines) {
    for (const [place, cell] of [...line.children].entries()) {
      widest[place] = Math.max(widest[place] ?? 0, Math.ceil(cell.getBoundingClientRect().width))
    }
  }
  for (const line of lines) line.style.gridTemplateColumns = ''
  return widest
}
