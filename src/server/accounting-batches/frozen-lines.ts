/** The lines of a closed batch as its close froze them. */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { LedgerBatch, LedgerLine } from './ledger-line.ts'

/** Lines read at once; more would use too much memory. */
const LINES_AT_ONCE = 1_000

/** Yields the frozen lines in their order, in portions. */
export async function* frozenLines(tx: Tx, { client_id: clientId, id }: LedgerBatch): AsyncGenerator<LedgerLine[]> {
  let after = { position: -1, id: 0 }
  for (;;) {
    const { rows } = await sql<LedgerLine & { readonly id: number; readonly position: number }>`
      with portion as materialized (select * from gl_lines
        where client_id = ${clientId} and accounting_batch_id = ${id} and (position, id) > (${after.position}, ${after.id}::bigint)
        order by position, id limit ${LINES_AT_ONCE})
      select line.id, line.position, line.bill_id, line.service_bill_id, part.service_id, line.kind, line.ledger_account_id, line.ledger_account_name,
        line.ledger_values, line.division_id, (line.amount * 100)::bigint as amount, line.description, line.reverses_id
      from portion line left join service_bills part on part.client_id = ${clientId} and part.id = line.service_bill_id
      order by line.position, line.id`.execute(tx)
    if (rows.length === 0) return
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < LINES_AT_ONCE) return
    after = { position: last.position, id: last.id }
  }
}
