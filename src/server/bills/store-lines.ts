/** Writes the lines of bills with their named values. */
import { lineFields } from '#contract/bills/bill-fields.ts'
import type { StoredValue } from '#contract/bills/prepare-line.ts'
import { namesOf } from '#contract/kernel/record.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { BillToStore } from './bill-to-store.ts'

export async function insertLines(tx: Tx, clientId: number, bills: readonly BillToStore[]): Promise<void> {
  await writeLines(tx, clientId, bills.flatMap(lineRows), sql``)
}

const lineColumns = ['bill_id', 'position', 'standard_usage', ...namesOf(lineFields)]

/** Writes lines that may be stored already: those keep their ids and get the new values. */
export async function replaceLines(tx: Tx, clientId: number, bill: BillToStore, written: ReadonlySet<number>): Promise<void> {
  const rows = lineRows(bill).filter((row) => written.has(row.id))
  const sets = lineColumns.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`)
  await writeLines(tx, clientId, rows, sql`on conflict (client_id, id) do update set ${sql.join(sets)}, updated_at = now()`)
  for (const { table } of valueTables)
    await sql`delete from ${sql.table(table)} where client_id = ${clientId} and service_bill_id = any(${[...written]}::bigint[])`.execute(
      tx,
    )
  await insertValues(tx, clientId, [bill], written)
}

type LineRow = { readonly id: number } & Readonly<Record<string, unknown>>

function lineRows(bill: BillToStore): LineRow[] {
  return bill.lines.map(
    (
      { service, service_bill_entry_fields: _e, service_bill_usage_factors: _f, service_bill_additional_entry_fields: _a, ...line },
      position,
    ) => ({
      ...line,
      id: bill.line_ids[position] ?? 0,
      bill_id: bill.id,
      service_id: service.id,
      position,
    }),
  )
}

async function writeLines(tx: Tx, clientId: number, rows: readonly LineRow[], conflict: RawBuilder<unknown>): Promise<void> {
  if (rows.length === 0) return
  const columns = sql.join(lineColumns.map((column) => sql.ref(column)))
  await sql`insert into service_bills (client_id, id, ${columns}) select ${clientId}::bigint, id, ${columns}
    from jsonb_populate_recordset(null::service_bills, ${JSON.stringify(rows)}::jsonb) ${conflict}`.execute(tx)
}

const valueTables = [
  { table: 'service_bill_entry_values', column: 'entry_field_id', list: 'entry_values' },
  { table: 'service_bill_usage_factors', column: 'usage_factor_id', list: 'usage_factors' },
  { table: 'service_bill_additional_values', column: 'additional_entry_field_id', list: 'additional_values' },
] as const

/** Inserts the values of all lines, or of the written ones. */
export async function insertValues(tx: Tx, clientId: number, bills: readonly BillToStore[], written?: ReadonlySet<number>): Promise<void> {
  for (const { table, column, list } of valueTables) {
    const rows = bills.flatMap((bill) =>
      bill.lines.flatMap((line, place) =>
        written?.has(bill.line_ids[place] ?? 0) === false
          ? []
          : line[list].map((value: StoredValue) => ({ service_bill_id: bill.line_ids[place], ...value })),
      ),
    )
    if (rows.length === 0) continue
    await sql`insert into ${sql.table(table)} (client_id, service_bill_id, ${sql.ref(column)}, value) select ${clientId}::bigint, row.*
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(service_bill_id bigint, field_id bigint, value numeric)`.execute(tx)
  }
}
