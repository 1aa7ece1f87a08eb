import { useEffect, useState } from 'react'

/** The longest wait (ms) for an idle moment, and the wait where the browser knows none. */
const LONGEST_MS = 3_000
const WITHOUT_IDLE_MS = 500

/** Runs when the browser has nothing else to do; Safari has no idle callback and waits a moment instead. Answers how to give up. */
export function whenIdle(run: () => void): () => void {
  if (typeof globalThis.requestIdleCallback === 'function') {
    const handle = requestIdleCallback(run, { timeout: LONGEST_MS })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(run, WITHOUT_IDLE_MS)
  return () => clearTimeout(timer)
}

/** True once the page had an idle moment: for what must not stand in the way of the first rows. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    // The first rows are asked for as the page is drawn; a moment later their answers have been drawn too.
    let cancel: () => void = () => undefined
    const timer = setTimeout(() => {
      cancel = whenIdle(() => setIdle(true))
    }, WITHOUT_IDLE_MS)
    return () => {
      clearTimeout(timer)
      cancel()
    }
  }, [])
  return idle
}
