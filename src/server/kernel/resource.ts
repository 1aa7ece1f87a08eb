/**
 * A resource says where an entity's rows come from, what scope sees them and the one rule before a write. It expands into plain
 * handlers; a verb that does not fit is written beside it with the same functions.
 */
import type { CrudCalls } from '#contract/kernel/call.ts'
import { writableKeys, type DraftOf, type Entity, type Field, type Fields, type RowOf } from '#contract/kernel/entity.ts'
import { readListQuery, type ListInput, type ListQuery } from '#contract/kernel/query.ts'
import { sql } from 'kysely'
import { changesBetween, type Changes } from './audit.ts'
import type { Context } from './context.ts'
import { startExport } from './export.ts'
import { handle, type Handler } from './handler.ts'
import { readOne, readPage, type Asked, type Source } from './list.ts'
import { invalid, notFound, stale } from './problem.ts'

export interface Resource<Name extends string, Plural extends string, F extends Fields> extends Source {
  readonly entity: Entity<Name, Plural, F>
  /** The one rule before a write; throws a refusal. `before` is null for a new record. */
  readonly check?: (context: Context, draft: Partial<DraftOf<F>>, before: RowOf<F> | null, clientId: number) => Promise<void>
  /** Makes the row of the wire from what was read, where a field is decided in code. */
  readonly present?: (row: RowOf<F>) => RowOf<F>
}

/** Declares a resource; the type is the documentation. */
export function resource<Name extends string, Plural extends string, F extends Fields>(parts: Resource<Name, Plural, F>): Resource<Name, Plural, F> {
  registered.set(parts.entity.plural, parts)
  return parts
}

/** All resources by plural name: exports find their list here. */
export const registered = new Map<string, Source>()

export type CrudHandlers = { readonly [K in 'list' | 'get' | 'create' | 'update' | 'destroy' | 'exportCsv']: Handler }

/** The six plain handlers of an entity. */
export function crudHandlers<Name extends string, Plural extends string, Path extends string, F extends Fields>(
  calls: CrudCalls<Name, Plural, Path, F>,
  of: Resource<Name, Plural, F>,
): CrudHandlers {
  const { entity } = of
  return {
    list: handle(calls.list, async (context, { params, query }) => listAnswer(context, of, query, askedBy(context, params))),
    get: handle(calls.get, async (context, { params }) => answerOne(entity.name, await readRow(context, of, params.id, askedBy(context, params)))),
    create: handle(calls.create, async (context, { params, body }) => {
      const row = await createRow(context, of, body[entity.name], askedBy(context, params).clientId)
      return answerWrite(entity, 'created', row)
    }),
    update: handle(calls.update, async (context, { params, body }) => {
      const row = await updateRow(context, of, params.id, body[entity.name], askedBy(context, params))
      return answerWrite(entity, 'updated', row)
    }),
    destroy: handle(calls.destroy, async (context, { params }) => {
      await destroyRow(context, of, params.id, askedBy(context, params))
      return { success: true, message: `${entity.label} deleted` }
    }),
    exportCsv: handle(calls.exportCsv, async (context, { params, query }) => startExport(context, of, query, askedBy(context, params))),
  }
}

/** One page of a resource as the wire wants it. Throws 422 naming each parameter that is not known. */
export async function listAnswer<Name extends string, Plural extends string, F extends Fields>(
  context: Context,
  of: Resource<Name, Plural, F>,
  input: ListInput,
  asked: Asked,
  extraKeys: Readonly<Record<string, Field<unknown>>> = {},
): Promise<{ [K in Plural]: RowOf<F>[] } & { total?: number | undefined }> {
  const { rows, total } = await readPage<RowOf<F>>(context.tx, of, checkedQuery(of, input, extraKeys), asked)
  const { present } = of
  return listed(of.entity.plural, present ? rows.map((row) => present(row)) : rows, total)
}

/** The query of a list, or 422 with the names of what it does not know. */
export function checkedQuery(source: Pick<Source, 'entity'>, input: ListInput, extraKeys: Readonly<Record<string, Field<unknown>>> = {}): ListQuery {
  const { query, faults } = readListQuery(input, source.entity, extraKeys)
  if (query) return query
  throw invalid(Object.fromEntries(faults.map((fault) => [fault.key, [fault.message]])))
}

/** The row with this id inside the reach. Throws not-found for absent and out of scope alike. */
export async function readRow<Name extends string, Plural extends string, F extends Fields>(
  context: Context,
  of: Resource<Name, Plural, F>,
  id: number,
  asked: Asked,
  lock = false,
): Promise<RowOf<F>> {
  const row = await readOne<RowOf<F>>(context.tx, of, id, asked, lock)
  if (!row) throw notFound(`${of.entity.label} not found.`)
  return of.present ? of.present(row) : row
}

/** Inserts a draft with what the server adds, and leaves its audit row. `clientId` is undefined for reference data. */
export async function createRow<Name extends string, Plural extends string, F extends Fields>(
  context: Context,
  of: Resource<Name, Plural, F>,
  draft: DraftOf<F>,
  clientId: number | undefined,
  added: Readonly<Record<string, unknown>> = {},
): Promise<RowOf<F>> {
  await of.check?.(context, partial(draft), null, clientId ?? 0)
  const values = { ...storedValues(of.entity.fields, draft), ...added, ...(clientId === undefined ? {} : { client_id: clientId }) }
  const keys = Object.keys(values)
  const { rows } = await sql<{ id: number }>`insert into ${sql.table(of.table)} (${sql.join(keys.map((key) => sql.ref(key)))})
    values (${sql.join(Object.values(values).map(bound))}) returning id`.execute(context.tx)
  const id = rows[0]?.id
  if (id === undefined) throw new Error(`insert into ${of.table} answered no id`)
  await context.audit.created(of.entity.name, id, clientId ?? 0, { ...draft, ...added }, secretKeys(of.entity.fields))
  return readRow(context, of, id, { reach: everything, clientId })
}

/** Applies a patch to a row inside the reach: locked, checked against its version, audited with what changed. */
export async function updateRow<Name extends string, Plural extends string, F extends Fields>(
  context: Context,
  of: Resource<Name, Plural, F>,
  id: number,
  patch: Partial<DraftOf<F>> & { lock_version?: number | undefined },
  asked: Asked,
  added: Readonly<Record<string, unknown>> = {},
): Promise<RowOf<F>> {
  const before = await readRow(context, of, id, asked, true)
  const { lock_version: version, ...draft } = patch
  refuseStale(of.entity, before, version, draft)
  const changed = partial<F>(draft)
  await of.check?.(context, changed, before, asked.clientId ?? clientOf(before))
  const values = { ...storedValues(of.entity.fields, draft), ...added }
  const changes = changesBetween(before, values, Object.keys(values), secretKeys(of.entity.fields))
  const clientId = clientOf(before)
  await storeChanges(context, of, id, clientId, values, changes)
  return readRow(context, of, id, { reach: everything, clientId: of.scope === 'shared' ? undefined : clientId })
}

/** Raises the version even where only children change: whoever holds the old form must be told. */
async function storeChanges(context: Context, of: Source, id: number, clientId: number, values: Readonly<Record<string, unknown>>, changes: Changes): Promise<void> {
  const sets = Object.keys(changes).map((key) => sql`${sql.ref(key)} = ${bound(values[key])}`)
  const tenant = of.scope === 'shared' ? sql`` : sql`and client_id = ${clientId}`
  await sql`update ${sql.table(of.table)} set ${sql.join([...sets, sql`lock_version = lock_version + 1`, sql`updated_at = now()`])} where id = ${id} ${tenant}`.execute(context.tx)
  await context.audit.updated(of.entity.name, id, of.scope === 'shared' ? 0 : clientId, changes)
}

/** Deletes a row inside the reach; a row that others still use is refused by the database and said kindly. */
export async function destroyRow<Name extends string, Plural extends string, F extends Fields>(context: Context, of: Resource<Name, Plural, F>, id: number, asked: Asked): Promise<void> {
  const before = await readRow(context, of, id, asked, true)
  const clientId = clientOf(before)
  const tenant = of.scope === 'shared' ? sql`` : sql`and client_id = ${clientId}`
  await sql`delete from ${sql.table(of.table)} where id = ${id} ${tenant}`.execute(context.tx)
  await context.audit.destroyed(of.entity.name, id, of.scope === 'shared' ? 0 : clientId, withoutSecrets(of.entity.fields, before))
}

/** Throws stale with what changed meanwhile where the sent version is older than the row. A save without a version is taken as it is. */
export function refuseStale(entity: Pick<Entity, 'fields'>, before: { lock_version: number } & Readonly<Record<string, unknown>>, version: number | undefined, draft: Readonly<Record<string, unknown>>): void {
  if (version === undefined || version === before.lock_version) return
  const secrets = secretKeys(entity.fields)
  throw stale(changesBetween(before, draft, Object.keys(draft).filter((key) => key in before), secrets))
}

/** What a call asks of its source: the reach of its permission, and the client of its path. */
export function askedBy(context: Context, params: object): Asked & { clientId?: number | undefined } {
  const clientId = 'client_id' in params && typeof params.client_id === 'number' ? params.client_id : undefined
  return { reach: context.reach, clientId }
}

/** For rows that the same transaction has just written inside the caller's reach. */
export const everything: Asked['reach'] = [{ clients: 'all', narrowed: {} }]

export function answerOne<Name extends string, R>(name: Name, row: R): { [K in Name]: R }
export function answerOne(name: string, row: unknown): object {
  return { [name]: row }
}

type Written<Name extends string, R> = { success: boolean; message: string; id?: number | undefined } & { [K in Name]?: R | undefined }
export function answerWrite<Name extends string, R extends { id: number }>(entity: Pick<Entity<Name>, 'name' | 'label'>, verb: 'created' | 'updated', row: R): Written<Name, R>
export function answerWrite(entity: Pick<Entity, 'name' | 'label'>, verb: string, row: { id: number }): object {
  return { success: true, message: `${entity.label} ${verb}`, id: row.id, [entity.name]: row }
}

function listed<Plural extends string, R>(plural: Plural, rows: R[], total: number | undefined): { [K in Plural]: R[] } & { total?: number | undefined }
function listed(plural: string, rows: unknown[], total: number | undefined): object {
  return total === undefined ? { [plural]: rows } : { [plural]: rows, total }
}

function partial<F extends Fields>(draft: object): Partial<DraftOf<F>>
function partial(draft: object): object {
  return draft
}

/** The part of a draft that the entity's own table stores: no children, no lists of ids, no write-only helpers. */
function storedValues(fields: Fields, draft: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const keys = writableKeys(fields).filter((key) => key in draft && draft[key] !== undefined && isColumn(fields[key]))
  return Object.fromEntries(keys.map((key) => [key, draft[key]]))
}

function isColumn(field: Field<unknown> | undefined): boolean {
  return field !== undefined && field.use !== 'write_only' && field.kind !== 'refs' && field.kind !== 'list' && field.kind !== 'secret'
}

function secretKeys(fields: Fields): string[] {
  return Object.keys(fields).filter((key) => fields[key]?.kind === 'secret')
}

function withoutSecrets(fields: Fields, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([key]) => fields[key]?.kind !== 'secret'))
}

function clientOf(row: Readonly<Record<string, unknown>>): number {
  return typeof row['client_id'] === 'number' ? row['client_id'] : 0
}

/** A value as a parameter of its own; lists and objects become JSON only where the column is JSON, which plain entities have not. */
function bound(value: unknown) {
  return sql`${value}`
}
