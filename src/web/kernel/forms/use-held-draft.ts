import { useEffect, useEffectEvent } from 'react'
import { beforeSignIn } from '../credentials.ts'
import { SIGN_EVERY_MS, signLasting } from './lasting-draft.ts'

/**
 * Marks the lasting draft of this name as held by this tab while the page is mounted, and calls `keepLast` when the page goes away or the
 * session ends. Null holds none.
 */
export function useHeldDraft(name: string | null, keepLast: () => void): void {
  const keep = useEffectEvent(keepLast)
  useEffect(() => {
    if (name === null) return undefined
    const timer = setInterval(() => signLasting(name, true), SIGN_EVERY_MS)
    const goAway = () => {
      keep()
      signLasting(name, false)
    }
    const comeBack = () => signLasting(name, true)
    const giveUp = beforeSignIn(() => keep())
    globalThis.addEventListener('pagehide', goAway)
    globalThis.addEventListener('pageshow', comeBack)
    return () => {
      giveUp()
      clearInterval(timer)
      signLasting(name, false)
      globalThis.removeEventListener('pagehide', goAway)
      globalThis.removeEventListener('pageshow', comeBack)
    }
  }, [name])
}
