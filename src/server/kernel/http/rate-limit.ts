/**
 * How much may be asked in a minute: by a person or token that has proven who they are, by a network for all that nobody has proven. Nothing
 * that a request merely claims opens a window. In memory of one process: the floor against floods, not an account of use.
 */
import { networkOf } from './networks.ts'
import type { Principal } from '../principal.ts'
import { Failure, tooMuch } from '../problem.ts'
import { createTurns, type TurnLimits } from './turns.ts'

/**
 * Requests a minute. Plain reads of a person have no limit here, those of programs have, which ask without a pause. `anonymous` is every
 * request below /api that nobody has proven, `pages` the console's pages and files and what signed addresses lead to, `refused` the
 * credentials of a network that prove nothing.
 */
export const requestsPerMinute = {
  writes: 300,
  exports: 60,
  search: 240,
  uploads: 120,
  reads_by_token: 1_200,
  anonymous: 600,
  pages: 3_000,
  refused: 300,
} as const
export type RequestClass = keyof typeof requestsPerMinute

const windowMs = 60_000
const callersMax = 20_000

/** Credentials that this process has not seen to be good are looked up a few at a time, and of one network two: they may be invented. */
const lookups: TurnLimits = { running: 4, waiting: 600, waitMs: 5_000 }
const lookupsOfNetwork = { running: 2, waiting: 300 }
const provenMax = 20_000

export interface SlidingLimit {
  /** Counts one and answers 0, or the seconds to wait where the window is full, which counts nothing. */
  take(key: string, nowMs?: number): number
  /** The same without counting. */
  look(key: string, nowMs?: number): number
}

/** A window that slides: the last minute's count is weighed by how much of it still lies in the window. */
export function slidingLimit(max: number, spanMs = windowMs): SlidingLimit {
  const callers = new Map<string, Counted>()
  const read = (key: string, nowMs: number): { counted: Counted; wait: number } => {
    const from = Math.floor(nowMs / spanMs) * spanMs
    const known = callers.get(key)
    const counted =
      known && known.from === from ? known : { from, count: 0, before: known && known.from === from - spanMs ? known.count : 0 }
    const share = 1 - (nowMs - from) / spanMs
    const isFull = counted.count + counted.before * share >= max
    return { counted, wait: isFull ? Math.max(1, Math.ceil((freeAt(counted, max, spanMs) - nowMs) / 1_000)) : 0 }
  }
  return {
    take(key, nowMs = performance.now()) {
      const { counted, wait } = read(key, nowMs)
      if (wait > 0) return wait
      if (callers.size >= callersMax && !callers.has(key)) callers.clear()
      callers.set(key, { ...counted, count: counted.count + 1 })
      return 0
    },
    look: (key, nowMs = performance.now()) => read(key, nowMs).wait,
  }
}

interface Counted {
  readonly from: number
  readonly count: number
  readonly before: number
}

/** When the next one fits: where what counts of the minute before is in the way, long before this one is over. */
function freeAt({ from, count, before }: Counted, max: number, spanMs: number): number {
  const room = max - count
  return room > 0 ? from + spanMs * (1 - room / Math.max(before, room)) : from + spanMs
}

export interface RequestLimits {
  /** Counts what somebody asks who has proven who they are. Throws 429 with Retry-After, as all of these. */
  ofPrincipal(principal: Principal, method: string, route: string): void
  /** Counts what a network asks without proof. */
  ofNetwork(ip: string, kind: 'anonymous' | 'pages', method: string, route: string): void
  /**
   * Runs `identify` for credentials of this name. Those that were not good here before are looked up a few at a time, and no more once too
   * many of their network have proven nothing.
   */
  proving<T>(ip: string, name: string, identify: () => Promise<T>): Promise<T>
}

export function createRequestLimits(factor = 1): RequestLimits {
  const limitOf = (kind: RequestClass): SlidingLimit => slidingLimit(requestsPerMinute[kind] * factor)
  const windows = {
    writes: limitOf('writes'),
    exports: limitOf('exports'),
    search: limitOf('search'),
    uploads: limitOf('uploads'),
    reads_by_token: limitOf('reads_by_token'),
    anonymous: limitOf('anonymous'),
    pages: limitOf('pages'),
    refused: limitOf('refused'),
  }
  const unproven = createTurns({ ...lookups, waiting: lookups.waiting * factor })
  const proven = new Set<string>()
  const take = (kind: RequestClass | null, key: string): void => {
    if (kind !== null) refuseFor(windows[kind].take(key))
  }
  const lookUp = async <T>(network: string, identify: () => Promise<T>): Promise<T> => {
    refuseFor(windows.refused.look(network))
    const done = await unproven.take([{ key: network, running: lookupsOfNetwork.running, waiting: lookupsOfNetwork.waiting * factor }])
    return identify().finally(done)
  }
  return {
    ofPrincipal({ user_id, api_token_id }, method, route) {
      const key = api_token_id === undefined ? `user ${user_id}` : `token ${api_token_id}`
      take(classOf(method, route) ?? (api_token_id === undefined ? null : 'reads_by_token'), key)
    },
    ofNetwork(ip, kind, method, route) {
      const network = networkOf(ip)
      take(kind, network)
      take(classOf(method, route), network)
    },
    async proving(ip, name, identify) {
      const network = networkOf(ip)
      const key = `${network} ${name}`
      const isKnown = proven.has(key)
      try {
        const found = await (isKnown ? identify() : lookUp(network, identify))
        if (!isKnown) remember(proven, key)
        return found
      } catch (error) {
        if (error instanceof Failure && error.code === 'signed_out') {
          proven.delete(key)
          windows.refused.take(network)
        }
        throw error
      }
    },
  }
}

/** Forgets the oldest where there are too many. */
function remember(proven: Set<string>, key: string): void {
  const [oldest] = proven
  if (proven.size >= provenMax && oldest !== undefined) proven.delete(oldest)
  proven.add(key)
}

function refuseFor(waitSeconds: number): void {
  if (waitSeconds > 0) throw tooMuch('too_many', 'Too many requests. Please slow down.', waitSeconds)
}

export function classOf(method: string, route: string): 'exports' | 'uploads' | 'search' | 'writes' | null {
  if (route.endsWith('export_csv')) return 'exports'
  if (/\/(direct_upload_url|direct_uploads\/|uploads\/)/.test(route)) return 'uploads'
  if (/search/.test(route)) return 'search'
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? null : 'writes'
}
