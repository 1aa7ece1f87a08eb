/**
 * A resource declares the source of an entity's rows, their scope and the one rule before a write. It expands into plain handlers; an
 * unusual verb is written beside it with the same functions.
 */
import type { Call, CrudCalls, ExportInput, ListReply, OptionsInput, Started } from '#contract/kernel/call.ts'
import type { Entity, Field, Fields, RowOf } from '#contract/kernel/entity.ts'
import { pageSizeMax, type ListInput } from '#contract/kernel/query.ts'
import type { Context } from '../context.ts'
import { startExport } from './export.ts'
import { handle, type Handler } from '../handler.ts'
import { asReached, readPage, type Asked, type Source } from './list.ts'
import { createRow, destroyRow, storedRow, updateRow, type Saved, type Saving } from './save.ts'
import { checkedQuery, registered } from './sources.ts'

export { everything } from '../principal.ts'
export { createRow, destroyRow, isFree, updateRow, type Saving } from './save.ts'
export { mustReach, registered } from './sources.ts'

/** Source of an entity's rows, their scope, and the checks of a save. */
export interface Resource<Name extends string, Plural extends string, F extends Fields> extends Saved<Name, Plural, F> {
  /** Turns the read rows into rows of the wire, if a field is computed in code. Gets all rows of a page at once. */
  readonly present?: (context: Context, rows: readonly RowOf<F>[]) => Promise<RowOf<F>[]>
}

/** Declares a resource; the type is the documentation. */
export function resource<Name extends string, Plural extends string, F extends Fields>(
  parts: Resource<Name, Plural, F>,
): Resource<Name, Plural, F> {
  registered.set(parts.entity.plural, parts)
  return parts
}

export type CrudHandlers = { readonly [K in 'list' | 'get' | 'create' | 'update' | 'destroy' | 'exportCsv']: Handler }

/** Returns the six plain handlers of an entity. `saving` says what a save stores besides the entity's own columns. */
export function crudHandlers<Name extends string, Plural extends string, Path extends string, F extends Fields>(
  calls: CrudCalls<Name, Plural, Path, F>,
  of: Resource<Name, Plural, F>,
  saving: Saving<F> = {},
): CrudHandlers {
  const { entity } = of
  return {
    list: listHandler(calls.list, of),
    get: handle(calls.get, async (context, { params }) =>
      answerOne(entity.name, await readRow(context, of, params.id, askedBy(context, params))),
    ),
    create: handle(calls.create, async (context, { params, body }) => {
      const row = await createRow(context, of, body[entity.name], askedBy(context, params).clientId, saving)
      return answerWrite(entity, 'created', await presented(context, of, row))
    }),
    update: handle(calls.update, async (context, { params, body }) => {
      const row = await updateRow(context, of, params.id, body[entity.name], askedBy(context, params), saving)
      return answerWrite(entity, 'updated', await presented(context, of, row))
    }),
    destroy: handle(calls.destroy, async (context, { params }) => {
      await destroyRow(context, of, params.id, askedBy(context, params))
      return { success: true, message: `${entity.label} deleted` }
    }),
    exportCsv: exportHandler(calls.exportCsv, of),
  }
}

/** Returns the handler of a list alone, for the same entity under another path. */
export function listHandler<Params extends object, Query extends ListInput, Plural extends string, F extends Fields>(
  call: Call<Params, Query, unknown, ListReply<Plural, RowOf<F>>>,
  of: Resource<string, Plural, F>,
): Handler {
  return handle(call, (context, { params, query }) => listAnswer(context, of, query, askedBy(context, params)))
}

/** Returns the handler of a list's export. Its `asked` must name the same rows as that of the list. */
export function exportHandler<Params extends object>(
  call: Call<Params, ExportInput, unknown, Started>,
  of: Source,
  asked: (context: Context, params: Params) => Asked | Promise<Asked> = askedBy,
): Handler {
  return handle(call, async (context, { params, query }) => startExport(context, of, query, await asked(context, params), call.name))
}

/**
 * Returns the handler of options to choose from, with the keys that an option shows. Without `per` it answers as many as a page may hold.
 */
export function optionsHandler<Params extends object, Plural extends string, Option extends { id: number }>(
  call: Call<Params, OptionsInput, unknown, ListReply<Plural, Option>>,
  of: Source & { readonly entity: { readonly plural: Plural } },
  keys: readonly (keyof Option & string)[],
): Handler {
  return handle(call, (context, { params, query }) => optionsAnswer<Plural, Option>(context, of, query, askedBy(context, params), keys))
}

/** Returns the answer of optionsHandler, for calls whose parameters have other names. */
export async function optionsAnswer<Plural extends string, Option extends { id: number }>(
  context: Context,
  of: Source & { readonly entity: { readonly plural: Plural } },
  input: ListInput,
  asked: Asked,
  keys: readonly (keyof Option & string)[],
): Promise<ListReply<Plural, Option>> {
  const { rows, total } = await readPage<Option>(context.tx, of, checkedQuery(of, { per: pageSizeMax, ...input }), asked, keys)
  return listed(of.entity.plural, rows, total)
}

/** Returns one page of a resource in the form of the wire. Throws 422 naming each unknown parameter. */
export async function listAnswer<Name extends string, Plural extends string, F extends Fields>(
  context: Context,
  of: Resource<Name, Plural, F>,
  input: ListInput,
  asked: Asked,
  extraKeys: Readonly<Record<string, Field<unknown>>> = {},
): Promise<ListReply<Plural, RowOf<F>>> {
  const { rows, total } = await readPage<RowOf<F>>(context.tx, of, checkedQuery(of, input, extraKeys), asked)
  return listed(of.entity.plural, of.present ? await of.present(context, rows) : rows, total)
}

/** Returns the row with this id inside the reach, in the form of the wire. Throws not-found for absent and out of scope alike. */
export async function readRow<Name extends string, Plural extends string, F extends Fields>(
  context: Context,
  of: Resource<Name, Plural, F>,
  id: number,
  asked: Asked,
): Promise<RowOf<F>> {
  return presented(context, of, await storedRow(context, of, id, asked))
}

/** Returns a row that was read or written, in the form of the wire. */
export async function presented<Name extends string, Plural extends string, F extends Fields>(
  context: Context,
  of: Resource<Name, Plural, F>,
  row: RowOf<F>,
): Promise<RowOf<F>> {
  const reached = asReached(of, row, context.reach)
  const [shown = reached] = of.present ? await of.present(context, [reached]) : [reached]
  return shown
}

/** Returns the parameters of a call for its source: the reach of its permission, and the client of its path. */
export function askedBy(context: Context, params: object): Asked & { clientId?: number | undefined } {
  const clientId = 'client_id' in params && typeof params.client_id === 'number' ? params.client_id : undefined
  return { reach: context.reach, clientId }
}

export function answerOne<Name extends string, R>(name: Name, row: R): { [K in Name]: R }
export function answerOne(name: string, row: unknown): object {
  return { [name]: row }
}

type Written<Name extends string, R> = { success: boolean; message: string; id?: number | undefined } & { [K in Name]?: R | undefined }
export function answerWrite<Name extends string, R extends { id: number }>(
  entity: Pick<Entity<Name>, 'name' | 'label'>,
  verb: 'created' | 'updated',
  row: R,
): Written<Name, R>
export function answerWrite(entity: Pick<Entity, 'name' | 'label'>, verb: string, row: { id: number }): object {
  return { success: true, message: `${entity.label} ${verb}`, id: row.id, [entity.name]: row }
}

function listed<Plural extends string, R>(plural: Plural, rows: R[], total: number | undefined): ListReply<Plural, R>
function listed(plural: string, rows: unknown[], total: number | undefined): object {
  return total === undefined ? { [plural]: rows } : { [plural]: rows, total }
}
