/** Suggestions for names that match nothing: the closest ones by trigrams. */
import { sql } from 'kysely'
import { closestNames } from '../kernel/lists/closest-names.ts'
import { singleSource, type PlanParts } from '../kernel/imports/import-plan.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import type { Reach } from '../kernel/principal.ts'

/** Most names for which suggestions are searched, the most frequent first. */
const namesMax = 50

export type Suggestions = Record<string, Record<string, string[]>>

/** Returns suggestions by column and name, for the rows of the current plan. */
export async function suggestNames(target: ImportTarget, parts: PlanParts, reach: Reach): Promise<Suggestions> {
  const { tx } = parts.context
  const { rows } = await sql<{ column: string; name: string }>`select error ->> 'c' as column, error ->> 'n' as name
    from import_plan, jsonb_array_elements(errors) error where errors is not null and error ? 'n' group by 1, 2 order by count(*) desc, 1, 2 limit ${namesMax}`.execute(
    tx,
  )
  const suggestions: Suggestions = {}
  const { source, match } = target
  const own = {
    table: source.table,
    by: sql`${sql.ref(`${source.table}.${match?.number ?? 'id'}`)}::text`,
    where: scopeCondition(source, { reach, clientId: parts.clientId }),
  }
  for (const column of parts.columns.filter(({ reference, many, key, part }) => (reference ? !many : key === match?.number && !part))) {
    const names = rows.flatMap((row) => (row.column === column.name ? [row.name] : []))
    const among = column.reference ? singleSource(column, parts.clientId, reach) : own
    if (names.length > 0) suggestions[column.name] = await closestNames(tx, among, names)
  }
  return suggestions
}
