/** Suggests the closest existing names for unknown ones, by trigrams. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../postgres/database.ts'

/** Comparisons that one search may cost: in a large list fewer names are looked up. */
const comparisonsMax = 500_000
const suggestionsEach = 3
const closeEnough = 0.15

/** Source of the names: `by` is the name of a row of `table`, `where` restricts the rows. */
export interface NamesAmong {
  readonly table: string
  readonly by: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
}

/** Returns the closest names for each given one. A name without any close match is absent. */
export async function closestNames(tx: Tx, { table, by, where }: NamesAmong, names: readonly string[]): Promise<Record<string, string[]>> {
  const { rows: sizes } = await sql<{ size: number }>`select count(*)::int as size from ${sql.table(table)} where ${where}`.execute(tx)
  const looked = names.slice(0, Math.max(3, Math.floor(comparisonsMax / Math.max(1, sizes[0]?.size ?? 1))))
  const { rows } = await sql<{ name: string; close: string[] }>`select given.name, array(select distinct_by.name from (
        select distinct ${by} as name, similarity(lower(${by}), lower(given.name)) as nearness from ${sql.table(table)} where ${where}) distinct_by
      where distinct_by.nearness > ${closeEnough}::real order by distinct_by.nearness desc, distinct_by.name limit ${suggestionsEach}) as close
    from unnest(${looked}::text[]) given(name)`.execute(tx)
  return Object.fromEntries(rows.filter(({ close }) => close.length > 0).map(({ name, close }) => [name, close]))
}
