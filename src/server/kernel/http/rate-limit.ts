/**
 * Limits requests per minute: by person or token once identified, by network for all unidentified requests. Nothing that a request merely
 * claims opens a window. The counts are in the memory of one process: they protect against floods and are not usage records.
 */
import { networkOf } from './networks.ts'
import type { Principal } from '../principal.ts'
import { Failure, tooMuch } from '../problem.ts'
import { createTurns, type TurnLimits } from './turns.ts'

/**
 * Requests per minute. Plain reads of a person have no limit here; those of programs have one, because programs poll without a pause.
 * `anonymous`: every unidentified request below /api. `pages`: the console's pages and files and signed URLs. `refused`: invalid
 * credentials from a network.
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

/** The span of the counts, from the start of the process on. */
export const windowMs = 60_000
const callersMax = 20_000

/**
 * Credentials that this process has not yet verified are looked up a few at a time, and two at a time per network: they may be invented.
 */
const lookups: TurnLimits = { running: 4, waiting: 600, waitMs: 5_000 }
const lookupsOfNetwork = { running: 2, waiting: 300 }
const provenMax = 20_000

export interface SlidingLimit {
  /** Counts one and returns 0, or returns the seconds to wait if the window is full, without counting. */
  take(key: string, nowMs?: number): number
  /** The same without counting. */
  look(key: string, nowMs?: number): number
}

/** Creates a sliding window: the count of the last minute is weighted by the part of it that still lies in the window. */
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

/** Returns when the next request fits. If the count of the previous minute is in the way, that is long before this minute is over. */
function freeAt({ from, count, before }: Counted, max: number, spanMs: number): number {
  const room = max - count
  return room > 0 ? from + spanMs * (1 - room / Math.max(before, room)) : from + spanMs
}

export interface RequestLimits {
  /** Counts a request of an identified caller. Throws 429 with Retry-After, as all of these do. */
  ofPrincipal(principal: Principal, method: string, route: string): void
  /** Counts an unidentified request of a network. */
  ofNetwork(ip: string, kind: 'anonymous' | 'pages', method: string, route: string): void
  /**
   * Runs `identify` for credentials with this name. Credentials not yet verified here are looked up a few at a time, and no longer once
   * their network has sent too many invalid ones.
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

/** Drops the oldest entries when there are too many. */
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
