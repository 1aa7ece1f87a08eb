/** Replaces the facts of spans under the lock of their owners. */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { factColumns, freshFacts, type FactSpan } from './fact-rows.ts'
import { isStoredNear, lineFactColumns } from './line-facts.ts'
import { moveTotals, utilitySums, type Change } from './fact-totals.ts'

export const columns = sql.join(factColumns.map((column) => sql.ref(column)))
export const lineColumns = sql.join(lineFactColumns.map((column) => sql.ref(column)))

export async function refreshSpans(tx: Tx, clientId: number, spans: readonly FactSpan[]): Promise<void> {
  if (spans.length === 0) return
  await lockOwners(tx, clientId, spans)
  const changes = await replaceFacts(tx, clientId, spans)
  if (changes.length > 0) await moveTotals(tx, clientId, changes)
}

/** Locks in id order, accounts first: two bills of one service never compute from each other's old state, and never deadlock. */
async function lockOwners(tx: Tx, clientId: number, spans: readonly FactSpan[]): Promise<void> {
  const keys = spans.map((span) => span.account_key)
  const locks = [
    { table: 'billable_accounts', ids: keys.filter((key) => key > 0) },
    { table: 'supply_accounts', ids: keys.filter((key) => key < 0).map((key) => -key) },
    { table: 'services', ids: spans.map((span) => span.service_id).filter((id) => id !== 0) },
  ]
  for (const { table, ids } of locks) {
    if (ids.length > 0)
      await sql`select 1 from ${sql.table(table)} where client_id = ${clientId} and id = any(${[...new Set(ids)]}::bigint[]) order by id for no key update`.execute(
        tx,
      )
  }
}

/** Writes only the differences: a new bill touches its own months, not the history of its service. */
async function replaceFacts(tx: Tx, clientId: number, spans: readonly FactSpan[]): Promise<Change[]> {
  // Stored rows are read once by key: in a direct comparison the planner would read the whole table.
  const { rows } = await sql<Change>`with ${freshFacts(clientId, spans)},
    stored as materialized (select fact.* from wanted join service_month_facts fact on fact.client_id = ${clientId}
      and fact.service_id = wanted.service_id and fact.account_key = wanted.account_key and fact.month between wanted.first and wanted.last),
    stale as materialized (select ${columns} from stored except select ${columns} from fresh),
    gone as (delete from service_month_facts fact using stale where fact.client_id = ${clientId} and fact.service_id = stale.service_id
      and fact.account_key = stale.account_key and fact.month = stale.month returning fact.*),
    come as (insert into service_month_facts (${columns})
      select * from (select ${columns} from fresh except select ${columns} from stored) fresh where (select count(*) from gone) >= 0 returning *),
    stored_lines as materialized (select fact.* from wanted join bill_line_facts fact on fact.client_id = ${clientId}
      and fact.service_id = wanted.service_id and fact.account_key = wanted.account_key and ${isStoredNear}),
    stale_lines as materialized (select ${lineColumns} from stored_lines except select ${lineColumns} from fresh_lines),
    lines_gone as (delete from bill_line_facts fact using stale_lines stale where fact.client_id = ${clientId} and fact.service_id = stale.service_id
      and fact.account_key = stale.account_key and fact.ends_on = stale.ends_on and fact.bill_id = stale.bill_id and fact.service_bill_id = stale.service_bill_id
      returning fact.bill_id),
    lines_come as (insert into bill_line_facts (${lineColumns})
      select * from (select ${lineColumns} from fresh_lines except select ${lineColumns} from stored_lines) fresh where (select count(*) from lines_gone) >= 0)
    select coalesce(facility_id, 0) as facility_id, coalesce(utility_service_id, 0) as utility_service_id, month, ${utilitySums},
      coalesce(bit_or(days_mask) filter (where sign = 1), 0) as added_mask, coalesce(bit_or(days_mask) filter (where sign = -1), 0) as removed_mask
    from (select 1 as sign, * from come union all select -1, * from gone) fact group by 1, 2, 3`.execute(tx)
  return rows
}
