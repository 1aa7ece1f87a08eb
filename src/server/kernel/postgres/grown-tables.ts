/**
 * An import fills tables many times faster than the database takes notice: until its next look, up to a minute later, it plans for tables
 * that are empty, and every chunk takes two seconds more. So the tables that have grown by a part are looked at between the chunks.
 */
import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Changed rows that matter: this many, and this part of what the table held. */
const CHANGED_LEAST = 200
const CHANGED_PART = 0.25

/** Has the planner count those of the filled tables that changed much since it counted last. Large tables change by a small part, so they are left alone. */
export async function countGrownTables(tx: Tx, filled: readonly string[]): Promise<void> {
  const { rows } = await sql<{
    relname: string
  }>`select relname from pg_stat_user_tables where schemaname = current_schema() and relname = any(${filled}::text[])
    and n_mod_since_analyze > ${CHANGED_LEAST} + ${CHANGED_PART}::numeric * n_live_tup order by relname`.execute(tx)
  if (rows.length > 0) await sql`analyze ${sql.join(rows.map((row) => sql.table(row.relname)))}`.execute(tx)
}
