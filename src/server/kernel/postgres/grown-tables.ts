/**
 * An import fills tables much faster than the database updates its statistics: for up to a minute the planner treats the tables as empty,
 * and every chunk takes two seconds more. Tables that have grown considerably are therefore analyzed between the chunks.
 */
import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Changes that matter: this many rows, and this fraction of the table's former size. */
const CHANGED_LEAST = 200
const CHANGED_PART = 0.25

/**
 * Analyzes the filled tables that have changed much since their last analysis. Large tables change by a small fraction, so they are
 * skipped.
 */
export async function countGrownTables(tx: Tx, filled: readonly string[]): Promise<void> {
  const { rows } = await sql<{
    relname: string
  }>`select relname from pg_stat_user_tables where schemaname = current_schema() and relname = any(${filled}::text[])
    and n_mod_since_analyze > ${CHANGED_LEAST} + ${CHANGED_PART}::numeric * n_live_tup order by relname`.execute(tx)
  if (rows.length > 0) await sql`analyze ${sql.join(rows.map((row) => sql.table(row.relname)))}`.execute(tx)
}
