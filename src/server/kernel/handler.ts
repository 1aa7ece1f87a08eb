/** Binds a call to the function that answers it. The boot fails when a call has no handler or a handler no call. */
import type { Call } from '#contract/kernel/call.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ZodError, z } from 'zod'
import type { Context } from './context.ts'
import { invalid, notFound, type Failure } from './problem.ts'

export interface Asking<P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  /** The raw exchange, for the few calls that stream or set headers. */
  readonly http: { readonly request: FastifyRequest; readonly reply: FastifyReply }
}

export interface Handler {
  readonly call: Call
  readonly run: (context: Context, asking: Asking<unknown, unknown, unknown>) => Promise<unknown>
}

/** A stream reply has answered by itself when it returns this. */
export const answered = Symbol('answered')

/** Parses what was asked, each part once, and answers it. Ids that are none name no record: not found. */
export function handle<P, Q, B, R>(call: Call<P, Q, B, R>, run: (context: Context, asking: Asking<P, Q, B>) => Promise<R | typeof answered>): Handler {
  const { schemas } = call
  return {
    call,
    run: (context, asking) =>
      run(context, {
        params: parsed(schemas.params, asking.params ?? {}, () => notFound()),
        query: parsed(schemas.query, asking.query ?? {}, faultsOf),
        body: parsed(schemas.body, asking.body, faultsOf),
        http: asking.http,
      }),
  }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, failure: (error: ZodError) => Failure): T {
  const outcome = schema.safeParse(value)
  if (!outcome.success) throw failure(outcome.error)
  return outcome.data
}

/** Each field's path without the envelope's name: `vendor.name` is shown at `name`. */
export function faultsOf(error: ZodError): Failure {
  const fields: Record<string, string[]> = {}
  for (const issue of error.issues) {
    const path = issue.path.length > 1 ? issue.path.slice(1) : issue.path
    const key = path.join('.') || (issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : 'base')
    fields[key] = [...(fields[key] ?? []), issue.message]
  }
  return invalid(fields)
}
