import { useState } from 'react'

/** Which of the shell's two overlays is open. */
export function usePaletteState() {
  const [shown, open] = useState<'palette' | 'shortcuts' | null>(null)
  return { shown, open, close: () => open(null) }
}
