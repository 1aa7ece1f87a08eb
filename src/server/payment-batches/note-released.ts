import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { takeBackApprovals } from './approve-batch.ts'

/** Bills left the batch with their payment: who approved it is asked again, and the batch's trail names who took them out. */
export async function noteReleased(
  context: Context,
  batch: { readonly id: number; readonly client_id: number },
  released: number,
): Promise<void> {
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from payment_batch_bills where client_id = ${batch.client_id}
    and payment_batch_id = ${batch.id} and released_at is null`.execute(context.tx)
  const left = rows[0]?.left ?? 0
  await context.audit.updated('payment_batch', batch.id, batch.client_id, { bill_count: { from: left + released, to: left } })
  await takeBackApprovals(context, batch, 'Its bills changed')
}
