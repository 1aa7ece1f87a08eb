import { useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'

/** The longest wait (ms) for an idle moment, and the delay in browsers without idle callbacks. */
const LONGEST_MS = 3_000
const WITHOUT_IDLE_MS = 500

/** Runs when the browser is idle; Safari has no idle callback and waits a moment instead. Returns a function that cancels it. */
export function whenIdle(run: () => void): () => void {
  if (typeof globalThis.requestIdleCallback === 'function') {
    const handle = requestIdleCallback(run, { timeout: LONGEST_MS })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(run, WITHOUT_IDLE_MS)
  return () => clearTimeout(timer)
}

/** Interval (ms) of the checks whether the page still waits for the server, and the number of consecutive checks that must find it does not. */
const LOOK_MS = 50
const CALM_LOOKS = 2
/** A page that never becomes idle counts as idle after this long (ms). */
const PATIENCE_MS = 4_000

/** True once the page's first data is loaded and the browser was idle: for work that must not delay the first rows. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  const client = useQueryClient()
  useEffect(() => {
    let cancel: () => void = () => undefined
    const began = performance.now()
    let calm = 0
    const timer = setInterval(() => {
      calm = client.isFetching() > 0 ? 0 : calm + 1
      if (calm < CALM_LOOKS && performance.now() - began < PATIENCE_MS) return
      clearInterval(timer)
      cancel = whenIdle(() => setIdle(true))
    }, LOOK_MS)
    return () => {
      clearInterval(timer)
      cancel()
    }
  }, [client])
  return idle
}
