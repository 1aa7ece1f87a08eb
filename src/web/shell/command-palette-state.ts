import { startTransition, useCallback, useState } from 'react'

export type Overlay = 'palette' | 'shortcuts' | 'glossary'

/** The state of the shell's overlays, of which at most one is open. */
export function usePaletteState() {
  const [shown, show] = useState<Overlay | null>(null)
  // In a transition, because otherwise React would delay a lazy overlay by 300 ms, and text typed meanwhile would be lost.
  const open = useCallback((what: Overlay) => startTransition(() => show(what)), [])
  return { shown, open, close: () => show(null) }
}
