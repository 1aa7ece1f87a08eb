/** What may have been meant by names that nothing has: the closest ones, found by their trigrams. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../postgres/database.ts'

/** Comparisons that one search may cost: in a large list fewer names are looked for. */
const comparisonsMax = 500_000
const suggestionsEach = 3
const closeEnough = 0.15

/** Where names are: `by` is the name of a row of `table`, `where` which of its rows count. */
export interface NamesAmong {
  readonly table: string
  readonly by: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
}

/** The closest names by each that was given; what has none near it is absent. */
export async function closestNames(tx: Tx, { table, by, where }: NamesAmong, names: readonly string[]): Promise<Record<string, string[]>> {
  const { rows: sizes } = await sql<{ size: number }>`select count(*)::int as size from ${sql.table(table)} where ${where}`.execute(tx)
  const looked = names.slice(0, Math.max(3, Math.floor(comparisonsMax / Math.max(1, sizes[0]?.size ?? 1))))
  const { rows } = await sql<{ name: string; close: string[] }>`select given.name, array(select distinct_by.name from (
        select distinct ${by} as name, similarity(lower(${by}), lower(given.name)) as nearness from ${sql.table(table)} where ${where}) distinct_by
      where distinct_by.nearness > ${closeEnough}::real order by distinct_by.nearness desc, distinct_by.name limit ${suggestionsEach}) as close
    from unnest(${looked}::text[]) given(name)`.execute(tx)
  return Object.fromEntries(rows.filter(({ close }) => close.length > 0).map(({ name, close }) => [name, close]))
}
