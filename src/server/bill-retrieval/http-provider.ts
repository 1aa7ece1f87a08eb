/**
 * A retrieval service with our interface as JSON over HTTP: GET /status, /statements, /statements/{id} and /statements/{id}/pdf below one
 * URL, authenticated by OAuth2 client credentials. An adapter service in front of a vendor's API, or a vendor that offers these four, is
 * connected by configuration alone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { statement, statementSummary, type Statement } from '#contract/bill-retrieval/statement.ts'
import type { AllowedHosts, OutsideAnswer, OutsideRequest, RequestLimits } from '../kernel/http/outside-request.ts'
import { guardedRequest, requestLimits } from './guarded-request.ts'
import {
  isDelayFault,
  LIST_LIMIT,
  pdfOf,
  ProviderError,
  type BillRetrievalProvider,
  type ProviderFault,
  type StatementQuery,
} from './provider.ts'

export interface HttpProviderSettings {
  readonly id?: string
  readonly label?: string
  /** URL below which the four calls lie: https://retrieval.example.com/v1 */
  readonly baseUrl: string
  readonly tokenUrl: string
  readonly clientId: string
  /** From the server's configuration only; it is sent to the token URL and nowhere else. */
  readonly clientSecret: string
  readonly scope?: string
  readonly allowed: AllowedHosts & { readonly hosts: readonly string[] }
  readonly limits?: RequestLimits
  /** Milliseconds before the second, third and fourth try. */
  readonly backoffMs?: readonly number[]
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Three more tries, with increasing delays. */
const BACKOFF_MS = [500, 2_000, 8_000]
/** Longest wait for a service, whatever its Retry-After says. */
const RETRY_AFTER_MAX_MS = 30_000
/** A token is renewed this long before it expires, so that no call is sent with one that has just expired. */
const TOKEN_MARGIN_MS = 60_000
const TOKEN_LIFE_DEFAULT_S = 3_600

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  token_type: z.string().optional(),
  expires_in: z.number().positive().optional(),
})
const listAnswer = z.object({ items: z.array(statementSummary).max(LIST_LIMIT), next: z.string().nullish() })
const statusAnswer = z.object({
  ok: z.boolean(),
  message: z.string().optional(),
  credentials: z.object({ ok: z.int(), failed: z.int(), needs_action: z.int() }),
})

export function httpProvider(settings: HttpProviderSettings): BillRetrievalProvider {
  const get = authorizedGet(settings)
  const getStatement = async (id: string): Promise<Statement> => {
    const found = read(statement, await get(`statements/${encodeURIComponent(id)}`))
    if (found.statement_id !== id)
      throw new ProviderError('bad_answer', `Asked for statement ${id}, the service answered ${found.statement_id}.`)
    return found
  }
  return {
    id: settings.id ?? 'http',
    label: settings.label ?? 'Bill retrieval service',
    status: async () => {
      const { credentials, message, ok } = read(statusAnswer, await get('status'))
      return {
        ok,
        ...(message === undefined ? {} : { message }),
        credentials: { ok: credentials.ok, failed: credentials.failed, needsAction: credentials.needs_action },
      }
    },
    listStatements: async (query) => {
      const { items, next } = read(listAnswer, await get(`statements?${searchOf(query)}`))
      return next === null || next === undefined ? { items } : { items, next }
    },
    getStatement,
    getPdf: async (id, clientCode) => {
      const [answer, found] = [await get(`statements/${encodeURIComponent(id)}/pdf`), await getStatement(id)]
      return pdfOf(answer.bytes, found, clientCode)
    },
  }
}

function searchOf(query: StatementQuery): string {
  const search = new URLSearchParams({ client_code: query.clientCode, limit: String(Math.min(query.limit ?? LIST_LIMIT, LIST_LIMIT)) })
  if (query.since !== undefined) search.set('since', query.since)
  if (query.until !== undefined) search.set('until', query.until)
  if (query.cursor !== undefined) search.set('cursor', query.cursor)
  for (const accountNumber of query.accountNumbers ?? []) search.append('account_number', accountNumber)
  return search.toString()
}

/** Returns a GET below the base URL with a token. A token that is refused before it expires is renewed once. */
function authorizedGet(settings: HttpProviderSettings): (path: string) => Promise<OutsideAnswer> {
  const base = settings.baseUrl.endsWith('/') ? settings.baseUrl : `${settings.baseUrl}/`
  const token = tokenSource(settings)
  const once = async (path: string): Promise<OutsideAnswer> => {
    const headers = { authorization: `Bearer ${await token.current()}`, accept: 'application/json, application/pdf' }
    return exchange({ method: 'GET', url: new URL(path, base), headers }, settings)
  }
  return async (path) => {
    try {
      return await once(path)
    } catch (error) {
      if (!(error instanceof ProviderError && error.fault === 'signed_out')) throw error
      token.forget()
      return once(path)
    }
  }
}

interface TokenSource {
  current(): Promise<string>
  forget(): void
}

/** Shares one token among all calls until shortly before it expires; calls in the meantime wait for the same request. */
function tokenSource(settings: HttpProviderSettings): TokenSource {
  const now = settings.now ?? Date.now
  let kept: KeptToken | null = null
  const ask = async (): Promise<{ token: string; until: number }> => {
    const answer = read(tokenAnswer, await exchange(tokenRequest(settings), settings))
    const life = (answer.expires_in ?? TOKEN_LIFE_DEFAULT_S) * 1_000
    return { token: answer.access_token, until: now() + Math.max(life - TOKEN_MARGIN_MS, life / 2) }
  }
  const renew = (): KeptToken => {
    const asked: KeptToken = { answer: ask(), until: Infinity }
    asked.answer.then(
      ({ until }) => {
        asked.until = until
      },
      () => {
        // A failed request must not be kept as if it were a token; the caller gets the failure itself.
        if (kept === asked) kept = null
      },
    )
    return asked
  }
  return {
    forget: () => {
      kept = null
    },
    current: async () => {
      kept = kept !== null && now() < kept.until ? kept : renew()
      return (await kept.answer).token
    },
  }
}

interface KeptToken {
  readonly answer: Promise<{ token: string; until: number }>
  until: number
}

function tokenRequest(settings: HttpProviderSettings): OutsideRequest {
  const credentials = Buffer.from(`${encodeURIComponent(settings.clientId)}:${encodeURIComponent(settings.clientSecret)}`).toString(
    'base64',
  )
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(settings.scope === undefined ? {} : { scope: settings.scope }),
  }).toString()
  const headers = { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  return { method: 'POST', url: new URL(settings.tokenUrl), headers, body }
}

/** One exchange with its retries: on 429, on 5xx and without an answer in time; never on another 4xx. */
async function exchange(outside: OutsideRequest, settings: HttpProviderSettings): Promise<OutsideAnswer> {
  const delays = settings.backoffMs ?? BACKOFF_MS
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptOf(outside, settings)
    if ('answer' in outcome) return outcome.answer
    const delay = delays[attempt]
    if (delay === undefined || !isDelayFault(outcome.error)) throw outcome.error
    await sleep(Math.max(delay, outcome.retryAfterMs))
  }
}

type Outcome = { answer: OutsideAnswer } | { error: ProviderError; retryAfterMs: number }

async function attemptOf(outside: OutsideRequest, settings: HttpProviderSettings): Promise<Outcome> {
  try {
    const answer = await guardedRequest(outside, settings.allowed, settings.limits ?? requestLimits)
    if (answer.status >= 200 && answer.status < 300) return { answer }
    const wait = Number(answer.headers['retry-after'] ?? 0) * 1_000
    const error = new ProviderError(faultOfStatus(answer.status), `The service answered ${answer.status}${messageOf(answer)}`)
    return { error, retryAfterMs: Number.isFinite(wait) ? Math.min(wait, RETRY_AFTER_MAX_MS) : 0 }
  } catch (error) {
    if (error instanceof ProviderError) return { error, retryAfterMs: 0 }
    throw error
  }
}

function faultOfStatus(status: number): ProviderFault {
  if (status === 401) return 'signed_out'
  if (status === 403) return 'needs_action'
  if (status === 404 || status === 410) return 'not_found'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'unavailable' : 'bad_answer'
}

const faultMessage = z.object({ message: z.string().max(500) })

/** Returns the service's own message if it sends one, never its whole page. */
function messageOf(answer: OutsideAnswer): string {
  const said = faultMessage.safeParse(jsonOf(answer.bytes))
  return said.success ? `: ${said.data.message}` : '.'
}

/** Returns the validated answer, or throws its error in one line. */
function read<T>(schema: z.ZodType<T>, answer: OutsideAnswer): T {
  const json = jsonOf(answer.bytes)
  if (json === undefined) throw new ProviderError('bad_answer', 'The service answered something that is not JSON.')
  const checked = schema.safeParse(json)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw new ProviderError(
    'bad_answer',
    `The service's answer is not in the agreed form: ${issue?.path.join('.') || 'answer'}: ${issue?.message ?? 'unknown'}`,
  )
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // The caller reports what could not be read; the text itself may contain anything and is not repeated.
    return undefined
  }
}
