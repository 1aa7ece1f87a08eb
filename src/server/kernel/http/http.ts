/**
 * Handles a request: identify the caller, check rights, parse, wait for a turn, open a transaction, check idempotency, answer. The caller
 * and the rights are decided from the headers alone, so the body of an unauthorized request is never read. Every call of the contract goes
 * through here, so what is checked here is checked for all calls.
 */
import { takesKey, type Call } from '#contract/kernel/call.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import { unitOfWork, type Caller, type Context } from '../context.ts'
import { databaseFailure } from '../postgres/database-failure.ts'
import type { Tx } from '../postgres/database.ts'
import { answered, faultsOf, type Handler, type Received } from '../handler.ts'
import { idempotent } from './idempotency.ts'
import { covers, mayIn, reachOf, wholeReach, type Principal, type Reach } from '../principal.ts'
import { Failure, forbidden, invalid, notFound, problemOf, signedOut } from '../problem.ts'
import type { RequestLimits } from './rate-limit.ts'
import type { RequestTurns } from './request-turns.ts'
import { noteEvent, noteRefusal, noteVisitor } from './security-facts.ts'
import type { Machinery } from '../machinery.ts'

export const apiBase = '/api/v5'
const idempotencyKeyLengthMax = 255
/** Largest body of a call without a sign-in: a few short fields. */
const openBodyBytesMax = 16 * 1024

export interface HttpParts {
  readonly machinery: Machinery
  /** Returns the owner of the credentials, or null if they prove nothing. Some credentials are not valid for every call. */
  readonly identify: (request: FastifyRequest, reply: FastifyReply, call: Call) => Promise<Principal | null>
  /** Name of the session or token that the request claims to have, which is not verified yet; null if it claims none. */
  readonly claimOf: (request: FastifyRequest) => string | null
  readonly limits: RequestLimits
  readonly turns: RequestTurns
  readonly clientExists: (tx: Tx, clientId: number) => Promise<boolean>
  /** Validates answers against their schemas in development and tests. In production this costs too much for long lists. */
  readonly checkReplies: boolean
}

/** Registers every handler. Throws when a call has no handler, or two. */
export function mount(app: FastifyInstance, calls: readonly Call[], handlers: readonly Handler[], parts: HttpParts): void {
  const byCall = new Map(handlers.map((handler) => [handler.call.name, handler]))
  const lacking = calls.filter((call) => !byCall.has(call.name)).map((call) => call.name)
  if (lacking.length > 0) throw new Error(`calls without a handler: ${lacking.join(', ')}`)
  if (byCall.size !== handlers.length || handlers.length !== calls.length) {
    const known = new Set(calls.map((call) => call.name))
    const strange = handlers.map((handler) => handler.call.name).filter((name, at, all) => !known.has(name) || all.indexOf(name) !== at)
    throw new Error(`handlers without a call, or two for one: ${strange.join(', ')}`)
  }
  const readers = new Map(handlers.filter(({ call }) => isReader(call)).map((handler) => [handler.call.path, handler]))
  for (const handler of handlers) {
    const reader = changes(handler.call) ? readers.get(handler.call.path) : undefined
    const route: RouteParts = { ...parts, reader }
    app.route({
      method: handler.call.method,
      url: `${apiBase}${handler.call.path}`,
      // A program that only probes an address with HEAD must not trigger its effect.
      exposeHeadRoute: handler.call.effect === 'read',
      ...(isOpen(handler.call) ? { bodyLimit: openBodyBytesMax } : {}),
      onRequest: async (request, reply) => {
        admitted.set(request, await parts.turns.holding(() => admit(handler.call, request, reply, route)))
      },
      handler: (request, reply) => serve(handler, request, reply, route),
    })
  }
}

/** Returns true if the call needs no sign-in. */
function isOpen({ may }: Call): boolean {
  return may === 'public' || may === 'signed_url'
}

function isReader({ method, effect, replyKind }: Call): boolean {
  return method === 'GET' && effect === 'read' && replyKind === 'json'
}

function changes({ method, bodyKind }: Call): boolean {
  return (method === 'PUT' || method === 'PATCH') && bodyKind === 'json'
}

/** `reader` answers the record that a call changes. */
type RouteParts = HttpParts & { readonly reader: Handler | undefined }

interface Admitted {
  readonly caller: Caller
  readonly reach: Reach
}

/** The caller of each request, kept from the hook that admitted it until the handler runs. */
const admitted = new WeakMap<FastifyRequest, Admitted>()

/**
 * Refuses requests that can be refused without their body: the process is full, the rate limit is exceeded, the credentials are invalid, or
 * a right is missing.
 */
async function admit(call: Call, request: FastifyRequest, reply: FastifyReply, parts: RouteParts): Promise<Admitted> {
  const { turns, sharesOf } = parts.turns
  turns.refuseIfFull()
  const visitor = await identified(call, request, reply, parts)
  const route = request.routeOptions.url ?? ''
  if (visitor) noteVisitor(request, visitor)
  if (visitor) parts.limits.ofPrincipal(visitor, request.method, route)
  else parts.limits.ofNetwork(request.ip, call.may === 'signed_url' ? 'pages' : 'anonymous', request.method, route)
  if (!visitor && !isOpen(call)) throw signedOut()
  const caller: Caller = { principal: visitor, ip: request.ip, requestId: request.id, connectionId: connectionOf(request) }
  const reach = visitor ? await decide(call, visitor, pathClient(call, request), parts) : []
  turns.refuseIfFull(sharesOf(call, visitor, request.ip))
  return { caller, reach }
}

/**
 * Returns null if the request carries no credentials. A public call also works with expired credentials: signing in must not fail because
 * an old token is still stored.
 */
async function identified(call: Call, request: FastifyRequest, reply: FastifyReply, parts: HttpParts): Promise<Principal | null> {
  const claim = parts.claimOf(request)
  if (claim === null) return null
  try {
    return await parts.limits.proving(request.ip, claim, () => parts.identify(request, reply, call))
  } catch (error) {
    if (isOpen(call) && error instanceof Failure && (error.code === 'signed_out' || error.code === 'too_many')) return null
    throw error
  }
}

async function serve(handler: Handler, request: FastifyRequest, reply: FastifyReply, parts: RouteParts): Promise<unknown> {
  const entry = admitted.get(request)
  if (!entry) throw new Error(`${handler.call.name} was reached past its hook`)
  reply.header('cache-control', 'no-store')
  const exchange = { request, reply, ...entry, parts }
  const received = await receive(handler, exchange)
  try {
    const answer = await inTurn(handler, exchange, () =>
      handler.call.effect === 'write' ? inTransaction(handler, exchange, received) : runRead(handler, exchange),
    )
    return answer === answered ? reply : answer
  } finally {
    // A request that was refused, or answered from a stored answer, leaves no file.
    await received?.discard()
  }
}

/**
 * Bodies are received before the turn, because a slow connection must not hold one. An answer that continues after its headers were sent,
 * such as a file, holds none either.
 */
async function inTurn<T>({ call }: Handler, { request, caller, parts }: Exchange, work: () => Promise<T>): Promise<T> {
  if (call.bodyKind === 'bytes') return work()
  const { turns, sharesOf, holding } = parts.turns
  const shares = sharesOf(call, caller.principal, request.ip)
  const done = await holding(() => turns.take(shares, () => request.raw.socket.destroyed))
  return work().finally(done)
}

/** 404 for a client outside everything that the caller reaches; 403 if only the right is missing. */
async function decide(call: Call, principal: Principal, clientId: number | undefined, parts: HttpParts): Promise<Reach> {
  if (clientId !== undefined) {
    const inside = principal.grants.some((grant) => covers(grant.clients, clientId))
    if (!inside || !(await parts.clientExists(parts.machinery.database.db, clientId))) throw notFound()
  }
  if (!mayIn(principal, call.may, clientId)) throw forbidden()
  return call.may === 'signed_in' || call.may === 'public' || call.may === 'signed_url'
    ? wholeReach(principal)
    : reachOf(principal, call.may)
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Caller
  readonly reach: Reach
  readonly parts: RouteParts
}

function runRead(handler: Handler, exchange: Exchange): Promise<unknown> {
  const { caller, reach, parts, request } = exchange
  return run(handler, unitOfWork(parts.machinery.database.db, caller, reach, parts.machinery).context, request.body, exchange)
}

async function receive(handler: Handler, { request, reply, caller, parts }: Exchange): Promise<Received | undefined> {
  if (handler.call.effect !== 'write' || !caller.principal) return undefined
  return handler.receive?.({ request, reply, principal: caller.principal, machinery: parts.machinery })
}

async function inTransaction(handler: Handler, exchange: Exchange, received: Received | undefined): Promise<unknown> {
  const { request, caller, reach, parts } = exchange
  const key = idempotencyKey(handler.call, request)
  let committed: () => Promise<void> = () => Promise.resolve()
  const work = async (tx: Tx): Promise<unknown> => {
    const unit = unitOfWork(tx, caller, reach, parts.machinery)
    const answer = await run(handler, unit.context, received ? received.body : request.body, exchange)
    await unit.finish()
    committed = unit.committed
    return answer
  }
  const { database } = parts.machinery
  const sent = { url: request.url, body: received ? received.fingerprint : request.body }
  const answer =
    key === null || !caller.principal
      ? await database.db.transaction().execute(work)
      : await idempotent(database.db, { userId: caller.principal.user_id, key, request: sent }, work)
  await committed()
  return answer
}

async function run(handler: Handler, context: Context, body: unknown, exchange: Exchange): Promise<unknown> {
  const { request, reply, parts } = exchange
  const { call } = handler
  const http = { request, reply }
  const readAnswer = () => answerNow(context.tx, exchange)
  const answer = await handler.run(context, { params: request.params, query: request.query, body, http, readAnswer })
  if (parts.checkReplies && answer !== answered && call.replyKind === 'json') checkReply(call, answer)
  return answer
}

/** Returns the record that a call changes, as its reader answers it to the same caller; undefined if the caller may not read it. */
async function answerNow(tx: Tx, { request, reply, caller, parts }: Exchange): Promise<unknown> {
  const { reader, machinery } = parts
  const { principal } = caller
  if (!reader || !principal || !mayIn(principal, reader.call.may, pathClient(reader.call, request))) return undefined
  const reach = await decide(reader.call, principal, pathClient(reader.call, request), parts)
  const { context } = unitOfWork(tx, caller, reach, machinery)
  return reader.run(context, { params: request.params, query: {}, body: undefined, http: { request, reply } })
}

function checkReply(call: Call, answer: unknown): void {
  const outcome = call.schemas.reply.safeParse(answer)
  if (!outcome.success) throw new Error(`${call.name} answered what its contract does not say: ${outcome.error.message}`)
}

function pathClient(call: Call, request: FastifyRequest): number | undefined {
  if (!call.path.startsWith('/clients/:')) return undefined
  const params: unknown = request.params
  if (typeof params !== 'object' || params === null) return undefined
  const given = 'client_id' in params ? params.client_id : 'id' in params ? params.id : undefined
  const id = typeof given === 'string' && /^[1-9]\d{0,15}$/.test(given) ? Number(given) : Number.NaN
  if (!Number.isSafeInteger(id)) throw notFound()
  return id
}

function connectionOf(request: FastifyRequest): string | null {
  const query: unknown = request.query
  const fromQuery = typeof query === 'object' && query !== null && 'connection_id' in query ? query.connection_id : undefined
  const fromHeader = request.headers['x-connection-id']
  const given = typeof fromQuery === 'string' ? fromQuery : fromHeader
  return typeof given === 'string' && given.length <= 100 ? given : null
}

function idempotencyKey(call: Call, request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (!takesKey(call) || call.secretReply || typeof key !== 'string' || key === '') return null
  if (key.length > idempotencyKeyLengthMax)
    throw invalid({ 'idempotency-key': [`Idempotency-Key has at most ${idempotencyKeyLengthMax} characters`] })
  return key
}

/** The one place where errors become answers. Database errors are classified by SQLSTATE. Any other error is logged and reveals nothing. */
export function errorAnswer(error: unknown, request: FastifyRequest, reply: FastifyReply, machinery: Machinery): FastifyReply {
  const failure = failureOf(error, request)
  const { status, body, retryAfterSeconds } = problemOf(failure ?? error, request.id)
  if (failure) noteRefusal(request, failure.code)
  if (failure?.extra.apart) noteEvent(request, 'second_person_needed')
  if (failure?.extra.payment_changed) noteEvent(request, 'payment_changed')
  if (failure?.code === 'overloaded') tellOfOverload(machinery)
  else if (status >= 500) machinery.log.error('request failed', { request_id: request.id, route: request.routeOptions.url, error })
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply.code(status).header('cache-control', 'no-store').type('application/json').send(body)
}

const overloadToldEveryMs = 60_000
let overloadToldAt = -Infinity

/** Logs at most once a minute: one line per refusal would be extra work for a process that is already overloaded. */
function tellOfOverload({ log }: Machinery): void {
  if (performance.now() - overloadToldAt < overloadToldEveryMs) return
  overloadToldAt = performance.now()
  log.warn('requests are refused because too many wait')
}

function failureOf(error: unknown, request: FastifyRequest): Failure | undefined {
  if (error instanceof Failure) return error
  if (error instanceof ZodError) return faultsOf(error)
  return databaseFailure(error) ?? (error instanceof Error ? transportFailure(error, request) : undefined)
}

/** Refusals of Fastify itself: unreadable JSON, too large, wrong media type. */
function transportFailure(error: Error, { routeOptions, raw }: FastifyRequest): Failure | undefined {
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 0
  if (status === 413)
    return new Failure('too_large', `What was sent is too large: this call takes at most ${sizeOf(routeOptions.bodyLimit)}.`)
  if (status === 429) return new Failure('too_many', 'Too many requests. Please slow down.')
  if (status >= 400 && status < 500) return new Failure('unreadable', 'The request could not be read.')
  return isBrokenOff(error, raw) ? new Failure('unreadable', 'The request broke off.') : undefined
}

/** Returns true if the caller hung up before the whole body was sent. Nobody reads the answer, and it is not a server error. */
function isBrokenOff(error: Error, raw: FastifyRequest['raw']): boolean {
  return raw.readableAborted && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
}

function sizeOf(bytes: number): string {
  return bytes < 1_048_576 ? `${Math.floor(bytes / 1_024)} kB` : `${Math.floor(bytes / 1_048_576)} MB`
}
