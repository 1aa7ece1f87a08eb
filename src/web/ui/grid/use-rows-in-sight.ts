import { useLayoutEffect, useState } from 'react'
import { rowsInSight, type RowsInSight } from './rows-in-sight.ts'

/** Rows rendered before the height is known. */
const FIRST_ROWS = 32

/** Returns the rows that a scroller shows, `to` exclusive; all rows are `rowHeight` px high. Without a scroller nothing is observed. */
export function useRowsInSight(scroller: HTMLElement | null, rowHeight: number): RowsInSight {
  const [sight, setSight] = useState<RowsInSight>({ from: 0, to: FIRST_ROWS })
  useLayoutEffect(() => {
    if (!scroller) return undefined
    // The height is read once and then updated by the observer: reading the height while rows render would lay out the page twice.
    let height = scroller.clientHeight
    const look = () => {
      const next = rowsInSight(scroller.scrollTop, height, rowHeight)
      setSight((now) => (now.from === next.from && now.to === next.to ? now : next))
    }
    const observer = new ResizeObserver(([entry]) => {
      height = entry?.contentRect.height ?? height
      look()
    })
    observer.observe(scroller)
    scroller.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', look)
    }
  }, [scroller, rowHeight])
  return sight
}
