/** Keeps long work from blocking the process that it shares with everything else. */
import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds for which work may occupy the process. */
const workMsMax = 2
/** Others that are busy get this many waits of a millisecond before the work goes on. */
const waitsMax = 4
/** Milliseconds of the process that others have used in a turn, from which on they are busy. */
const busyMs = 0.2

/**
 * Returns a function to call between two steps of long work. When the work has run for too long, that function first lets the process
 * answer others. A request asks the database several times, and each of its answers would wait until the work pauses again: while others are
 * busy, the work waits for some milliseconds, in which they get on.
 */
export function breather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < workMsMax) return
    let before = performance.eventLoopUtilization()
    await nextTurn()
    for (let waits = 0; waits < waitsMax && performance.eventLoopUtilization(before).active > busyMs; waits += 1) {
      before = performance.eventLoopUtilization()
      await sleep(1)
    }
    since = performance.now()
  }
}
