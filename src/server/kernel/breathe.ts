/** Long work in one process with everything else. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds that work may keep the process to itself. */
const workMsMax = 2

/** Called between two steps of long work; where the work has gone on for too long, it first lets the process answer others. */
export function breather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < workMsMax) return
    await nextTurn()
    since = performance.now()
  }
}
