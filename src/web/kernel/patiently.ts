/** Repeats a call that did not get through: after the delay that the server asks for, or once the server can be reached. */
import { ApiProblem } from './api-problem.ts'

/** Delay (ms) before the first retry if the server named none; doubled each time up to the longest. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 20_000
/** Time (ms) after which it gives up and reports the failure. */
const GIVE_UP_MS = 900_000

export interface Held {
  readonly reason: 'busy' | 'unreachable'
}

/**
 * Retries until it works, or until a retry cannot help. Repeating the work must have one effect: one intent. `isHeld` says after which problems
 * it is repeated.
 */
export async function patiently<Result>(
  work: () => Promise<Result>,
  onHeld: (held: Held | null) => void,
  isHeld: (problem: ApiProblem) => boolean = ({ passing }) => passing,
): Promise<Result> {
  const until = Date.now() + GIVE_UP_MS
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiProblem) || !isHeld(error) || Date.now() > until) throw error
      onHeld({ reason: error.status === 429 ? 'busy' : 'unreachable' })
      // Clients that were given the same delay must not retry at the same moment.
      await pause((error.retryAfterSeconds === null ? wait : error.retryAfterSeconds * 1_000) + Math.random() * 500)
      onHeld(null)
    }
  }
}

/** Waits this long, or until the connection is back. */
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
