/**
 * Reads the rows of one page. The page's rows are found first, by the index of the sort, and expensive columns are then selected for these
 * rows alone. The search begins at the start, at the end if that is nearer, or at a nearby row remembered from a page read before.
 */
import type { ListQuery } from '#contract/kernel/query.ts'
import { sql } from 'kysely'
import type { Tx } from '../postgres/database.ts'
import { placeNearby, rememberPlaces, type Place } from './list-places.ts'
import type { Where } from './list-conditions.ts'
import { joinsFor, rowsOf, selection, type Asked, type Source } from './list-source.ts'
import { and } from './scope-condition.ts'
import { dataVersion, knownTotal, listKey } from './list-totals.ts'
import { readWalk, ordering, sizeOf, type Walk, isAscending } from './list-walk.ts'

/** Beyond this offset the places of rows are remembered. */
const deepOffset = 500

/** Reads the rows of the query's page with the given keys. */
export async function readRows<R extends object>(
  tx: Tx,
  source: Source,
  query: ListQuery,
  where: Where,
  keys: readonly string[],
  asked: Asked,
): Promise<R[]> {
  if (asked.made) return readMadeRows<R>(tx, source, query, where, keys, asked)
  const offset = (query.page - 1) * query.per
  if (offset > deepOffset) return readDeepRows<R>(tx, source, query, where, keys, asked)
  const { words, isDear } = selection(tx, source, keys, asked)
  if (isDear) return readWalk<R>(tx, source, query, where, keys, asked, { backwards: false, limit: query.per, offset })
  const table = sql.ref(source.table)
  const joins = joinsFor(source, [...keys, query.sort.key, ...where.keys])
  const { rows } = await sql<R>`select ${words} from ${table} ${joins} where ${and(where.conditions)}
    order by ${ordering(source, query, asked, false)} limit ${sizeOf(query.per)} offset ${offset}`.execute(tx)
  return rows
}

/** Builds all rows of a list that no table holds: its order is known only then. Names are looked up for the page alone. */
async function readMadeRows<R extends object>(
  tx: Tx,
  source: Source,
  query: ListQuery,
  { conditions, keys: read }: Where,
  keys: readonly string[],
  asked: Asked,
): Promise<R[]> {
  const table = sql.ref(source.table)
  const order = ordering(source, query, asked, false)
  const { rows } = await sql<R>`with page as materialized (
      select ${table}.* from ${rowsOf(source, asked)} ${joinsFor(source, [query.sort.key, ...read])} where ${and(conditions)}
      order by ${order} limit ${query.per} offset ${(query.page - 1) * query.per})
    select ${selection(tx, source, keys, asked).words} from page as ${table} ${joinsFor(source, [...keys, query.sort.key])} order by ${order}`.execute(
    tx,
  )
  return rows
}

/** Reads the version before the rows: a place that is newer than its version is merely forgotten. */
async function readDeepRows<R extends object>(
  tx: Tx,
  source: Source,
  query: ListQuery,
  where: Where,
  keys: readonly string[],
  asked: Asked,
): Promise<R[]> {
  const offset = (query.page - 1) * query.per
  const list = JSON.stringify([listKey(source, query, asked), query.sort])
  const version = await dataVersion(tx, source, asked)
  const plain = walkOf(query, offset, knownTotal(source, query, asked, version))
  const place = placeNearby(list, version, offset, query.per, plain.offset)
  const walk = place && canStartAt(tx, source, query, place.backwards) ? { ...place, limit: query.per } : plain
  const rows = await readWalk<R>(tx, source, query, where, keys, asked, walk)
  rememberPlaces(list, version, placesOf(rows, query, offset))
  return rows
}

/** Past the middle, the index is shorter from its end. This requires the total. */
function walkOf(query: ListQuery, offset: number, total: number | undefined): Walk {
  if (total === undefined || offset <= total / 2) return { backwards: false, limit: query.per, offset }
  const limit = Math.min(query.per, Math.max(0, total - offset))
  return { backwards: true, limit, offset: Math.max(0, total - offset - limit) }
}

/** Rows without a value come last in an ascending walk, and no comparison finds them. */
function canStartAt(tx: Tx, source: Source, query: ListQuery, backwards: boolean): boolean {
  return !isAscending(query, backwards) || !mayBeEmpty(tx, source, query.sort.key)
}

/** A value may be empty if the contract allows it, or if it comes from an optional record. `id` is never empty. */
function mayBeEmpty(tx: Tx, source: Source, key: string): boolean {
  const isOptional = source.entity.fields[key]?.schema.safeParse(null).success ?? false
  const joins = source.columns?.[key]?.joins ?? []
  return isOptional || (joins.length > 0 && /left join/i.test(joinsFor(source, [key]).compile(tx).sql))
}

/** Returns the first and the last row of a page with their offsets. Rows without a value cannot be a starting point. */
function placesOf(rows: readonly object[], { sort }: ListQuery, offset: number): Place[] {
  return [0, rows.length - 1].flatMap((at) => {
    const row = rows[at]
    const id: unknown = row === undefined ? undefined : Reflect.get(row, 'id')
    const isStart = row !== undefined && typeof id === 'number' && sort.key in row && Reflect.get(row, sort.key) !== null
    return isStart ? [{ position: offset + at, id }] : []
  })
}
