import { useSyncExternalStore } from 'react'

/** Returns the height of a grid's row in px, from the token `--row`; it follows the density and the pointer type. */
export function useRowHeight(): number {
  return useSyncExternalStore(subscribe, readRowHeight)
}

function readRowHeight(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || 32
}

function subscribe(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-density'] })
  const coarse = globalThis.matchMedia('(pointer: coarse)')
  coarse.addEventListener('change', changed)
  return () => {
    observer.disconnect()
    coarse.removeEventListener('change', changed)
  }
}
