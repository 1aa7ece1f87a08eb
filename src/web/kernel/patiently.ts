/** Sends again what did not get through: after the pause that the server asks for, or once it can be reached. */
import { ApiProblem } from './api-problem.ts'

/** Milliseconds before the first new try where the server named none; doubled each time up to the longest. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 20_000
/** Milliseconds after which whoever waits is told that it did not work. */
const GIVE_UP_MS = 900_000

export interface Held {
  readonly reason: 'busy' | 'unreachable'
}

/** Tries until it works, or until trying again cannot help. The work must have one effect however often it is sent: one intent. */
export async function patiently<Result>(work: () => Promise<Result>, onHeld: (held: Held | null) => void): Promise<Result> {
  const until = Date.now() + GIVE_UP_MS
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiProblem) || !error.passing || Date.now() > until) throw error
      onHeld({ reason: error.status === 429 ? 'busy' : 'unreachable' })
      // Many that were told the same pause shall not come back at the same moment.
      await pause((error.retryAfterSeconds === null ? wait : error.retryAfterSeconds * 1_000) + Math.random() * 500)
      onHeld(null)
    }
  }
}

/** No longer than until the connection is back. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      globalThis.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    globalThis.addEventListener('online', done)
  })
}
