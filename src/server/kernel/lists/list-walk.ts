/** Finds the rows of a page by the index of its sort, then reads their columns. */
import type { ListQuery } from '#contract/kernel/query.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../postgres/database.ts'
import type { Where } from './list-conditions.ts'
import { joinsFor, selection, sortExpression, type Asked, type Source } from './list-source.ts'
import { and, type Condition, type Inside } from './scope-condition.ts'

/**
 * Page sizes that lists offer are literals in the statement: the planner then knows how few rows are needed, and plans the rest
 * accordingly.
 */
const plainSizes: readonly number[] = [1, 10, 20, 25, 50, 100, 200, 1000]

/** Path to the rows of a page: the direction, the number of rows to skip, and the starting row. */
export interface Walk {
  readonly backwards: boolean
  readonly limit: number
  readonly offset: number
  /** Id of the row that the walk begins with. */
  readonly from?: number
}

/**
 * Finds the page's rows first and joins to these. In a client's list the found rows carry the client: with the client as a second
 * condition, the planner would apply the client's share of the table to the page, and read whole tables for a handful of rows.
 */
export async function readWalk<R>(
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
  const conditions = walk.from === undefined ? where.conditions : [...where.conditions, startingAt(source, query, asked, walk)]
  // The walk reads only the index of the sort, which has no client if the list covers all clients.
  const client = source.scope === 'shared' || asked.clientId === undefined ? undefined : source.scope.client
  const found = sql<Found>`select ${table}.id, ${client ?? sql`null::bigint`} as page_client from ${table} ${inner} where ${and(conditions)}
    order by ${ordering(source, query, asked, walk.backwards)} limit ${sizeOf(walk.limit)} offset ${walk.offset}`
  const page = isByAnother(source, query) || looksIntoTexts(query) ? await foundBefore(tx, found) : found
  const { rows } = await sql<R>`with page as materialized (${page})
    select ${selection(tx, source, keys, asked).words} from page join ${table} on ${table}.id = page.id ${client ? sql`and ${client} = page.page_client` : sql``}
      ${joinsFor(source, [...keys, query.sort.key])} order by ${ordering(source, query, asked, false)}`.execute(tx)
  return rows
}

interface Found {
  readonly id: number
  readonly page_client: number | null
}

/** Returns true if the list is sorted by the name of another record. */
function isByAnother(source: Source, { sort }: ListQuery): boolean {
  return (source.columns?.[sort.key]?.joins ?? []).length > 0
}

/** The best way to search a text depends on its letters. */
function looksIntoTexts({ filters, searchTerm }: ListQuery): boolean {
  return searchTerm !== '' || filters.some((filter) => filter.predicate === 'cont')
}

/**
 * The best order of a join depends on how much data the client has. A statement that does not begin with its verb is planned for its values
 * each time; that is cheap for the walk alone, and expensive for all columns of a page.
 */
async function foundBefore(tx: Tx, found: RawBuilder<Found>): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<Found>`/* planned for its values */ ${found}`.execute(tx)
  const [ids, clients] = [rows.map((row) => row.id), rows.map((row) => row.page_client)]
  return sql`select id, page_client from unnest(${ids}::bigint[], ${clients}::bigint[]) as found (id, page_client)`
}

/**
 * Returns the condition for rows from this one on. The sort value is read in the statement, so that it is compared exactly as it is stored.
 */
function startingAt(source: Source, query: ListQuery, asked: Inside, { backwards, from }: Walk): Condition {
  const table = sql.ref(source.table)
  const beyond = isAscending(query, backwards) ? sql`>=` : sql`<=`
  if (query.sort.key === 'id') return sql<boolean>`${table}.id ${beyond} ${from}`
  const column = sortExpression(source, query.sort.key, asked)
  const value = sql`(select ${column} from ${table} ${joinsFor(source, [query.sort.key])} where ${table}.id = ${from})`
  // The row comparison alone cannot use an index on the name in another table.
  return sql<boolean>`${column} ${beyond} ${value} and (${column}, ${table}.id) ${beyond} (${value}, ${from})`
}

export function isAscending(query: ListQuery, backwards: boolean): boolean {
  return (query.sort.direction === 'asc') !== backwards
}

export function sizeOf(per: number): RawBuilder<unknown> {
  return plainSizes.includes(per) ? sql.raw(String(per)) : sql`${per}`
}

/** `id` is always the last key, in the sort's own direction: without it a row may appear on two pages. */
export function ordering(source: Source, query: ListQuery, asked: Inside, backwards: boolean): RawBuilder<unknown> {
  const id = sql`${sql.ref(source.table)}.id`
  const isUp = isAscending(query, backwards)
  if (query.sort.key === 'id') return isUp ? id : sql`${id} desc`
  const column = sortExpression(source, query.sort.key, asked)
  return isUp ? sql`${column}, ${id}` : sql`${column} desc, ${id} desc`
}
