import { useSyncExternalStore } from 'react'

export const densities = ['compact', 'normal', 'relaxed'] as const
export type Density = (typeof densities)[number]

/** Puts a density on the page: rows of 28, 32 or 40 px (44 and up where fingers are used). */
export function applyDensity(density: Density): void {
  document.documentElement.dataset['density'] = density
}

/** Height of a grid's row in px, from the token `--row`; follows the density and the pointer. */
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
