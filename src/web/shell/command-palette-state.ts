import { startTransition, useCallback, useState } from 'react'

type Overlay = 'palette' | 'shortcuts'

/** Which of the shell's two overlays is open. */
export function usePaletteState() {
  const [shown, show] = useState<Overlay | null>(null)
  // In a transition, since React would keep a lazy overlay back for 300 ms otherwise, and what is typed meanwhile would be lost.
  const open = useCallback((what: Overlay) => startTransition(() => show(what)), [])
  return { shown, open, close: () => show(null) }
}
