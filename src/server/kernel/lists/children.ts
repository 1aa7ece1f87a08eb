/**
 * Saves the children and links of a row. Children travel as `*_attributes` (new without an id, changed with it, removed as {id, _destroy});
 * links travel as lists of ids. The number of statements is fixed, however many there are.
 */
import type { ChildDraft } from '#contract/kernel/children.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Tx } from '../postgres/database.ts'
import { invalid } from '../problem.ts'

export interface ChildTable {
  readonly table: string
  /** Columns that name the parent, with the client first if there is one: {client_id, service_id}. */
  readonly parent: Readonly<Record<string, number>>
  /** Columns of the children besides their id and their parent. */
  readonly columns: readonly string[]
  /** The wire's name, for refusals. */
  readonly field: string
  /** Initial values of a new child that the draft does not set. */
  readonly initial?: Readonly<Record<string, unknown>>
}

export type ChildRow = Readonly<Record<string, unknown>> & { readonly id: number }

/**
 * Returns the children as they will be: the stored ones with their changes and without the removed ones, then the new ones (without an id).
 * Locks the stored ones. Throws 422 for an id that is not a child of the parent.
 */
export async function mergeChildren<D extends ChildDraft>(tx: Tx, child: ChildTable, drafts: readonly D[]): Promise<MergedChildren> {
  const stored = await readChildren(tx, child)
  const known = new Map(stored.map((row) => [row.id, row]))
  const strange = drafts.findIndex((draft) => draft.id !== undefined && !known.has(draft.id))
  if (strange >= 0) throw invalid({ [`${child.field}.${strange}.id`]: ['This row is gone. Please reload.'] })
  const removed = drafts.flatMap((draft) => (draft._destroy && draft.id !== undefined ? [draft.id] : []))
  const changes = new Map(drafts.flatMap((draft) => (draft.id !== undefined && !draft._destroy ? [[draft.id, draft] as const] : [])))
  const kept = stored.filter((row) => !removed.includes(row.id))
  return {
    removed,
    changed: kept.filter((row) => changes.has(row.id)).map((row) => ({ ...row, ...valuesOf(changes.get(row.id) ?? {}, child) })),
    untouched: kept.filter((row) => !changes.has(row.id)),
    added: drafts
      .filter((draft) => draft.id === undefined && !draft._destroy)
      .map((draft) => ({ ...child.initial, ...valuesOf(draft, child) })),
  }
}

export interface MergedChildren {
  readonly removed: readonly number[]
  readonly changed: readonly ChildRow[]
  readonly untouched: readonly ChildRow[]
  readonly added: readonly Readonly<Record<string, unknown>>[]
}

/** Returns all children that will exist after the save, for rules over the whole list. */
export function childrenAfter(merged: MergedChildren): readonly Readonly<Record<string, unknown>>[] {
  return [...merged.untouched, ...merged.changed, ...merged.added]
}

/** Stores the result of mergeChildren. Removes first, so that a new child may take the place of a removed one. */
export async function storeChildren(tx: Tx, child: ChildTable, merged: MergedChildren): Promise<void> {
  const { table, columns } = child
  const listed = sql.join(columns.map((column) => sql.ref(column)))
  if (merged.removed.length > 0)
    await sql`delete from ${sql.table(table)} where ${ofParent(child)} and id = any(${merged.removed}::bigint[])`.execute(tx)
  if (merged.changed.length > 0) {
    const sets = sql.join([...columns.map((column) => sql`${sql.ref(column)} = new.${sql.ref(column)}`), sql`updated_at = now()`])
    await sql`update ${sql.table(table)} set ${sets} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(merged.changed)}::jsonb) as new
      where ${ofParent(child)} and ${sql.ref(`${table}.id`)} = new.id`.execute(tx)
  }
  if (merged.added.length > 0) {
    const parents = Object.entries(child.parent)
    await sql`insert into ${sql.table(table)} (${sql.join(parents.map(([column]) => sql.ref(column)))}, ${listed})
      select ${sql.join(parents.map(([, id]) => sql`${id}::bigint`))}, ${listed}
      from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(merged.added)}::jsonb)`.execute(tx)
  }
}

/** Merges and stores in one step, if no rule concerns the whole list. */
export async function saveChildren(tx: Tx, child: ChildTable, drafts: readonly ChildDraft[] | undefined): Promise<void> {
  if (drafts === undefined || drafts.length === 0) return
  await storeChildren(tx, child, await mergeChildren(tx, child, drafts))
}

export interface LinkTable {
  readonly table: string
  readonly parent: Readonly<Record<string, number>>
  /** Column that names the linked record. */
  readonly column: string
  /** Keeps the order of the ids in the column `position`. */
  readonly ordered?: boolean
}

/** Sets the links to exactly these ids. Does nothing if the draft does not contain them. */
export async function saveLinks(tx: Tx, link: LinkTable, ids: readonly number[] | undefined): Promise<void> {
  if (ids === undefined) return
  const { table, column } = link
  const parents = Object.entries(link.parent)
  const keys = sql.join([...parents.map(([key]) => sql.ref(key)), sql.ref(column)])
  await sql`delete from ${sql.table(table)} where ${ofParent(link)} and not (${sql.ref(column)} = any(${ids}::bigint[]))`.execute(tx)
  if (ids.length === 0) return
  await sql`insert into ${sql.table(table)} (${keys}${link.ordered ? sql`, position` : sql``})
    select ${sql.join(parents.map(([, id]) => sql`${id}::bigint`))}, linked.id ${link.ordered ? sql`, linked.position` : sql``}
    from unnest(${ids}::bigint[]) with ordinality as linked(id, position)
    on conflict (${keys}) do ${link.ordered ? sql`update set position = excluded.position` : sql`nothing`}`.execute(tx)
}

async function readChildren(tx: Tx, child: ChildTable): Promise<ChildRow[]> {
  const columns = sql.join(['id', ...child.columns].map((column) => sql.ref(column)))
  const { rows } =
    await sql<ChildRow>`select ${columns} from ${sql.table(child.table)} where ${ofParent(child)} order by id for update`.execute(tx)
  return rows
}

function ofParent({ table, parent }: Pick<ChildTable, 'table' | 'parent'>): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.join(
    Object.entries(parent).map(([column, id]) => sql`${sql.ref(`${table}.${column}`)} = ${id}`),
    sql` and `,
  )}`
}

/** Returns only stored columns, and for a change only those that were sent. */
function valuesOf(draft: object, child: ChildTable): Record<string, unknown> {
  return Object.fromEntries(Object.entries(draft).filter(([key, value]) => child.columns.includes(key) && value !== undefined))
}
