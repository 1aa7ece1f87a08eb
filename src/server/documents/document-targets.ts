/** The records that documents are attached to, and who reaches them. */
import { attachableOf, attachables, type Attachable, type DocumentForm } from '#contract/documents/document.ts'
import type { ListInput } from '#contract/kernel/query.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { scopeCondition, type Asked } from '../kernel/lists/list.ts'
import { reachesWhole, reachOf } from '../kernel/principal.ts'
import { forbidden, invalid, notFound, unknownRecords } from '../kernel/problem.ts'
import { sourceOf } from '../kernel/lists/sources.ts'
import { askedFor, both, ofAttachable } from './document-scope.ts'

export interface Target {
  readonly of: Attachable
  readonly id: number
}
export const [clientAttachable] = attachables

/** Returns the list's own parameters, without those that select the owner of the documents. */
export function listOnly<Query extends ListInput & { type?: unknown; id?: unknown }>({
  type: _type,
  id: _id,
  ...query
}: Query): Omit<Query, 'type' | 'id'> {
  return query
}

/** Returns the list of documents: the client's own, those of a level, or those of one record, which must be in reach. */
export async function listOf(
  context: Context,
  clientId: number,
  { type, id }: { readonly type?: Attachable['value'] | undefined; readonly id?: number | undefined },
): Promise<Asked> {
  if (id !== undefined && type === undefined) throw invalid({ type: ['type says what the id names'] })
  const of = attachableOf(type ?? 'Client') ?? clientAttachable
  const isClient = of.model === 'client'
  if (isClient ? (id ?? clientId) !== clientId : id !== undefined && !(await reaches(context, clientId, { of, id }, 'read')))
    throw notFound(`${of.label} not found.`)
  return { ...both(askedFor(context, 'read'), ofAttachable({ model: of.model, id: isClient ? null : (id ?? null) })), clientId }
}

/** Returns the record that a form attaches the document to, or null if it names none. Throws 422 if only one of type and id is given. */
export function targetIn({ attachable_type: type, attachable_id: id }: DocumentForm): Target | null {
  if (type === undefined && id === undefined) return null
  const of = type === undefined ? undefined : attachableOf(type)
  if (!of) throw invalid({ attachable_type: ['attachable_type says what attachable_id names'] })
  if (id === undefined) throw invalid({ attachable_id: ['attachable_id is required with attachable_type'] })
  return { of, id }
}

/** Throws if the caller may not update the record: 403 if they see it, otherwise 422 at the form's field, or 404 if the address names it. */
export async function mustAttach(context: Context, clientId: number, target: Target, field?: string): Promise<void> {
  if (await reaches(context, clientId, target, 'update')) return
  if (await reaches(context, clientId, target, 'read')) throw forbidden()
  throw field === undefined ? notFound(`${target.of.label} not found.`) : unknownRecords(field)
}

async function reaches(context: Context, clientId: number, { of, id }: Target, action: 'read' | 'update'): Promise<boolean> {
  const reach = reachOf(context.principal, `${of.model}.${action}`)
  // Every user inside a client reads its name; its documents are for roles on the client as a whole.
  if (of.model === 'client') return id === clientId && (action === 'read' || reachesWhole(reach, clientId))
  const source = sourceOf(of.plural)
  if (!source) throw new Error(`nobody has declared ${of.plural}`)
  const { rows } = await sql`select 1 from ${sql.table(source.table)}
    where ${scopeCondition(source, { reach, clientId })} and ${sql.ref(`${source.table}.id`)} = ${id}`.execute(context.tx)
  return rows.length > 0
}
