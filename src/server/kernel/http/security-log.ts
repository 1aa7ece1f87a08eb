/**
 * Records each refusal and each act that an auditor asks about: a line of the log and an event of the security log. Where the settings say so,
 * each request is a line as well.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'
import { covers, type Principal } from '../principal.ts'
import { isEmail, noAddress, type SecurityEventDraft, type SecurityEvents } from '../security-events.ts'
import { networkOf } from './networks.ts'
import { knownOf, type SecurityEvent } from './security-facts.ts'
import { eventsOf } from './security-rules.ts'
import { createSampler, minuteMs } from './security-sampler.ts'

/** Remembered pairs of token and network, so that the table is asked once for each. */
const tokenNetworksMax = 10_000

export interface SecurityLogSettings {
  readonly log: Log
  /** A line for each request of the API. */
  readonly everyRequest: boolean
  readonly events?: Pick<SecurityEvents, 'add'>
  readonly clock?: () => number
}

/** @returns a function that writes the counts of the last minute, to be called at the end. */
export function tellOfSecurity(
  server: FastifyInstance,
  { log, everyRequest, events, clock = () => performance.now() }: SecurityLogSettings,
): () => void {
  const sampler = createSampler({ log, clock, onLeftOut: (event, times) => event && events?.add({ ...event, times }) })
  // The counts of a minute are stored although no further event follows.
  const timer = setInterval(sampler.flushIfDue, minuteMs).unref()
  server.addHook('onClose', (_server, done) => {
    clearInterval(timer)
    done()
  })
  const tokenNetworks = new Set<string>()
  server.addHook('onResponse', (request, reply, done) => {
    const facts = factsOf(request, reply)
    if (everyRequest && request.url.startsWith('/api/')) log.info('request', { ...facts, duration_ms: Math.round(reply.elapsedTime) })
    for (const event of eventsOf(request, reply)) {
      const account = event.startsWith('sign_in') ? { account: accountOf(request.body) } : {}
      const draft = draftOf(event, request, reply)
      const isTold = sampler.tell(
        { event, who: `${facts.user_id ?? networkOf(request.ip)}`, signedIn: facts.user_id !== null, draft },
        () => ({
          ...facts,
          ...account,
        }),
      )
      if (isTold && draft) events?.add(draft)
    }
    const ofToken = tokenDraft(request, reply, tokenNetworks)
    if (ofToken) events?.add(ofToken)
    done()
  })
  return sampler.flush
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

/** Returns the event as it is stored; undefined for what is a line of the log only. */
function draftOf(event: SecurityEvent, request: FastifyRequest, reply: FastifyReply): SecurityEventDraft | undefined {
  if (event === 'sign_in' || event === 'api_key_used') return undefined
  const { principal, code, personId } = knownOf(request)
  const { statusCode } = reply
  return {
    kind: event,
    outcome: statusCode >= 400 ? 'refused' : 'done',
    user_id: principal?.user_id ?? personId ?? null,
    ...(event.startsWith('sign_in') && !principal ? { email: emailOf(request.body) } : {}),
    client_id: principal ? reachedClient(request, principal) : null,
    network: networkOf(request.ip),
    ip_address: request.ip,
    route: `${request.method} ${request.routeOptions.url ?? 'none'}`,
    request_id: request.id,
    ...(principal?.api_token_id === undefined ? {} : { api_token_id: principal.api_token_id }),
    detail: { status: statusCode, ...(code === undefined ? {} : { reason: code }) },
  }
}

/** The first use of a token from a network. The table decides what is new; this process asks it once for each pair. */
function tokenDraft(request: FastifyRequest, reply: FastifyReply, seen: Set<string>): SecurityEventDraft | undefined {
  const tokenId = knownOf(request).principal?.api_token_id
  if (tokenId === undefined) return undefined
  const pair = `${tokenId} ${networkOf(request.ip)}`
  if (seen.has(pair)) return undefined
  if (seen.size >= tokenNetworksMax) seen.clear()
  seen.add(pair)
  return draftOf('api_key_new_network', request, reply)
}

/** Returns the client of the path, if the person reaches it: a refused request may name any client. */
function reachedClient(request: FastifyRequest, { grants }: Principal): number | null {
  const name = /\/clients\/:(client_id|id)(?=\/|$)/.exec(request.routeOptions.url ?? '')?.[1]
  const params: unknown = request.params
  if (name === undefined || typeof params !== 'object' || params === null) return null
  const id = Number(Reflect.get(params, name))
  return Number.isSafeInteger(id) && grants.some(({ clients }) => covers(clients, id)) ? id : null
}

function emailOf(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'email' in body && typeof body.email === 'string' ? body.email : undefined
}

/** Returns the address that was tried. A text that is no address may be a password in the wrong field, so it is left out. */
function accountOf(body: unknown): string | undefined {
  const email = emailOf(body)
  return email === undefined || isEmail(email) ? email : noAddress
}
