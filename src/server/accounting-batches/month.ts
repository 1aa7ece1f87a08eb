/** The progress line above the list: batches of the current month. */
import type { BatchMonth } from '#contract/accounting-batches/batch-contents.ts'
import { addToMonth, firstDayOf, monthOf } from '#contract/kernel/date.ts'
import { NEW_YORK, startOfDayIn } from '#contract/kernel/zone.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'

/**
 * Counts the batches dated in the current New York month by state, and the bills entered in it. Void bills and bills of groups are never batched
 * and not counted.
 */
export async function readMonth(tx: Tx, clientId: number): Promise<BatchMonth> {
  const month = monthOf(today())
  const from = startOfDayIn(NEW_YORK, firstDayOf(month))
  const until = startOfDayIn(NEW_YORK, firstDayOf(addToMonth(month, 1)))
  const { rows: batches } = await sql<Pick<BatchMonth, 'open' | 'closed' | 'invoiced'>>`select
      count(*) filter (where not closed)::int as open, count(*) filter (where closed and not invoiced)::int as closed, count(*) filter (where invoiced)::int as invoiced
    from accounting_batches where client_id = ${clientId} and coalesce(batch_date, created_at) >= ${from} and coalesce(batch_date, created_at) < ${until}`.execute(
    tx,
  )
  const { rows: bills } = await sql<
    Pick<BatchMonth, 'bills' | 'batched'>
  >`select count(*)::int as bills, count(bills.accounting_batch_id)::int as batched
    from bills where bills.client_id = ${clientId} and bills.created_at >= ${from} and bills.created_at < ${until} and bills.superseded_by_id is null
      and not exists (select 1 from bills child where child.client_id = ${clientId} and child.group_bill_id = bills.id and child.superseded_by_id is null)`.execute(
    tx,
  )
  const { open = 0, closed = 0, invoiced = 0 } = batches[0] ?? {}
  const { bills: entered = 0, batched = 0 } = bills[0] ?? {}
  return { month, open, closed, invoiced, bills: entered, batched, waiting: entered - batched }
}
