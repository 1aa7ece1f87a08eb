/**
 * The locks of a save of a batch, in the order of every writer of bills: accounts, then bills, each by id. An edit of a bill ends before the
 * batch is read, or begins after the batch is stored.
 */
import { sql } from 'kysely'
import { lockAccountsOfBills } from '../bills/bills.ts'
import type { Context } from '../kernel/context.ts'
import type { LedgerBatch } from './ledger-line.ts'
import { voidBookedBills } from './reversing-lines.ts'

export interface LockedBill {
  readonly id: number
  readonly accounting_batch_id: number | null
}

/**
 * Locks the bills that the batch holds and the wanted ones; for a close, also the void bills whose lines it may take back. All are locked at
 * once, because a second round would break the order. The caller has locked the batch, so it gains and loses no bill meanwhile.
 */
export async function lockBills(
  context: Context,
  { client_id: clientId, id }: LedgerBatch,
  wanted: readonly number[],
  closing = false,
): Promise<LockedBill[]> {
  const { rows: held } = await sql<{
    id: number
  }>`select id from bills where client_id = ${clientId} and accounting_batch_id = ${id}`.execute(context.tx)
  const reversed = closing ? await voidBookedBills(context.tx, clientId) : []
  const ids = [...new Set([...held.map((bill) => bill.id), ...wanted, ...reversed])]
  if (ids.length === 0) return []
  await lockAccountsOfBills(context, clientId, ids)
  const { rows } = await sql<LockedBill>`select id, accounting_batch_id from bills where client_id = ${clientId}
    and id = any(${ids}::bigint[]) order by id for no key update`.execute(context.tx)
  return rows
}
