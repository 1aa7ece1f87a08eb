/** Unbatches batches. Their bills are unswept again, with the keyed amounts. */
import type { PayType } from '#contract/global-batches/pay-type.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { refused } from '../kernel/problem.ts'
import { releaseAllBills } from '../payment-batches/payment-batches.ts'
import { batchName, chooseBatches } from './chosen-batches.ts'
import { askedOf } from './global-batch-source.ts'
import { afterAct } from './list-batches.ts'
import { voidReleases } from './release-requests.ts'

/** Unbatches all or none. Throws 409 if a batch is paid or closed. */
export async function unbatch(context: Context, { ids, type }: { readonly ids: readonly number[]; readonly type?: PayType | undefined }) {
  const batches = await chooseBatches(context, ids)
  const closed = batches.find((batch) => batch.closed)
  if (closed) throw refused(`${batchName(closed)} is closed. Open it again to unbatch it.`, closed.id)
  await voidReleases(context, ids, 'A batch was unbatched.')
  for (const batch of batches) {
    const released = await releaseAllBills(context, askedOf(batch))
    await sql`update payment_batches set unbatched_at = ${now()}, lock_version = lock_version + 1, updated_at = ${now()}
      where client_id = ${batch.client_id} and id = ${batch.id}`.execute(context.tx)
    await context.audit.destroyed('global_batch', batch.id, batch.client_id, {
      payer_name: batch.payer_name,
      batch_date: batch.batch_date,
      payment_method: batch.payment_method,
      batch_total: batch.batch_total,
      bill_count: released.length,
    })
  }
  return afterAct(context, batches.length === 1 ? '1 batch unbatched' : `${batches.length} batches unbatched`, type)
}
