/** Sets the demo's records back to the days on which they would have been made. */
import type { CalendarDate } from '#contract/kernel/date.ts'
import { sumCents, centsOf, wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { insertRows } from './store-rows.ts'

/** Amount available today, above what is batched already. */
const BANK_MARGIN = 15_000_000

/** Sets the dates of a bill's side effects to the date of the bill, not of the demo data. */
export async function dateBack(tx: Tx): Promise<void> {
  await sql`update bill_findings finding set created_at = bills.created_at, resolved_at = case finding.resolved_at when now() then bills.created_at else finding.resolved_at end
    from bills where bills.client_id = finding.client_id and bills.id = finding.bill_id`.execute(tx)
  await sql`update bills set updated_at = rebill.created_at from bills rebill
    where rebill.client_id = bills.client_id and rebill.id = bills.superseded_by_id`.execute(tx)
  // A child's bill is linked by the later of the two.
  await sql`update bills set updated_at = greatest(bills.created_at, parent.created_at) from bills parent
    where parent.client_id = bills.client_id and parent.id = bills.group_bill_id and bills.updated_at = now()`.execute(tx)
}

/** Enters and locks today's bank values, so that batching can be tried at once. */
export async function setBankValues(tx: Tx, today: CalendarDate): Promise<void> {
  const { rows } = await sql<{ total: string }>`select coalesce(sum(member.amount_paid), 0.00) as total from payment_batches batch
    join payment_batch_bills member on member.client_id = batch.client_id and member.payment_batch_id = batch.id
    where batch.is_global and not batch.is_paid and (batch.created_at at time zone 'America/New_York')::date = ${today}::date`.execute(tx)
  const value = wireOf(sumCents([centsOf(rows[0]?.total ?? '0.00'), BANK_MARGIN]))
  const at = `${today}T05:00:00.000Z`
  await insertRows(tx, 'global_batch_bank_values', [
    { day: today, value, locked: true, attempts: 2, lock_version: 1, created_at: at, updated_at: at },
  ])
}
