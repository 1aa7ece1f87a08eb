/**
 * Writes one line of the log for each refusal and for each act that an auditor asks about, and, where the settings say so, one for each request.
 * A flood must not fill the disk: equal events are written a few times a minute and then only counted.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log, LogFields } from '../log.ts'
import type { Principal } from '../principal.ts'
import { networkOf } from './networks.ts'

/** Lines a minute of one kind from one network or person, and of all together. Further events are counted and reported in one line. */
export const alikePerMinute = 10
export const linesPerMinute = 600
const minuteMs = 60_000
const accountLengthMax = 254

export type SecurityEvent =
  | 'sign_in'
  | 'sign_in_refused'
  | 'credentials_refused'
  | 'denied'
  | 'rate_limited'
  | 'export'
  | 'secret_read'
  | 'settings_changed'
  | 'credentials_changed'
  | 'api_key_used'
  | 'second_factor_set'
  | 'second_factor_removed'
  | 'recovery_codes_renewed'
  | 'second_factor_refused'
  | 'recovery_code_used'

interface Known {
  principal?: Principal
  /** The code of the failure that was answered. */
  code?: string
  /** What a handler has told of. */
  events?: readonly SecurityEvent[]
  /** Whose second factor it was, where nobody is signed in yet. */
  personId?: number
}

/** Facts about requests that hooks and handlers learn on the way. */
const known = new WeakMap<FastifyRequest, Known>()

function knownOf(request: FastifyRequest): Known {
  const found = known.get(request) ?? {}
  known.set(request, found)
  return found
}

/** Notes the proven caller of a request. It is kept where the request is refused later. */
export function noteVisitor(request: FastifyRequest, principal: Principal): void {
  knownOf(request).principal = principal
}

export function noteRefusal(request: FastifyRequest, code: string): void {
  knownOf(request).code = code
}

/** What the route alone does not tell. `personId` is who it is about, where nobody is signed in yet. */
export function noteEvent(request: FastifyRequest, event: SecurityEvent, personId?: number): void {
  const facts = knownOf(request)
  facts.events = [...(facts.events ?? []), event]
  if (personId !== undefined) facts.personId = personId
}

export interface SecurityLogSettings {
  readonly log: Log
  /** A line for each request of the API. */
  readonly everyRequest: boolean
  readonly clock?: () => number
}

/** @returns a function that writes the counts of the last minute, to be called at the end. */
export function tellOfSecurity(
  server: FastifyInstance,
  { log, everyRequest, clock = () => performance.now() }: SecurityLogSettings,
): () => void {
  const told = createSampler(log, clock)
  server.addHook('onResponse', (request, reply, done) => {
    const facts = factsOf(request, reply)
    if (everyRequest && request.url.startsWith('/api/')) log.info('request', { ...facts, duration_ms: Math.round(reply.elapsedTime) })
    for (const event of eventsOf(request, reply)) {
      const account = event.startsWith('sign_in') ? { account: accountOf(request.body) } : {}
      told.tell(event, `${facts.user_id ?? networkOf(request.ip)}`, { ...facts, ...account })
    }
    done()
  })
  return told.flush
}

function factsOf(request: FastifyRequest, reply: FastifyReply) {
  const { principal, code, personId } = knownOf(request)
  return {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    status: reply.statusCode,
    ...(code === undefined ? {} : { reason: code }),
    ip: request.ip,
    user_id: principal?.user_id ?? personId ?? null,
    ...(principal?.api_token_id === undefined ? {} : { key_id: principal.api_token_id }),
  }
}

const signInRoute = /\/auth\/(sign_in|oidc)/
const credentialRoute = /\/(auth\/password|api_tokens|webhooks\/[^/]+\/secret)|\/users\/profile$/
const settingsRoute = /\/(settings|audit_settings|user_roles|roles)(\/|$)|\/users(\/:\w+)?$/

/** The events of an answered request; most have none. */
function eventsOf(request: FastifyRequest, reply: FastifyReply): SecurityEvent[] {
  const { statusCode } = reply
  const { principal, events: noted = [] } = knownOf(request)
  const route = request.routeOptions.url ?? ''
  const isChange = request.method !== 'GET' && request.method !== 'HEAD'
  if (statusCode === 429) return ['rate_limited']
  if (statusCode === 403) return ['denied']
  if (statusCode === 401) {
    if (signInRoute.test(route)) return ['sign_in_refused']
    // A request without credentials is no attempt to guess them.
    return request.headers['access-token'] !== undefined || request.headers.authorization !== undefined ? ['credentials_refused'] : []
  }
  if (statusCode >= 400) return [...noted]
  const events: SecurityEvent[] = [...noted]
  if (principal?.api_token_id !== undefined) events.push('api_key_used')
  if (isChange && signInRoute.test(route) && reply.hasHeader('access-token')) events.push('sign_in')
  else if (isChange && credentialRoute.test(route)) events.push('credentials_changed')
  else if (isChange && settingsRoute.test(route)) events.push('settings_changed')
  if (/export/.test(route)) events.push('export')
  if (route.endsWith('/bank_details')) events.push('secret_read')
  return events
}

/** Returns the address that was tried. A text that is no address may be a password in the wrong field, so it is left out. */
function accountOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('email' in body) || typeof body.email !== 'string') return undefined
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(body.email) && body.email.length <= accountLengthMax ? body.email : '[no address]'
}

/** Writes equal events a few times a minute, and then how many were left out. */
function createSampler(log: Log, clock: () => number) {
  let began = clock()
  let lines = 0
  const alike = new Map<string, number>()
  const leftOut = new Map<SecurityEvent, number>()
  const flush = (): void => {
    if (leftOut.size > 0) log.warn('security events were left out', { events: Object.fromEntries(leftOut) })
    leftOut.clear()
    alike.clear()
    lines = 0
    began = clock()
  }
  return {
    flush,
    tell(event: SecurityEvent, who: string, fields: LogFields): void {
      if (clock() - began >= minuteMs) flush()
      const key = `${event} ${who}`
      const count = alike.get(key) ?? 0
      // The use of a key is written once a minute: it shows that the key is in use, and from where.
      const most = event === 'api_key_used' ? 1 : alikePerMinute
      if (count >= most || lines >= linesPerMinute) {
        if (event !== 'api_key_used') leftOut.set(event, (leftOut.get(event) ?? 0) + 1)
        return
      }
      alike.set(key, count + 1)
      lines += 1
      log.info('security', { event, ...fields })
    },
  }
}
