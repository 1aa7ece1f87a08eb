/**
 * A call: method, path, permission and schemas in one value that the server handles and the console calls.
 * Its type carries only plain inferred types, no zod generics, which keeps the type check of 250 calls fast.
 */
import { z } from 'zod'
import type { DraftOf, Entity, Fields, RowOf } from './entity.ts'
import type { May } from './permission.ts'
import { listInput, sharedInput, type ListInput } from './query.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Call<Params = unknown, Query = unknown, Body = unknown, Reply = unknown> {
  /** Unique, e.g. `vendors.list`: names the call in tests, logs, metrics and the API documentation. */
  readonly name: string
  readonly method: Method
  /** Path below /api/v5, with parameters as `:id`. */
  readonly path: string
  readonly may: May
  readonly summary: string
  /** A call that writes runs in a transaction; a GET reads unless stated otherwise (exports start work). */
  readonly effect: 'read' | 'write'
  /** multipart bodies arrive as fields plus one file; stream replies are files or events. */
  readonly bodyKind: 'none' | 'json' | 'multipart' | 'bytes'
  readonly replyKind: 'json' | 'stream'
  /** The response shows a secret once: it is not stored for repetitions of the request. */
  readonly secretReply: boolean
  /** The call is so expensive that its concurrency is limited: one per user, one per tenant. */
  readonly heavy: boolean
  readonly schemas: {
    readonly params: z.ZodType<Params>
    readonly query: z.ZodType<Query>
    readonly body: z.ZodType<Body>
    readonly reply: z.ZodType<Reply>
  }
}

export type ParamsOf<C> = C extends Call<infer P> ? P : never
export type QueryOf<C> = C extends Call<unknown, infer Q> ? Q : never
export type BodyOf<C> = C extends Call<unknown, unknown, infer B> ? B : never
export type ReplyOf<C> = C extends Call<unknown, unknown, unknown, infer R> ? R : never

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
/** Every `:name` of a path is a numeric id, unless the call has its own schema. */
export type PathParams<Path extends string> = { [K in ParamNames<Path>]: number }

export type Nothing = Record<never, never>

interface CallParts<Path extends string, Params, Query, Body, Reply> {
  name: string
  method: Method
  path: Path
  may: May
  summary: string
  effect?: 'read' | 'write'
  params?: z.ZodType<Params>
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  bodyKind?: Call['bodyKind']
  reply?: z.ZodType<Reply>
  replyKind?: Call['replyKind']
  secretReply?: boolean
  heavy?: boolean
}

/** Creates a call. Without a schema, the path's parameters are ids, the query and the body are empty and the reply is the common result. */
export function call<Path extends string, Params = PathParams<Path>, Query = Nothing, Body = Nothing, Reply = Result>(
  parts: CallParts<Path, Params, Query, Body, Reply>,
): Call<Params, Query, Body, Reply> {
  const { name, method, path, may, summary } = parts
  return {
    name,
    method,
    path,
    may,
    summary,
    effect: parts.effect ?? (method === 'GET' ? 'read' : 'write'),
    bodyKind: parts.bodyKind ?? (parts.body ? 'json' : 'none'),
    replyKind: parts.replyKind ?? 'json',
    secretReply: parts.secretReply ?? false,
    heavy: parts.heavy ?? false,
    schemas: {
      params: parts.params ?? known<Params>(idParams(path)),
      query: parts.query ?? known<Query>(z.strictObject({}, { error: () => 'This call takes no parameters' })),
      body: parts.body ?? known<Body>(z.unknown()),
      reply: parts.reply ?? known<Reply>(result),
    },
  }
}

/** True for a call that a client may repeat under one key: a POST, or a GET that writes. A PATCH and a DELETE state the version of their record. */
export function takesKey({ method, effect }: Pick<Call, 'method' | 'effect'>): boolean {
  return method === 'POST' || (method === 'GET' && effect === 'write')
}

/** The common response of a write. `id` is that of the new or changed record. */
export interface Result {
  success: boolean
  message: string
  id?: number | undefined
}
export const result: z.ZodType<Result> = z.object({ success: z.boolean(), message: z.string(), id: z.int().optional() })

export type ListReply<Plural extends string, R> = { [K in Plural]: R[] } & { total?: number | undefined }
export type OneReply<Name extends string, R> = { [K in Name]: R }
export type WriteReply<Name extends string, R> = Result & { [K in Name]?: R | undefined }

/** The list of one entity: `total` plus its plural key. */
export function listReply<Plural extends string, R>(plural: Plural, row: z.ZodType<R>): z.ZodType<ListReply<Plural, R>> {
  return known<ListReply<Plural, R>>(z.object({ [plural]: z.array(row), total: z.int().optional() }))
}

export function oneReply<Name extends string, R>(name: Name, row: z.ZodType<R>): z.ZodType<OneReply<Name, R>> {
  return known<OneReply<Name, R>>(z.object({ [name]: row }))
}

/** A write returns the stored record, so that a form need not read it again. */
export function writeReply<Name extends string, R>(name: Name, row: z.ZodType<R>): z.ZodType<WriteReply<Name, R>> {
  return known<WriteReply<Name, R>>(z.object({ success: z.boolean(), message: z.string(), id: z.int().optional(), [name]: row.optional() }))
}

export type DraftBody<Name extends string, D> = { [K in Name]: D }

export function draftBody<Name extends string, D>(name: Name, draft: z.ZodType<D>): z.ZodType<DraftBody<Name, D>> {
  return known<DraftBody<Name, D>>(z.strictObject({ [name]: draft }))
}

export const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The window that waits for a file, and how the file shall be. */
export interface FileWishes {
  readonly connection_id?: string | undefined
  /** CSV by default. */
  readonly format?: ExportFormat | undefined
  /** Keys of the columns in their order, separated by commas; every column by default. */
  readonly columns?: string | undefined
}
export const fileWishes = {
  connection_id: z.string().max(100).optional(),
  format: z.enum(exportFormats).optional(),
  columns: z.string().max(5_000).optional(),
}

/** Input of every export: the list's own filters, including those besides `q`, and the wishes for its file. */
export interface ExportInput extends ListInput, FileWishes {}
export const exportInput: z.ZodType<ExportInput> = z.looseObject({
  ...sharedInput,
  q: z.record(z.string().max(100), z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])).optional(),
  search_term: z.string().max(500).optional(),
  ...fileWishes,
  page: z.string().optional(),
  per: z.string().optional(),
})

/** The response for work that continues afterwards: its task, which the live channel reports on. */
export interface Started extends Result {
  task_id?: number | undefined
}
export const started: z.ZodType<Started> = z.object({ success: z.boolean(), message: z.string(), task_id: z.int().optional() })

/** The export of a list: with its filters, in its order, for everyone who may see the list. */
export function exportOf<Params>(
  list: Pick<Call<Params>, 'name' | 'path' | 'may' | 'schemas'>,
  labels: string,
): Call<Params, ExportInput, Nothing, Started> {
  return call<string, Params, ExportInput, Nothing, Started>({
    name: list.name.endsWith('.list') ? list.name.replace(/list$/, 'export') : `${list.name}_export`,
    method: 'GET',
    path: `${list.path}/export_csv`,
    effect: 'write',
    may: list.may,
    params: list.schemas.params,
    summary: `Starts a CSV export of ${labels}`,
    query: exportInput,
    reply: started,
  })
}

/** Input of a picker: an empty term lists all, `values` names the selected ones. */
export interface OptionsInput {
  readonly search_term?: string | undefined
  readonly page?: string | number | undefined
  readonly per?: string | number | undefined
  readonly values?: string | undefined
}
export const optionsInput: z.ZodType<OptionsInput> = z.strictObject({
  search_term: z.string().max(500).optional(),
  page: z.union([z.string(), z.number()]).optional(),
  per: z.union([z.string(), z.number()]).optional(),
  values: z.string().max(20_000).optional(),
})

/** The records of an entity for a picker: id, a name to show, and the fields of `option`. */
export function optionsCall<Plural extends string, Path extends string, Option extends { id: number }>(
  plural: Plural,
  path: Path,
  may: May,
  option: z.ZodType<Option>,
): Call<PathParams<Path>, OptionsInput, Nothing, ListReply<Plural, Option>> {
  return call({
    name: `${plural}.select_options`,
    method: 'GET',
    path,
    may,
    summary: `${plural} to pick from`,
    query: optionsInput,
    reply: listReply(plural, option),
  })
}

export interface CrudCalls<Name extends string, Plural extends string, Path extends string, F extends Fields> {
  readonly list: Call<PathParams<Path>, ListInput, Nothing, ListReply<Plural, RowOf<F>>>
  readonly get: Call<PathParams<Path> & { id: number }, Nothing, Nothing, OneReply<Name, RowOf<F>>>
  readonly create: Call<PathParams<Path>, Nothing, DraftBody<Name, DraftOf<F>>, WriteReply<Name, RowOf<F>>>
  readonly update: Call<
    PathParams<Path> & { id: number },
    Nothing,
    DraftBody<Name, Partial<DraftOf<F>> & { lock_version?: number | undefined }>,
    WriteReply<Name, RowOf<F>>
  >
  readonly destroy: Call<PathParams<Path> & { id: number }, Nothing, Nothing, Result>
  readonly exportCsv: Call<PathParams<Path>, ExportInput, Nothing, Started>
}

/**
 * The six calls of a plain entity. If a verb does not fit, the slice leaves it out and defines its own call. `prefix` names the calls if the
 * same entity is available under a second path.
 */
export function crudCalls<Name extends string, Plural extends string, Path extends string, F extends Fields>(
  entity: Entity<Name, Plural, F>,
  path: Path,
  may: { [K in 'read' | 'create' | 'update' | 'destroy']: May } & { list?: May },
  prefix: string = entity.plural,
): CrudCalls<Name, Plural, Path, F> {
  const { name, plural, label, labels } = entity
  const one = `${path}/:id` as const
  const list = call({
    name: `${prefix}.list`,
    method: 'GET',
    path,
    may: may.list ?? may.read,
    summary: `Lists ${labels}`,
    query: listInput,
    reply: listReply(plural, entity.row),
  })
  return {
    list,
    get: call<string, PathParams<Path> & { id: number }, Nothing, Nothing, OneReply<Name, RowOf<F>>>({
      name: `${prefix}.get`,
      method: 'GET',
      path: one,
      may: may.read,
      summary: `One ${label}`,
      reply: oneReply(name, entity.row),
    }),
    create: call({
      name: `${prefix}.create`,
      method: 'POST',
      path,
      may: may.create,
      summary: `Creates a ${label}`,
      body: draftBody(name, entity.draft),
      reply: writeReply(name, entity.row),
    }),
    update: call<
      string,
      PathParams<Path> & { id: number },
      Nothing,
      DraftBody<Name, Partial<DraftOf<F>> & { lock_version?: number | undefined }>,
      WriteReply<Name, RowOf<F>>
    >({
      name: `${prefix}.update`,
      method: 'PATCH',
      path: one,
      may: may.update,
      summary: `Changes a ${label}`,
      body: draftBody(name, entity.patch),
      reply: writeReply(name, entity.row),
    }),
    destroy: call<string, PathParams<Path> & { id: number }, Nothing, Nothing, Result>({
      name: `${prefix}.destroy`,
      method: 'DELETE',
      path: one,
      may: may.destroy,
      summary: `Deletes a ${label}`,
    }),
    exportCsv: exportOf(list, labels),
  }
}

function idParams(path: string): z.ZodType {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  return z.object(Object.fromEntries(names.map((name) => [name, id])))
}

/** An id in a path: a positive whole number that JavaScript holds exactly. Anything else names no record. */
const id = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine((value) => Number.isSafeInteger(value))

/** The schema is built with computed keys, which the compiler cannot follow. */
function known<T>(schema: z.ZodType): z.ZodType<T>
function known(schema: z.ZodType): z.ZodType {
  return schema
}
