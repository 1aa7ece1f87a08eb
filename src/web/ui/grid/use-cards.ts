import { useEffect, useState, useSyncExternalStore } from 'react'
import type * as CardsModule from './cards.tsx'
import { usePrinting } from './use-printing.ts'

/** Below this width a table is read by scrolling sideways, so rows become cards. Paper keeps the table. */
const NARROW = 'screen and (max-width: 599.98px)'

export type Cards = typeof CardsModule

let loaded: Cards | null = null

/** Returns what draws rows as cards; null while it is loaded, undefined where rows stay lines. Its code is loaded on narrow screens only. */
export function useCards(): Cards | null | undefined {
  const isNarrow = useSyncExternalStore(subscribe, isNarrowNow)
  const isPrinting = usePrinting()
  const [cards, setCards] = useState(loaded)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!isNarrow || cards) return
    void import('./cards.tsx').then(
      (module) => {
        loaded = module
        setCards(module)
      },
      () => setFailed(true),
    )
  }, [isNarrow, cards])
  // Without its code the list is still there, as a table.
  return isNarrow && !isPrinting && !hasFailed ? cards : undefined
}

function isNarrowNow(): boolean {
  return matchMedia(NARROW).matches
}

function subscribe(changed: () => void): () => void {
  const narrow = matchMedia(NARROW)
  narrow.addEventListener('change', changed)
  return () => narrow.removeEventListener('change', changed)
}
