/** The state of a batch from which a file is written, and what a version says about it. */
import { formatMoney } from '#contract/kernel/money.ts'
import { formatInstant } from '#contract/kernel/zone.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { refused, forbidden } from '../kernel/problem.ts'
import type { LedgerBatch } from './ledger-line.ts'

export interface BatchState {
  readonly read_at: string
  readonly bill_count: number
  readonly bills_total: string
}

/** Returns the bills and their total in the state that the transaction reads. */
export async function batchState(tx: Tx, { client_id: clientId, id }: LedgerBatch): Promise<BatchState> {
  const read_at = now().toISOString()
  const { rows } = await sql<
    Omit<BatchState, 'read_at'>
  >`select count(*)::int as bill_count, coalesce(sum(amount_due), 0)::numeric(14,2) as bills_total
    from bills where client_id = ${clientId} and accounting_batch_id = ${id}`.execute(tx)
  return { read_at, bill_count: rows[0]?.bill_count ?? 0, bills_total: rows[0]?.bills_total ?? '0.00' }
}

/** '214 bills, $48,121.10, as of 11/26/2026 14:03'. */
export function stateText({ read_at, bill_count, bills_total }: BatchState): string {
  const bills = `${bill_count.toLocaleString('en-US')} ${bill_count === 1 ? 'bill' : 'bills'}`
  return `${bills}, ${formatMoney(bills_total)}, as of ${formatInstant(read_at)}`
}

/** Locks the batch for the end of a file. Throws 409 if the batch was deleted. */
export async function lockBatch(
  tx: Tx,
  { client_id: clientId, id }: LedgerBatch,
): Promise<{ readonly closed: boolean; readonly closed_at: string | null }> {
  const { rows } = await sql<{ closed: boolean; closed_at: string | null }>`select closed, closed_at from accounting_batches
    where client_id = ${clientId} and id = ${id} for no key update`.execute(tx)
  const [batch] = rows
  if (!batch) throw refused(batchIsGone)
  return batch
}

export const batchIsGone = 'The client batch was deleted meanwhile.'
export const noMoreBatches = () => forbidden('You may not read client batches of this client any more.')
