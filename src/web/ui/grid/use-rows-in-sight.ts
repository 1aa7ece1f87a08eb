import { useLayoutEffect, useState } from 'react'
import { rowsInSight, type RowsInSight } from './rows-in-sight.ts'

/** Rows drawn before the height is known. */
const FIRST_ROWS = 32

/** Which rows a scroller shows, `to` not included; rows are all `rowHeight` px high. Without a scroller nothing is watched. */
export function useRowsInSight(scroller: HTMLElement | null, rowHeight: number): RowsInSight {
  const [sight, setSight] = useState<RowsInSight>({ from: 0, to: FIRST_ROWS })
  useLayoutEffect(() => {
    if (!scroller) return undefined
    // Read once and then only told: asking for the height while rows are being drawn would lay the page out twice.
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
