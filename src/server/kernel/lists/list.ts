/**
 * The list engine: turns a checked query into statements whose plan fits the filter. A count joins only what its filters need. Ids are
 * found first and joined afterwards. A page past the middle walks the sort index backwards, and a page next to one already read starts from
 * its remembered row. A single client in scope becomes `= $1`. Totals are cached by scope, filter and data version, so they are never
 * stale.
 */
import type { ListQuery } from '#contract/kernel/query.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Tx } from '../postgres/database.ts'
import { conditionsOf, type Where } from './list-conditions.ts'
import { and, scopeCondition } from './scope-condition.ts'
import { readRows } from './list-rows.ts'
import { joinsFor, selectedKeys, selection, type Asked, type Source } from './list-source.ts'
import { readTotal } from './list-totals.ts'
import { everything } from '../principal.ts'

export { and, or, scopeCondition, type Condition, type ScopeLevel, type ScopeRule } from './scope-condition.ts'
export { asReached, keysHiddenIn } from './whole-client.ts'
export { containing, contains, containsNumber, plainNumber, plainNumberColumn, trigramLetters, type SearchedWord } from './list-texts.ts'
export { defusedText, exportStatement, listed } from './list-export.ts'
export { expression, type Asked, type Column, type ExportedText, type Source } from './list-source.ts'

/**
 * Reads one page with the given keys of each row. `total` is absent when the query does not want it; `rows` is empty when the query wants
 * only the total.
 */
export async function readPage<R extends object>(
  tx: Tx,
  source: Source,
  query: ListQuery,
  asked: Asked,
  keys: readonly string[] = selectedKeys(source),
): Promise<{ rows: R[]; total: number | undefined }> {
  const narrowed = (await source.narrow?.(tx, query, asked)) ?? []
  const { conditions, keys: read } = conditionsOf(source, query, asked)
  const where: Where = { conditions: [...conditions, ...narrowed], keys: read }
  const [rows, total] = await Promise.all([
    query.withRows ? readRows<R>(tx, source, query, where, keys, asked) : Promise.resolve<R[]>([]),
    query.withTotal ? readTotal(tx, source, query, asked, where) : Promise.resolve(undefined),
  ])
  return { rows, total }
}

/**
 * Reads the record with this id inside the reach, as it is stored; undefined if there is none. An answer shows it through `asReached`.
 * `lock` locks it for the transaction.
 */
export async function readOne<R>(tx: Tx, source: Source, id: number, asked: Asked, lock = false): Promise<R | undefined> {
  const table = sql.ref(source.table)
  const conditions = [scopeCondition(source, asked), ...(asked.where ?? []), sql<SqlBool>`${table}.id = ${id}`]
  const keys = selectedKeys(source)
  const joins = joinsFor(source, keys)
  const strength = source.locksRowsThatPointToIt ? sql`no key update` : sql`update`
  const { rows } =
    await sql<R>`select ${selection(tx, source, keys, { reach: everything }).words} from ${table} ${joins} where ${and(conditions)} ${lock ? sql`for ${strength} of ${table}` : sql``}`.execute(
      tx,
    )
  return rows[0]
}

/** Returns a select of the ids of all rows of a list, on all pages, to read from or to compare with. */
export function matchingIds(source: Source, query: ListQuery, asked: Asked): RawBuilder<unknown> {
  const where = conditionsOf(source, query, asked)
  const table = sql.ref(source.table)
  return sql`select ${table}.id from ${table} ${joinsFor(source, where.keys)} where ${and(where.conditions)}`
}
