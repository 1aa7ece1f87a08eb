/**
 * The rows of one page. What is dear to select is selected for the rows of the page alone, which are found first, by the index of the
 * sort: from the start, from the end where that is nearer, or from a row nearby whose place is remembered from a page read before.
 */
import type { ListQuery } from '#contract/kernel/query.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../postgres/database.ts'
import { placeNearby, rememberPlaces, type Place } from './list-places.ts'
import { and, type Where } from './list-conditions.ts'
import { joinsFor, selection, sortExpression, type Asked, type Condition, type Source } from './list-source.ts'
import { dataVersion, knownTotal, listKey } from './list-totals.ts'

/** Rows beyond this offset are worth remembering where they stand. */
const deepOffset = 500
/** Sizes that lists offer stand in the statement itself: the planner sees how few rows are wanted, and plans the rest for them. */
const plainSizes: readonly number[] = [1, 10, 20, 25, 50, 100, 200, 1000]

/** Reads the rows of the query's page, of each the given keys. */
export async function readRows<R extends object>(
  tx: Tx,
  source: Source,
  query: ListQuery,
  where: Where,
  keys: readonly string[],
  asked: Asked,
): Promise<R[]> {
  const offset = (query.page - 1) * query.per
  if (offset > deepOffset) return readDeepRows<R>(tx, source, query, where, keys, asked)
  const { words, isDear } = selection(tx, source, keys)
  if (isDear) return readWalk<R>(tx, source, query, where, keys, asked, { backwards: false, limit: query.per, offset })
  const table = sql.ref(source.table)
  const joins = joinsFor(source, [...keys, query.sort.key, ...where.keys])
  const { rows } = await sql<R>`select ${words} from ${table} ${joins} where ${and(where.conditions)}
    order by ${ordering(source, query, false)} limit ${sizeOf(query.per)} offset ${offset}`.execute(tx)
  return rows
}

/** The version is read before the rows: a place that is newer than its version is only forgotten. */
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

/** How the rows of a page are reached: in which direction, how many are passed over, and from which row on. */
interface Walk {
  readonly backwards: boolean
  readonly limit: number
  readonly offset: number
  /** The id of the row that the walk begins with. */
  readonly from?: number
}

/** Past the middle the index is shorter from its end; the total must be known for that. */
function walkOf(query: ListQuery, offset: number, total: number | undefined): Walk {
  if (total === undefined || offset <= total / 2) return { backwards: false, limit: query.per, offset }
  const limit = Math.min(query.per, Math.max(0, total - offset))
  return { backwards: true, limit, offset: Math.max(0, total - offset - limit) }
}

/**
 * Finds the page's rows first and joins to these. Of one client's list they bring the client along: were it told once more, the planner
 * would take the client's share of the table for the share of the page that is left, and read whole tables for a handful of rows.
 */
async function readWalk<R>(
  tx: Tx,
  source: Source,
  query: ListQuery,
  where: Where,
  keys: readonly string[],
  asked: Asked,
  walk: Walk,
): Promise<R[]> {
  const table = sql.ref(source.table)
  const inner = joinsFor(source, [query.sort.key, ...where.keys])
  const conditions = walk.from === undefined ? where.conditions : [...where.conditions, startingAt(source, query, walk)]
  // The walk reads nothing but the index of the sort, which holds no client where the list is of all clients.
  const client = source.scope === 'shared' || asked.clientId === undefined ? undefined : source.scope.client
  const found = sql<Found>`select ${table}.id, ${client ?? sql`null::bigint`} as page_client from ${table} ${inner} where ${and(conditions)}
    order by ${ordering(source, query, walk.backwards)} limit ${sizeOf(walk.limit)} offset ${walk.offset}`
  const page = isByAnother(source, query) || looksIntoTexts(query) ? await foundBefore(tx, found) : found
  const { rows } = await sql<R>`with page as materialized (${page})
    select ${selection(tx, source, keys).words} from page join ${table} on ${table}.id = page.id ${client ? sql`and ${client} = page.page_client` : sql``}
      ${joinsFor(source, [...keys, query.sort.key])} order by ${ordering(source, query, false)}`.execute(tx)
  return rows
}

interface Found {
  readonly id: number
  readonly page_client: number | null
}

/** Sorted by the name of another record. */
function isByAnother(source: Source, { sort }: ListQuery): boolean {
  return (source.columns?.[sort.key]?.joins ?? []).length > 0
}

/** How a text is best looked into depends on its letters. */
function looksIntoTexts({ filters, searchTerm }: ListQuery): boolean {
  return searchTerm !== '' || filters.some((filter) => filter.predicate === 'cont')
}

/**
 * Which way round a join is best walked depends on how much the client has. A statement that does not begin with its verb is planned for
 * its values each time; that is cheap for the walk alone, and dear together with all that a page selects.
 */
async function foundBefore(tx: Tx, found: RawBuilder<Found>): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<Found>`/* planned for its values */ ${found}`.execute(tx)
  const [ids, clients] = [rows.map((row) => row.id), rows.map((row) => row.page_client)]
  return sql`select id, page_client from unnest(${ids}::bigint[], ${clients}::bigint[]) as found (id, page_client)`
}

/** Rows from this one on. What it is sorted by is read in the statement, so that it is compared exactly as it stands there. */
function startingAt(source: Source, query: ListQuery, { backwards, from }: Walk): Condition {
  const table = sql.ref(source.table)
  const beyond = isAscending(query, backwards) ? sql`>=` : sql`<=`
  if (query.sort.key === 'id') return sql<boolean>`${table}.id ${beyond} ${from}`
  const column = sortExpression(source, query.sort.key)
  const value = sql`(select ${column} from ${table} ${joinsFor(source, [query.sort.key])} where ${table}.id = ${from})`
  // The pair alone is no condition for the index of another table's name.
  return sql<boolean>`${column} ${beyond} ${value} and (${column}, ${table}.id) ${beyond} (${value}, ${from})`
}

/** Rows without a value come last in an ascending walk, where no comparison finds them. */
function canStartAt(tx: Tx, source: Source, query: ListQuery, backwards: boolean): boolean {
  return !isAscending(query, backwards) || !mayBeEmpty(tx, source, query.sort.key)
}

function isAscending(query: ListQuery, backwards: boolean): boolean {
  return (query.sort.direction === 'asc') !== backwards
}

/** Empty is what the contract lets be empty, and what comes from a record that need not be there. `id` is never empty. */
function mayBeEmpty(tx: Tx, source: Source, key: string): boolean {
  const isOptional = source.entity.fields[key]?.schema.safeParse(null).success ?? false
  const joins = source.columns?.[key]?.joins ?? []
  return isOptional || (joins.length > 0 && /left join/i.test(joinsFor(source, [key]).compile(tx).sql))
}

/** The first and the last row of a page and where they stand; rows without a value are no place to start from. */
function placesOf(rows: readonly object[], { sort }: ListQuery, offset: number): Place[] {
  return [0, rows.length - 1].flatMap((at) => {
    const row = rows[at]
    const id: unknown = row === undefined ? undefined : Reflect.get(row, 'id')
    const isStart = row !== undefined && typeof id === 'number' && sort.key in row && Reflect.get(row, sort.key) !== null
    return isStart ? [{ position: offset + at, id }] : []
  })
}

function sizeOf(per: number): RawBuilder<unknown> {
  return plainSizes.includes(per) ? sql.raw(String(per)) : sql`${per}`
}

/** `id` is always the last key, in the sort's own direction: without it a row may stand on two pages. */
export function ordering(source: Source, query: ListQuery, backwards: boolean): RawBuilder<unknown> {
  const id = sql`${sql.ref(source.table)}.id`
  const isUp = isAscending(query, backwards)
  if (query.sort.key === 'id') return isUp ? id : sql`${id} desc`
  const column = sortExpression(source, query.sort.key)
  return isUp ? sql`${column}, ${id}` : sql`${column} desc, ${id} desc`
}
