/** How much one caller may ask in a minute, by class of call. In memory of one process: the floor against floods, not an account of use. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tooMuch } from './problem.ts'

/** Requests a minute. Plain reads have no limit here but for programs, which ask without a pause. */
export const requestsPerMinute = { writes: 300, exports: 60, search: 240, uploads: 120, reads_by_token: 1_200 } as const
export type RequestClass = keyof typeof requestsPerMinute

const windowMs = 60_000
const callersMax = 20_000

export interface SlidingLimit {
  /** Counts one and answers 0, or the seconds to wait where the window is full, which counts nothing. */
  take(key: string, nowMs?: number): number
}

/** A window that slides: the last minute's count is weighed by how much of it still lies in the window. */
export function slidingLimit(max: number, spanMs = windowMs): SlidingLimit {
  const callers = new Map<string, { from: number; count: number; before: number }>()
  return {
    take(key, nowMs = performance.now()) {
      const from = Math.floor(nowMs / spanMs) * spanMs
      const known = callers.get(key)
      const counted =
        known && known.from === from ? known : { from, count: 0, before: known && known.from === from - spanMs ? known.count : 0 }
      const share = 1 - (nowMs - from) / spanMs
      if (counted.count + counted.before * share >= max) return Math.max(1, Math.ceil((freeAt(counted, max, spanMs) - nowMs) / 1_000))
      if (callers.size >= callersMax && !known) callers.clear()
      callers.set(key, { ...counted, count: counted.count + 1 })
      return 0
    },
  }
}

/** When the next one fits: where what counts of the minute before is in the way, long before this one is over. */
function freeAt({ from, count, before }: { from: number; count: number; before: number }, max: number, spanMs: number): number {
  const room = max - count
  return room > 0 ? from + spanMs * (1 - room / Math.max(before, room)) : from + spanMs
}

/** Refuses with 429 and Retry-After what comes too fast. The sign-in has a brake of its own. */
export function limitRequests(server: FastifyInstance, limits: Readonly<Record<RequestClass, number>> = requestsPerMinute): void {
  const windows = {
    writes: slidingLimit(limits.writes),
    exports: slidingLimit(limits.exports),
    search: slidingLimit(limits.search),
    uploads: slidingLimit(limits.uploads),
    reads_by_token: slidingLimit(limits.reads_by_token),
  }
  server.addHook('onRequest', (request, _reply, done) => {
    const kind = classOf(request.method, request.routeOptions.url ?? '') ?? (bearerOf(request) === null ? null : 'reads_by_token')
    const wait = kind ? windows[kind].take(callerOf(request)) : 0
    if (wait > 0) done(tooMuch('too_many', 'Too many requests. Please slow down.', wait))
    else done()
  })
}

export function classOf(method: string, route: string): RequestClass | null {
  if (route.endsWith('export_csv')) return 'exports'
  if (/\/(direct_upload_url|direct_uploads\/|uploads\/)/.test(route)) return 'uploads'
  if (/search/.test(route)) return 'search'
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? null : 'writes'
}

/** A sign-in or a token together with its network: nobody gets a second window by inventing one, which the call itself refuses. */
function callerOf(request: FastifyRequest): string {
  const bearer = bearerOf(request)
  // A token is no key of a table: its hash is as good.
  if (bearer !== null) return `${request.ip} bearer ${createHash('sha256').update(bearer).digest('base64url')}`
  const { uid } = request.headers
  return `${request.ip} ${typeof uid === 'string' ? uid.slice(0, 254).toLowerCase() : ''}`
}

/** Only what programs send: the console's three headers come without it. */
function bearerOf({ headers }: FastifyRequest): string | null {
  return headers.authorization?.slice(0, 200) ?? null
}
