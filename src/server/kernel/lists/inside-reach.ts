/**
 * Checks whether a record lies inside the reach of its writer. A role that is narrowed inside a client creates nothing outside its part and
 * moves nothing out of it: the writer would not see the record, and others would.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { readOne, scopeCondition, type Asked, type Source } from './list.ts'
import { reachesWhole, type Reach } from '../principal.ts'
import { forbidden, invalid } from '../problem.ts'

type Sql = RawBuilder<unknown>

/** Refusal for a narrowed role, the same wherever it occurs. */
export const outsideMessage = 'Your role reaches a part of this client only, and this would lie outside of it.'

/**
 * Returns the condition that `item` would lie inside the reach with these values. It has its table's name, so that the list's own scope can
 * judge it.
 */
export function liesInside(source: Pick<Source, 'table' | 'scope'>, reach: Reach, clientId: number | undefined, values: Sql): Sql {
  return sql`exists (select from jsonb_populate_record(null::${sql.table(source.table)}, to_jsonb(item) || ${values}) as ${sql.ref(source.table)}
    where ${scopeCondition(source, { reach, clientId })})`
}

/** Throws forbidden for a new record outside the reach. */
export async function mustReachNew(context: Context, of: Source, id: number, clientId: number | undefined): Promise<void> {
  if (clientId === undefined || of.scope === 'shared' || reachesWhole(context.reach, clientId)) return
  if (!(await readOne(context.tx, of, id, { reach: context.reach, clientId }))) throw forbidden(outsideMessage)
}

interface Stored {
  readonly id: number
  readonly clientId: number
  readonly asked: Asked
  readonly before: object
}

/**
 * Throws 422 if a record that was inside has left the reach, and names each field that alone has moved it. Must be called after the row is
 * stored.
 */
export async function mustReachStill(
  context: Context,
  of: Source,
  { id, clientId, asked, before }: Stored,
  changed: readonly string[],
): Promise<void> {
  if (clientId === 0 || of.scope === 'shared' || reachesWhole(asked.reach, clientId)) return
  if (await readOne(context.tx, of, id, { reach: asked.reach, clientId })) return
  const moved = await movingFields(context, of, { id, clientId, asked, before }, changed)
  throw invalid(Object.fromEntries(moved.map((key) => [key, [outsideMessage]])), outsideMessage)
}

/** Returns the fields whose change is enough: with all others unchanged, the record would lie outside too. */
async function movingFields(
  { tx }: Context,
  of: Source,
  { id, clientId, asked, before }: Stored,
  changed: readonly string[],
): Promise<string[]> {
  const known = Object.entries(before).filter(([key]) => changed.includes(key))
  const fields = known.map(([key]) => {
    const others = Object.fromEntries(known.filter(([other]) => other !== key))
    return sql`case when not ${liesInside(of, asked.reach, clientId, sql`${JSON.stringify(others)}::jsonb`)} then ${key}::text end`
  })
  if (fields.length === 0) return []
  const { rows } = await sql<{
    keys: string[]
  }>`select array_remove(array[${sql.join(fields)}], null) as keys from ${sql.table(of.table)} item
    where item.client_id = ${clientId} and item.id = ${id}`.execute(tx)
  return rows[0]?.keys ?? []
}
