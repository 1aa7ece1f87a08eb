/** Calls the server. The call types the input and the reply; the headers are added only here. */
import { takesKey, type Call } from '#contract/kernel/call.ts'
import { ApiProblem, problemOfAnswer } from './api-problem.ts'
import { connectionId, randomId } from './connection.ts'
import { hereAddress, leaveForSignIn, readCredentials, takeRenewed } from './credentials.ts'
import { formData, sendWithProgress } from './forms/send-form.ts'
import { valueText } from './value-text.ts'

export const API_BASE = '/api/v5'

/** A part may be left out if nothing in it is required. */
export type Part<Key extends string, Value> = Record<never, never> extends Value ? { [K in Key]?: Value } : { [K in Key]: Value }

export type CallInput<Params, Query, Body> = Part<'params', Params> &
  Part<'query', Query> &
  Part<'body', Body> & {
    signal?: AbortSignal | undefined
    /** Idempotency key of a POST: a repeat with the same key has one effect. A new key by default. */
    intent?: string | undefined
    /** Called with the uploaded share of a form with a file, from 0 to 1. */
    onProgress?: ((share: number) => void) | undefined
  }

interface LooseInput {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly intent?: string | undefined
  readonly onProgress?: ((share: number) => void) | undefined
}

/**
 * Calls the server. Throws ApiProblem on everything but a successful response; a 401 also ends the session and goes to the sign-in page. The
 * body of a multipart call is sent as a form: `{ document: { title } }` as `document[title]`, a `File` as itself.
 */
export function callApi<Params, Query, Body, Reply>(
  call: Call<Params, Query, Body, Reply>,
  input: CallInput<Params, Query, Body>,
): Promise<Reply>
export function callApi(call: Call, input: LooseInput): Promise<unknown> {
  return request(call, input)
}

/** Like `callApi`, for code that serves any call: it always passes parameters, where `callApi` knows whether the call has some. */
export function callWith<Params, Query, Body, Reply>(
  call: Call<Params, Query, Body, Reply>,
  input: {
    params: Params
    query?: Query
    body?: Body
    signal?: AbortSignal | undefined
    intent?: string | undefined
    onProgress?: ((share: number) => void) | undefined
  },
): Promise<Reply>
export function callWith(call: Call, input: LooseInput): Promise<unknown> {
  return request(call, input)
}

/** Asks the person for their password; answers whether they gave it. Until a page brings one, nobody is asked. */
let askForProof: () => Promise<boolean> = () => Promise.resolve(false)

/** Says how the person is asked for their password where the server wants it given anew. */
export function onNotProven(ask: () => Promise<boolean>): void {
  askForProof = ask
}

function request(call: Call, input: LooseInput): Promise<unknown> {
  return proven(() => requestOnce(call, input))
}

/** Sends a request, and once more after the person has given their password, if the server refuses it until then. */
export async function proven<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send()
  } catch (error) {
    const isNotProven = error instanceof ApiProblem && error.body?.code === 'not_proven'
    if (!isNotProven || !(await askForProof())) throw error
    return send()
  }
}

async function requestOnce(call: Call, input: LooseInput): Promise<unknown> {
  const sentUid = readCredentials()?.uid
  const response = await send(
    `${API_BASE}${pathOf(call.path, input.params)}${queryOf(input.query)}`,
    {
      method: call.method,
      headers: headersOf(call, input),
      body: bodyOf(call, input.body),
      signal: input.signal ?? null,
      cache: 'no-store',
    },
    input.onProgress,
  )
  takeRenewed(response.headers, sentUid)
  if (response.status === 401) leaveForSignIn(hereAddress())
  if (!response.ok) throw await problemOfAnswer(response)
  const answer = await readAnswer(call, response)
  if (call.effect === 'write' && startsTask(answer)) for (const listener of taskListeners) listener()
  return answer
}

const taskListeners = new Set<() => void>()

/** Calls `listener` after each response that names a task which it started. Returns a function that unsubscribes. */
export function onTaskStarted(listener: () => void): () => void {
  taskListeners.add(listener)
  return () => taskListeners.delete(listener)
}

function startsTask(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'task_id' in answer && typeof answer.task_id === 'number'
}

/** Returns the three credentials and the other headers of every request. */
export function sessionHeaders(): Record<string, string> {
  return { ...readCredentials(), 'x-connection-id': connectionId, 'renew-token': '1' }
}

async function send(url: string, init: RequestInit, onProgress?: (share: number) => void): Promise<Response> {
  try {
    return await (onProgress ? sendWithProgress(url, init, onProgress) : fetch(url, init))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiProblem('network', 0, 'The server cannot be reached')
  }
}

function headersOf(call: Call, { body, intent }: LooseInput): Record<string, string> {
  return {
    ...sessionHeaders(),
    accept: 'application/json',
    ...(takesKey(call) ? { 'idempotency-key': intent ?? randomId() } : {}),
    ...(body === undefined || call.bodyKind === 'multipart' ? {} : { 'content-type': 'application/json' }),
  }
}

function bodyOf(call: Call, body: unknown): BodyInit | null {
  if (body === undefined) return null
  return call.bodyKind === 'multipart' ? formData(body) : JSON.stringify(body)
}

async function readAnswer(call: Call, response: Response): Promise<unknown> {
  let answer: unknown
  try {
    answer = await response.json()
  } catch {
    const requestId = response.headers.get('x-request-id') ?? undefined
    throw new ApiProblem('unreadable', response.status, response.statusText, null, { requestId })
  }
  // Validated against the contract only in development: for a list of a thousand rows this costs more than rendering it.
  if (import.meta.env.DEV) {
    const checked = call.schemas.reply.safeParse(answer)
    if (!checked.success) console.error(`${call.name} answered what its contract does not say`, checked.error.message, answer)
  }
  return answer
}

/** Fills the values into '/clients/:client_id/bills'. Throws if one is missing, because the address would have another meaning. */
export function pathOf(path: string, params: unknown): string {
  const values = new Map(typeof params === 'object' && params !== null ? Object.entries(params) : [])
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value: unknown = values.get(name)
    if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`the address ${path} needs ${name}`)
    return encodeURIComponent(value)
  })
}

/** Returns the query string with its question mark: `q[key]=value` for nested keys, `key[]=value` for lists; undefined values are left out. */
export function queryOf(query: unknown): string {
  const pairs = typeof query === 'object' && query !== null ? Object.entries(query).flatMap(([key, value]) => pairsOf(key, value)) : []
  if (pairs.length === 0) return ''
  return `?${pairs.map(([key, value]) => `${encodeURIComponent(key).replaceAll('%5B', '[').replaceAll('%5D', ']')}=${encodeURIComponent(value)}`).join('&')}`
}

function pairsOf(key: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.map((one) => [`${key}[]`, valueText(one)])
  if (typeof value === 'object') return Object.entries(value).flatMap(([inner, one]) => pairsOf(`${key}[${inner}]`, one))
  return [[key, valueText(value)]]
}
