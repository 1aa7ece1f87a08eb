/** The application: machinery, slices and the HTTP server around them. `main.ts` starts it; tests start it the same way. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { authCalls } from '#contract/access/auth.ts'
import { calls } from '#contract/calls.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { createSessions, type Sessions } from './access/access.ts'
import { createTokenPrincipals, type TokenPrincipals } from './api-tokens/api-tokens.ts'
import { sliceHandlers } from './handlers.ts'
import { addressesFile, serveConsole } from './kernel/http/console-pages.ts'
import type { Tx } from './kernel/postgres/database.ts'
import { acceptUploadBytes } from './kernel/files/files.ts'
import { serveFixed } from './kernel/http/fixed-answer.ts'
import { apiBase, errorAnswer, mount } from './kernel/http/http.ts'
import { documentationPage, documentationStyle, openApiText } from './kernel/http/openapi.ts'
import { Failure, notFound, signedOut } from './kernel/problem.ts'
import { createRequestLimits, type RequestLimits } from './kernel/http/rate-limit.ts'
import { createReadiness } from './kernel/http/readiness.ts'
import { createRequestTurns, type RequestTurns } from './kernel/http/request-turns.ts'
import { tellOfSecurity } from './kernel/http/security-log.ts'
import { createSecurityEvents, type SecurityEvents } from './kernel/security-events.ts'
import { createMachinery, type RunningMachinery } from './machinery.ts'
import type { RunningApp } from './start.ts'
import type { Ground } from './open-ground.ts'
import { createServer } from './create-server.ts'
import { addHealth, serveMetrics } from './app-health.ts'

const signInPaths = ['/login', '/forgot_password', '/reset_password']

export interface App extends RunningApp {
  readonly server: FastifyInstance
  readonly machinery: RunningMachinery
  readonly securityEvents: SecurityEvents
  /** Ends the minute of the security log: counts of what was left out become rows. */
  readonly flushSecurityLog: () => void
}

/** Builds the application. Throws if a call of the contract has no handler. */
export async function createApp(ground: Ground): Promise<App> {
  const { config, database } = ground
  const tokens = createTokenPrincipals(database)
  const sessions = withTokens(createSessions(database, { idleHours: config.sessionIdleHours, maxDays: config.sessionMaxDays }), tokens)
  const machinery = createMachinery(ground, sessions)
  const server = await createServer((error, request, reply) => errorAnswer(error, request, reply, machinery))
  const state = { draining: false, readiness: createReadiness(ground.databaseUrl) }
  server.setErrorHandler((error, request, reply) => errorAnswer(error, request, reply, machinery))
  server.setNotFoundHandler((request, reply) => errorAnswer(notFound('There is no such call.'), request, reply, machinery))
  acceptUploadBytes(server)
  machinery.metrics.observe(server)
  const securityEvents = createSecurityEvents({ database: ground.jobsDatabase, log: ground.log, secretKey: config.secretKey })
  const flushSecurityLog = tellOfSecurity(server, { log: ground.log, everyRequest: config.accessLog, events: securityEvents })
  const limits = createRequestLimits(config.rateLimitFactor)
  const turns = createRequestTurns(database.pool.options.max, config.rateLimitFactor)
  machinery.metrics.gauge('http_requests_running', turns.turns.running)
  machinery.metrics.gauge('http_requests_waiting', turns.turns.waiting)
  limitOthers(server, limits, turns)
  mount(server, calls, sliceHandlers({ sessions, config, machinery }), {
    machinery,
    identify: async (request, reply, call) => (await tokens.identify(request, call)) ?? sessions.identify(request, reply),
    claimOf: (request) => tokens.claimOf(request) ?? sessions.claimOf(request),
    limits,
    turns,
    clientExists: rememberingClients(),
    checkReplies: !config.production,
  })
  addHealth(server, ground, machinery, state)
  addDocumentation(server, config.docsPublic ? null : signedIn(sessions, tokens))
  const consoleFolder = join(import.meta.dirname, '../../dist')
  if (existsSync(join(consoleFolder, addressesFile)))
    await serveConsole(server, { folder: consoleFolder, signInPaths, storeOrigin: await machinery.files.origin() })
  await machinery.start()
  await state.readiness.start()
  const metrics = await serveMetrics(ground, machinery)
  return {
    server,
    machinery,
    securityEvents,
    flushSecurityLog,
    listen: async () => {
      const url = await server.listen({ host: config.host, port: config.port })
      machinery.reachedAt(url)
      return url
    },
    close: async () => {
      state.draining = true
      await Promise.all([server.close(), metrics?.close()])
      flushSecurityLog()
      await Promise.all([machinery.stop(), state.readiness.stop(), securityEvents.stop()])
    },
  }
}

/** Dropping a user's cached data also drops their tokens. */
function withTokens(sessions: Sessions, tokens: TokenPrincipals): Sessions {
  return {
    ...sessions,
    stillHolds: (holder) => (holder.api_token_id === null ? sessions : tokens).stillHolds(holder),
    forgetUser(userId) {
      sessions.forgetUser(userId)
      tokens.forgetUser(userId)
    },
    forgetAll() {
      sessions.forgetAll()
      tokens.forgetAll()
    },
  }
}

const callPaths: ReadonlySet<string> = new Set(calls.map((call) => `${apiBase}${call.path}`))
const healthPaths: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics'])

/** Limits requests for pages, files and documentation by network, because they need no sign-in. Health and metrics are never refused. */
function limitOthers(server: FastifyInstance, limits: RequestLimits, turns: RequestTurns): void {
  server.addHook('onRequest', async (request) => {
    const { url = '' } = request.routeOptions
    if (callPaths.has(url) || healthPaths.has(url)) return
    const kind = request.url.startsWith('/api/') ? 'anonymous' : 'pages'
    await turns.holding(() => limits.ofNetwork(request.ip, kind, request.method, url))
  })
}

/** Clients are never deleted, so a client found once is known for good. */
function rememberingClients(): (tx: Tx, clientId: number) => Promise<boolean> {
  const seen = new Set<number>()
  return async (tx, clientId) => {
    if (seen.has(clientId)) return true
    const { rows } = await sql`select id from clients where id = ${clientId}`.execute(tx)
    if (rows.length > 0) seen.add(clientId)
    return rows.length > 0
  }
}

type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

const closedDocumentation = `Sign in to read the documentation of the API: send the headers of a sign-in or an API token. Whoever runs the server opens it to everybody with DOCS_PUBLIC=true.`

/** Lets in whoever may read their own profile, by a sign-in or by a token. */
function signedIn(sessions: Sessions, tokens: TokenPrincipals): Guard {
  return async (request, reply) => {
    try {
      if ((await tokens.identify(request, authCalls.profile)) ?? (await sessions.identify(request, reply))) return
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
    throw signedOut(closedDocumentation)
  }
}

function addDocumentation(server: FastifyInstance, guard: Guard | null): void {
  const policy = { 'content-security-policy': "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'" }
  serveFixed(server, `${apiBase}/openapi.json`, {
    type: 'application/json; charset=utf-8',
    guard,
    pieces: () => openApiText(calls, apiBase),
  })
  serveFixed(server, `${apiBase}/docs`, {
    type: 'text/html; charset=utf-8',
    headers: policy,
    guard,
    pieces: () => documentationPage(calls, apiBase),
  })
  serveFixed(server, `${apiBase}/docs.css`, { type: 'text/css; charset=utf-8', pieces: () => [documentationStyle] })
}
