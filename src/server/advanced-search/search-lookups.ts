/**
 * Filters on meters, aliases and names of related records are looked up first. If few records match, the filter is replaced by their ids and the
 * accounts are read by id. If many match, walking the list's own index soon fills a page. Without this, the planner walks the index even for a
 * meter that only one account has.
 */
import type { Filter, ListQuery } from '#contract/kernel/query.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { containing } from '../kernel/lists/list.ts'
import { childColumns, fits, isNegated, lookupByText, type AccountKind } from './search-filters.ts'

/** Most records that a lookup may find. */
const foundMax = 2_000

/** Returns the same search with its filters replaced by ids, where these are few. */
export async function lookedUp(tx: Tx, kind: AccountKind, query: ListQuery, clientId: number | undefined): Promise<ListQuery> {
  const filters = await Promise.all(query.filters.map((filter) => byIds(tx, kind, filter, clientId)))
  return { ...query, filters }
}

async function byIds(tx: Tx, kind: AccountKind, filter: Filter, clientId: number | undefined): Promise<Filter> {
  const lookup = lookupOf(kind, filter, clientId)
  if (!lookup) return filter
  const { rows } = await sql<{ id: number }>`select id from (${lookup.ids}) found limit ${foundMax + 1}`.execute(tx)
  return rows.length > foundMax ? filter : { key: lookup.key, predicate: 'in', value: [...new Set(rows.map(({ id }) => id))] }
}

interface Lookup {
  /** The account column that the ids refer to. */
  readonly key: 'id' | 'facility_id' | 'vendor_id' | 'client_id'
  readonly ids: RawBuilder<unknown>
}

function lookupOf(kind: AccountKind, filter: Filter, clientId: number | undefined): Lookup | undefined {
  if (isNegated(filter) || filter.predicate === 'null') return undefined
  if (filter.key === 'text') {
    const ids = lookupByText(kind, String(filter.value))
    return ids && { key: 'id', ids }
  }
  const child = childColumns[filter.key]
  if (!child) return lookupOfName(filter, clientId)
  const key = sql.ref(`${child.table}.${kind.key}`)
  const own = ofClient(sql.ref(`${child.table}.client_id`), clientId)
  return {
    key: 'id',
    ids: sql`select ${key} as id from ${sql.table(child.table)} where ${own} ${key} is not null and ${fits(child, filter)}`,
  }
}

/** Looks up names of related records that are searched for by a substring. */
function lookupOfName({ key, predicate, value }: Filter, clientId: number | undefined): Lookup | undefined {
  if (predicate !== 'cont') return undefined
  const pattern = containing(String(value))
  const own = ofClient(sql.ref('facilities.client_id'), clientId)
  switch (key) {
    case 'facility_number':
      return { key: 'facility_id', ids: sql`select id from facilities where ${own} number ilike ${pattern}` }
    case 'facility_name':
      return { key: 'facility_id', ids: sql`select id from facilities where ${own} name ilike ${pattern}` }
    case 'division_name':
      return {
        key: 'facility_id',
        ids: sql`select facilities.id from facilities join divisions on divisions.client_id = facilities.client_id and divisions.id = facilities.division_id
          where ${own} divisions.name ilike ${pattern}`,
      }
    case 'vendor_name':
      return { key: 'vendor_id', ids: sql`select id from vendors where name ilike ${pattern}` }
    case 'client_name':
      return { key: 'client_id', ids: sql`select id from clients where name ilike ${pattern}` }
    default:
      return undefined
  }
}

function ofClient(column: RawBuilder<unknown>, clientId: number | undefined): RawBuilder<unknown> {
  return clientId === undefined ? sql`` : sql`${column} = ${clientId} and`
}
