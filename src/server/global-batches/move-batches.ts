/** Moves batches to another type for the day, and back. Their bills keep their own type. */
import { noPaymentMaxCents, type PayType, type TemporaryType } from '#contract/global-batches/pay-type.ts'
import { centsOf, formatMoney } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/problem.ts'
import { batchName, chooseBatches, type ChosenBatch } from './chosen-batches.ts'
import { afterAct } from './list-batches.ts'
import { voidReleases } from './release-requests.ts'

interface Move {
  readonly ids: readonly number[]
  readonly temp_method: TemporaryType | null
  readonly type?: PayType | undefined
}

/** Moves all batches or none. A batch that already has the type stays unchanged. Throws 422 naming the first batch that may not move there. */
export async function moveBatches(context: Context, { ids, temp_method: to, type }: Move) {
  const batches = await chooseBatches(context, ids)
  for (const batch of batches) {
    const fault = moveFault(batch, to)
    if (fault !== null) throw invalid({ ids: [fault] })
  }
  const moved = batches
    .map((batch) => ({ batch, after: to === batch.payment_method ? null : to }))
    .filter(({ batch, after }) => batch.temp_pay_method !== after)
  await voidReleases(
    context,
    moved.map(({ batch }) => batch.id),
    'A batch was moved to another type.',
  )
  for (const { batch, after } of moved) {
    await sql`update payment_batches set temp_pay_method = ${after}, lock_version = lock_version + 1, updated_at = ${now()}
      where client_id = ${batch.client_id} and id = ${batch.id}`.execute(context.tx)
    await context.audit.updated('global_batch', batch.id, batch.client_id, {
      temp_pay_method: { from: batch.temp_pay_method, to: after },
    })
  }
  return afterAct(context, movedText(moved.length, to), type)
}

/** Returns the reason the batch may not be moved there, or null. */
function moveFault(batch: ChosenBatch, to: TemporaryType | null): string | null {
  if (to === 'NP' && centsOf(batch.batch_total) > noPaymentMaxCents)
    return `${batchName(batch)} is ${formatMoney(batch.batch_total)}. Only batches of $1.00 or less can be moved to NP`
  if (to === 'Avid' && batch.effective_type !== 'Check' && batch.effective_type !== 'Avid')
    return `${batchName(batch)} is of type ${batch.effective_type ?? ''}. Only Check batches can be moved to Avid`
  return null
}

function movedText(count: number, to: TemporaryType | null): string {
  const batches = count === 1 ? '1 batch' : `${count} batches`
  return to === null ? `${batches} moved back` : `${batches} moved to ${to}`
}
