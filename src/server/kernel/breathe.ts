/** Keeps long work from blocking the process that it shares with everything else. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds for which work may occupy the process. */
const workMsMax = 2

/**
 * Returns a function to call between two steps of long work. When the work has run for too long, that function first lets the process
 * answer others.
 */
export function breather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < workMsMax) return
    await nextTurn()
    since = performance.now()
  }
}
