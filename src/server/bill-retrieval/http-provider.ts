/**
 * A retrieval service with our interface as JSON over HTTP: GET /status, /statements, /statements/{id} and /statements/{id}/pdf below one
 * URL, authenticated by OAuth2 client credentials. An adapter service in front of a vendor's API, or a vendor that offers these four, is
 * connected by configuration alone.
 */
import { z } from 'zod'
import { statement, statementSummary, type Statement } from '#contract/bill-retrieval/statement.ts'
import type { OutsideAnswer, OutsideRequest } from '../kernel/http/outside-request.ts'
import { LIST_LIMIT, pdfOf, ProviderError, type BillRetrievalProvider, type StatementQuery } from './provider.ts'
import { type HttpProviderSettings, read, exchange } from './http-exchange.ts'

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
