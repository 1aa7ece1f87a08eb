/** Binds a call to the function that answers it. Startup fails when a call has no handler or a handler has no call. */
import type { Call } from '#contract/kernel/call.ts'
import { messageOf } from '#contract/kernel/messages.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ZodError, z } from 'zod'
import type { Context } from './context.ts'
import type { Principal } from './principal.ts'
import { invalid, notFound, type Failure } from './problem.ts'
import type { Machinery } from './machinery.ts'
import { withoutUnchanged, type ReadAnswer } from './http/unchanged.ts'

export interface Asking<P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  /** The raw request and reply, for the few calls that stream or set headers. */
  readonly http: { readonly request: FastifyRequest; readonly reply: FastifyReply }
}

export interface Handler {
  readonly call: Call
  readonly run: (context: Context, asking: Asking<unknown, unknown, unknown> & Standing) => Promise<unknown>
  /** Receives a form before the transaction begins: a slow connection must not hold a database connection. */
  readonly receive?: (asking: Receiving) => Promise<Received>
}

/** Reads the record that a body changes in its present form, if a call with the same path reads it. */
interface Standing {
  readonly readAnswer?: ReadAnswer | undefined
}

export interface Receiving {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly principal: Principal
  readonly machinery: Machinery
}

/** A received form whose file is stored, though no record refers to it yet. */
export interface Received {
  readonly body: unknown
  /** Data that distinguishes this form from another, for requests that are sent again. */
  readonly fingerprint: unknown
  /** Removes the stored file, unless the transaction has attached it. */
  discard(): Promise<void>
}

/** A handler of a stream returns this when it has sent the reply itself. */
export const answered = Symbol('answered')

/** Parses each part of the request once, and answers it. A malformed id names no record: not found. */
export function handle<P, Q, B, R>(
  call: Call<P, Q, B, R>,
  run: (context: Context, asking: Asking<P, Q, B>) => Promise<R | typeof answered>,
): Handler {
  const { schemas, bodyKind } = call
  return {
    call,
    run: async (context, asking) =>
      run(context, {
        params: storable(
          parsed(schemas.params, asking.params ?? {}, () => notFound()),
          () => notFound(),
        ),
        query: storable(parsed(schemas.query, asking.query ?? {}, faultsOf), unstorableAt),
        body: checkedBody(await parsedBody(schemas.body, asking.body, asking.readAnswer), bodyKind),
        http: asking.http,
      }),
  }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, failure: (error: ZodError) => Failure): T {
  const outcome = schema.safeParse(value)
  if (!outcome.success) throw failure(outcome.error)
  return outcome.data
}

/** If a body does not parse as it was sent, parses it once more without the fields that only repeat the record as it is answered. */
async function parsedBody<T>(schema: z.ZodType<T>, body: unknown, readAnswer: ReadAnswer | undefined): Promise<T> {
  const outcome = schema.safeParse(body)
  if (outcome.success) return outcome.data
  const rest = readAnswer === undefined ? undefined : await withoutUnchanged(body, outcome.error, readAnswer)
  return rest === undefined ? parsed(schema, body, faultsOf) : parsed(schema, rest, faultsOf)
}

/** Bytes and files are not checked. */
function checkedBody<T>(body: T, bodyKind: Call['bodyKind']): T {
  return bodyKind === 'json' ? storable(body, unstorableAt) : body
}

/**
 * PostgreSQL cannot store NUL, and a lone surrogate is not a character. Fields refuse them by name; this check catches them where a schema
 * accepts any text. It walks without recursion, since the sender decides how deep the data is nested.
 */
function storable<T>(value: T, failure: (path: string) => Failure): T {
  const open: { readonly value: unknown; readonly path: string }[] = [{ value, path: '' }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: one, path } = next
    if (typeof one === 'string' && !isStorable(one)) throw failure(path)
    if (typeof one !== 'object' || one === null) continue
    for (const [key, inner] of Object.entries(one)) {
      if (!isStorable(key)) throw failure(path)
      open.push({ value: inner, path: path === '' ? key : `${path}.${key}` })
    }
  }
  return value
}

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

function unstorableAt(path: string): Failure {
  return invalid({ [path.replace(/^[^.]*\./, '') || 'base']: ['This text holds a character that cannot be stored'] })
}

/**
 * Returns the path of each field without the envelope's name: `vendor.name` is shown at `name`. The sender chooses field names, so any name
 * may occur.
 */
export function faultsOf(error: ZodError): Failure {
  const fields = new Map<string, string[]>()
  for (const issue of error.issues) {
    for (const { path, message } of faultsIn(issue)) {
      const key = (path.length > 1 ? path.slice(1) : path).join('.') || 'base'
      fields.set(key, [...(fields.get(key) ?? []), message])
    }
  }
  return invalid(Object.fromEntries(fields))
}

/** Maximum number of unknown keys that are named, since a sender may send any number of them. */
const namedMax = 100

/** Reports each unknown key as a fault of its own. */
function faultsIn(issue: z.core.$ZodIssue): { path: readonly PropertyKey[]; message: string }[] {
  const { path } = issue
  if (issue.code !== 'unrecognized_keys') return [{ path, message: messageOf(issue) }]
  const [what = 'Unknown field'] = issue.message.split(':')
  return issue.keys.slice(0, namedMax).map((key) => ({ path: [...path, key], message: `${what}: ${key}` }))
}
