/**
 * Limits how many pieces of work run at once: in the whole process, and per requester. The rest waits in memory, before it takes a database
 * connection. Of the waiting work, the requester with the fewest running pieces comes first.
 */
import { overloaded, tooMuch } from '../problem.ts'

export interface TurnLimits {
  readonly running: number
  readonly waiting: number
  /** Milliseconds for which a piece of work may wait. */
  readonly waitMs: number
}

/** A part of the whole that one person, tenant, network or kind of work may have. */
export interface Share {
  readonly key: string
  readonly running: number
  readonly waiting: number
  /** Number of turns at once if the share has used more than `spendingMax` seconds of running in the last minute or so. */
  readonly runningWhenSpent?: number
  readonly spendingMax?: number
}

export interface Turns {
  /** Throws if one more would have to wait and the queue is full: 503 if the process is full, 429 if a share is. */
  refuseIfFull(shares?: readonly Share[]): void
  /**
   * Waits for a turn, and returns the function that ends it. Throws like `refuseIfFull`, and if the wait is too long. `isGone`: the caller
   * has hung up.
   */
  take(shares: readonly Share[], isGone?: () => boolean): Promise<() => void>
  running(): number
  waiting(): number
}

interface Used {
  running: number
  waiting: number
  /** Seconds of running, which decay by half in `halfLifeMs`. */
  spent: number
  at: number
}

interface Waiting {
  readonly shares: readonly Share[]
  readonly isGone: () => boolean
  readonly start: () => void
  readonly refuse: (error: Error) => void
}

const halfLifeMs = 30_000
/** Number of shares whose usage is remembered. Beyond it, shares without work are forgotten. */
const sharesMax = 20_000
const retryAfterSeconds = 2

export function createTurns(limits: TurnLimits): Turns {
  const used = new Map<string, Used>()
  const queue = new Set<Waiting>()
  let running = 0

  const usedBy = ({ key }: Share): Used => {
    const known = used.get(key)
    if (known) return known
    if (used.size >= sharesMax) forgetIdle(used)
    const fresh = { running: 0, waiting: 0, spent: 0, at: performance.now() }
    used.set(key, fresh)
    return fresh
  }
  const fits = (share: Share): boolean => {
    const own = usedBy(share)
    const { spendingMax = Infinity, runningWhenSpent = share.running } = share
    return own.running < (faded(own) > spendingMax ? runningWhenSpent : share.running)
  }
  const canStart = (shares: readonly Share[]): boolean => running < limits.running && shares.every(fits)
  const refuseIfFull = (shares: readonly Share[] = []): void => {
    if (canStart(shares)) return
    if (queue.size >= limits.waiting) dropGone(queue)
    if (queue.size >= limits.waiting) throw overloaded(retryAfterSeconds)
    if (shares.some((share) => !fits(share) && usedBy(share).waiting >= share.waiting)) throw tooManyAtOnce()
  }
  const start = (shares: readonly Share[]): (() => void) => {
    running += 1
    for (const share of shares) usedBy(share).running += 1
    const from = performance.now()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      running -= 1
      for (const share of shares) {
        const own = usedBy(share)
        own.running -= 1
        own.spent = faded(own) + (performance.now() - from) / 1_000
        own.at = performance.now()
      }
      startNext()
    }
  }
  const startNext = (): void => {
    for (let next = nextOf(); next; next = nextOf()) next.start()
  }
  /** Returns the first in the queue among those whose own share, the first that they name, has the fewest running. */
  const nextOf = (): Waiting | undefined => {
    let best: Waiting | undefined
    let least = Infinity
    if (running >= limits.running) return undefined
    for (const one of queue) {
      const [own] = one.shares
      const count = own ? usedBy(own).running : 0
      if (count < least && canStart(one.shares)) [best, least] = [one, count]
    }
    return best
  }
  const wait = (shares: readonly Share[], isGone: () => boolean): Promise<() => void> => {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const leave = (): void => {
      clearTimeout(timer)
      queue.delete(waiting)
      for (const share of shares) usedBy(share).waiting -= 1
    }
    const waiting: Waiting = {
      shares,
      isGone,
      start: () => {
        leave()
        if (isGone()) return reject(overloaded(retryAfterSeconds))
        resolve(start(shares))
      },
      refuse: (error) => {
        leave()
        reject(error)
      },
    }
    const timer = setTimeout(() => waiting.refuse(shares.every(fits) ? overloaded(retryAfterSeconds) : tooManyAtOnce()), limits.waitMs)
    for (const share of shares) usedBy(share).waiting += 1
    queue.add(waiting)
    return promise
  }
  return {
    refuseIfFull,
    async take(shares, isGone = () => false) {
      if (canStart(shares)) return start(shares)
      refuseIfFull(shares)
      return wait(shares, isGone)
    },
    running: () => running,
    waiting: () => queue.size,
  }
}

function tooManyAtOnce(): Error {
  return tooMuch('too_many', 'Too many requests at once. Please slow down.', retryAfterSeconds)
}

function faded({ spent, at }: Used): number {
  return spent * 0.5 ** ((performance.now() - at) / halfLifeMs)
}

/** Removes callers that have hung up from the queue. */
function dropGone(queue: ReadonlySet<Waiting>): void {
  for (const one of queue) if (one.isGone()) one.refuse(overloaded(retryAfterSeconds))
}

function forgetIdle(used: Map<string, Used>): void {
  for (const [key, own] of used) if (own.running === 0 && own.waiting === 0) used.delete(key)
}
