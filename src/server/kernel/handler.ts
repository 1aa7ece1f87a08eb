/** Binds a call to the function that answers it. The boot fails when a call has no handler or a handler no call. */
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
  /** The raw exchange, for the few calls that stream or set headers. */
  readonly http: { readonly request: FastifyRequest; readonly reply: FastifyReply }
}

export interface Handler {
  readonly call: Call
  readonly run: (context: Context, asking: Asking<unknown, unknown, unknown> & Standing) => Promise<unknown>
  /** Takes in a form before the transaction begins: a slow line must not hold a connection to the database. */
  readonly receive?: (asking: Receiving) => Promise<Received>
}

/** How the record that a body changes is answered now, where a call of the same path reads it. */
interface Standing {
  readonly readAnswer?: ReadAnswer | undefined
}

export interface Receiving {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly principal: Principal
  readonly machinery: Machinery
}

/** A form whose file is stored, though nothing holds it yet. */
export interface Received {
  readonly body: unknown
  /** What tells this form from another, for requests that are sent again. */
  readonly fingerprint: unknown
  /** Removes what was stored, unless the transaction has taken it. */
  discard(): Promise<void>
}

/** A stream reply has answered by itself when it returns this. */
export const answered = Symbol('answered')

/** Parses what was asked, each part once, and answers it. Ids that are none name no record: not found. */
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

/** What cannot be read as it was sent is read once more without what it only repeats of the record's own answer. */
async function parsedBody<T>(schema: z.ZodType<T>, body: unknown, readAnswer: ReadAnswer | undefined): Promise<T> {
  const outcome = schema.safeParse(body)
  if (outcome.success) return outcome.data
  const rest = readAnswer === undefined ? undefined : await withoutUnchanged(body, outcome.error, readAnswer)
  return rest === undefined ? parsed(schema, body, faultsOf) : parsed(schema, rest, faultsOf)
}

/** Bytes and files are not looked through. */
function checkedBody<T>(body: T, bodyKind: Call['bodyKind']): T {
  return bodyKind === 'json' ? storable(body, unstorableAt) : body
}

/**
 * PostgreSQL keeps no NUL, and a lone surrogate is no character. Fields refuse them by name; this catches them where a schema takes any
 * text. It walks without recursion, since what was sent decides how deep it goes.
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

/** Each field's path without the envelope's name: `vendor.name` is shown at `name`. Whoever asks may call a field anything. */
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

/** Keys that are not known and are named, of those that somebody may send. */
const namedMax = 100

/** Each key that is not known stands for itself. */
function faultsIn(issue: z.core.$ZodIssue): { path: readonly PropertyKey[]; message: string }[] {
  const { path } = issue
  if (issue.code !== 'unrecognized_keys') return [{ path, message: messageOf(issue) }]
  const [what = 'Unknown field'] = issue.message.split(':')
  return issue.keys.slice(0, namedMax).map((key) => ({ path: [...path, key], message: `${what}: ${key}` }))
}
