/** Reads a statement's rows some at a time, inside a transaction that asks other questions between them. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from './database.ts'
import { asLiterals } from './sql-literal.ts'

/**
 * Memory holds `atOnce` rows, whatever their number. `name` is the cursor's, and no two of a transaction may be the same at once. A reader
 * that stops early leaves it open until the transaction ends.
 */
export async function* rowsByCursor<Row>(
  tx: Tx,
  statement: RawBuilder<Row>,
  { name, atOnce }: { readonly name: string; readonly atOnce: number },
): AsyncGenerator<Row[]> {
  // DECLARE takes no parameters.
  await sql`declare ${sql.ref(name)} no scroll cursor for ${sql.raw(asLiterals(statement.compile(tx)))}`.execute(tx)
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(atOnce)} from ${sql.ref(name)}`.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < atOnce) break
  }
  await sql`close ${sql.ref(name)}`.execute(tx)
}
