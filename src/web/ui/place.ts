export type PlaceAlign = 'start' | 'end'

/** Space (px) kept between an overlay and its anchor or the window's edge. */
const GAP = 4

/** Places a fixed panel below its anchor, or above if there is more room, and always inside the window. */
export function placePanel(panel: HTMLElement, anchor: Element | DOMRect, align: PlaceAlign = 'start'): void {
  const at = anchor instanceof Element ? anchor.getBoundingClientRect() : anchor
  const { innerWidth, innerHeight } = globalThis
  const below = innerHeight - at.bottom - GAP * 2
  const above = at.top - GAP * 2
  panel.style.maxHeight = `${Math.max(below, above)}px`
  const { width, height } = panel.getBoundingClientRect()
  const top = height <= below || below >= above ? at.bottom + GAP : Math.max(GAP, at.top - GAP - height)
  const wanted = align === 'start' ? at.left : at.right - width
  panel.style.inset = 'auto'
  panel.style.margin = '0'
  panel.style.top = `${top}px`
  panel.style.left = `${Math.max(GAP, Math.min(wanted, innerWidth - width - GAP))}px`
  panel.style.visibility = 'visible'
}

/** Keeps a shown panel at its anchor while the page scrolls or the window changes; returns a function that stops it. */
export function keepPlaced(panel: HTMLElement, anchor: Element, align: PlaceAlign = 'start'): () => void {
  const replace = () => placePanel(panel, anchor, align)
  replace()
  const size = new ResizeObserver(replace)
  size.observe(panel)
  globalThis.addEventListener('resize', replace)
  globalThis.addEventListener('scroll', replace, true)
  return () => {
    size.disconnect()
    globalThis.removeEventListener('resize', replace)
    globalThis.removeEventListener('scroll', replace, true)
  }
}
