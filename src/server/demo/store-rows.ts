/** Bulk inserts of rows: ids are taken beforehand, so that nothing is read back, and each table is one statement. */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'

export type Row = Readonly<Record<string, unknown>>

/** Inserts rows with equal keys. Values are JSON values, bytes are `\x…` text. */
export async function insertRows(tx: Tx, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${columns}) select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(
    tx,
  )
}

/** Inserts rows with ids from the table's own sequence. @returns the ids in the order of the rows. */
export async function insertNumbered(tx: Tx, table: string, rows: readonly Row[]): Promise<number[]> {
  const ids = await takeIds(tx, table, rows.length)
  await insertRows(
    tx,
    table,
    rows.map((row, place) => ({ id: ids[place], ...row })),
  )
  return ids
}

export async function takeIds(tx: Tx, table: string, count: number): Promise<number[]> {
  if (count === 0) return []
  // Materialized, because otherwise the sequence's name would be looked up for every id.
  const { rows } = await sql<{ id: number }>`with counter as materialized (select pg_get_serial_sequence(${table}, 'id')::regclass as name)
    select nextval(name) as id from counter, generate_series(1, ${count})`.execute(tx)
  return rows.map((row) => row.id)
}

/** Returns the ids of reference rows by one of their columns. Throws for an unknown name. */
export async function idsByName(tx: Tx, table: string, column: string): Promise<(name: string) => number> {
  const { rows } = await sql<{ id: number; name: string }>`select id, ${sql.ref(column)} as name from ${sql.table(table)}`.execute(tx)
  const byName = new Map(rows.map((row) => [row.name, row.id]))
  return (name) => {
    const id = byName.get(name)
    if (id === undefined) throw new Error(`${table} has no ${name}`)
    return id
  }
}

/** Encodes bytes for a bytea column of a JSON row. */
export function asBytea(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`
}
