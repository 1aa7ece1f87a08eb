/**
 * The ledger lines of bills in any batch: frozen lines if a closed batch holds the bill, computed lines otherwise. Void bills have none, because
 * the reversal has brought them to zero.
 */
import { centsOf } from '#contract/kernel/money.ts'
import { sql, type SqlBool } from 'kysely'
import { and, type Condition } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { frozenLines } from './frozen-lines.ts'
import type { LedgerLine } from './ledger-line.ts'
import { ledgerAccountsOf, ledgerLines, ledgerSettings, linesOfBills } from './ledger-lines.ts'

/** Bills whose lines are read at once; more would use too much memory, and would keep the process from others while they are read. */
const BILLS_AT_ONCE = 100

/** Yields the lines in portions, ordered by bill id. `where` refers to the table `bills`. */
export async function* bookedLines(tx: Tx, clientId: number, where: readonly Condition[]): AsyncGenerator<LedgerLine[]> {
  const settings = await ledgerSettings(tx, clientId)
  const accounts = await ledgerAccountsOf(tx, clientId)
  const live: Condition[] = [sql<SqlBool>`bills.client_id = ${clientId} and bills.superseded_by_id is null`, ...where]
  for (let last = 0; ;) {
    const { rows } = await sql<{ id: number; frozen: boolean }>`select bills.id, coalesce(batch.closed, false) as frozen from bills
      left join accounting_batches batch on batch.client_id = ${clientId} and batch.id = bills.accounting_batch_id
      where ${and(live)} and bills.id > ${last} order by bills.id limit ${BILLS_AT_ONCE}`.execute(tx)
    const computed = await linesOfBills(
      tx,
      clientId,
      rows.filter((row) => !row.frozen).map((row) => row.id),
      { settings, accounts },
    )
    const frozen = await frozenOf(
      tx,
      clientId,
      rows.filter((row) => row.frozen).map((row) => row.id),
    )
    if (rows.length > 0) yield [...[...computed.values()].flat(), ...frozen]
    if (rows.length < BILLS_AT_ONCE) return
    last = rows.at(-1)?.id ?? last
  }
}

/** Returns the lines by which closed batches booked these bills, without those that took them back. */
export async function frozenOf(tx: Tx, clientId: number, ids: readonly number[]): Promise<LedgerLine[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<
    Omit<LedgerLine, 'amount'> & { amount: string }
  >`select line.bill_id, line.service_bill_id, part.service_id, line.kind,
      line.ledger_account_id, line.ledger_account_name, line.ledger_values, line.division_id, line.amount, line.description, line.reverses_id
    from gl_lines line left join service_bills part on part.client_id = ${clientId} and part.id = line.service_bill_id
    where line.client_id = ${clientId} and line.bill_id = any(${ids}::bigint[]) and line.reverses_id is null
    order by line.bill_id, line.position, line.id`.execute(tx)
  return rows.map((row) => ({ ...row, amount: centsOf(row.amount) }))
}

/** Returns the lines of one batch: the frozen ones if it is closed, otherwise the current ones, including reversals of the bills it replaces. */
export function linesOfBatch(
  tx: Tx,
  batch: { readonly id: number; readonly client_id: number; readonly closed: boolean },
): AsyncGenerator<LedgerLine[]> {
  return batch.closed ? frozenLines(tx, batch) : ledgerLines(tx, batch)
}
