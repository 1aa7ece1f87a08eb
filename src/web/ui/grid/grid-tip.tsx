import { useEffect, useRef } from 'react'
import { placePanel } from '../place.ts'
import styles from './data-grid.module.css'

/** Milliseconds before a tooltip is shown. */
const TIP_DELAY_MS = 350

/** The one tooltip of a grid: the reason of a mark, or the full text of a truncated cell. */
export function GridTip({ root: grid }: { root: HTMLElement | null }) {
  const tip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = tip.current
    if (!grid || !element) return undefined
    let timer = 0
    const hide = () => {
      clearTimeout(timer)
      if (element.matches(':popover-open')) element.hidePopover()
    }
    const show = (event: Event) => {
      hide()
      const cell = event.target instanceof Element ? event.target.closest('[data-col]') : null
      const text = cell && tipText(cell)
      if (!cell || !text) return
      timer = window.setTimeout(() => {
        element.textContent = text
        element.showPopover()
        placePanel(element, cell)
      }, TIP_DELAY_MS)
    }
    const hideEvents = ['pointerleave', 'focusout', 'scroll', 'keydown', 'pointerdown']
    grid.addEventListener('pointerover', show)
    grid.addEventListener('focusin', show)
    for (const name of hideEvents) grid.addEventListener(name, hide, true)
    return () => {
      hide()
      grid.removeEventListener('pointerover', show)
      grid.removeEventListener('focusin', show)
      for (const name of hideEvents) grid.removeEventListener(name, hide, true)
    }
  }, [grid])
  return <div ref={tip} popover="manual" role="tooltip" className={styles.tip} />
}

function tipText(cell: Element): string | null {
  const told = cell.getAttribute('data-tip')
  if (told || cell.querySelector('input')) return told
  const parts = [cell, ...cell.querySelectorAll(':not(.sr-only)')]
  return parts.some((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1) ? seenText(cell) : null
}

/** Returns the cell's text without the parts for screen readers. */
function seenText(cell: Element): string {
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  let seen = ''
  while (texts.nextNode()) {
    const { currentNode } = texts
    if (!currentNode.parentElement?.closest('.sr-only')) seen += currentNode.textContent ?? ''
  }
  return seen.trim()
}
