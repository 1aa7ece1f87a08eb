/** An export that waits for a release by a second person: the largest batch of the desk that can be exported is above the limit of its bank profile. */
import { centsOf, wireOf } from '#contract/kernel/money.ts'
import { payTypes } from '#contract/global-batches/pay-type.ts'
import { sql } from 'kysely'
import { loadPrincipal } from '../access/access.ts'
import { exportBatches, previewExport } from '../global-batches/global-batches.ts'
import { unitOfWork, type Context } from '../kernel/context.ts'

/** Batches that are tried, the largest first. */
const TRIED_MAX = 5
const THOUSAND_CENTS = 100_000

interface Candidate {
  readonly id: number
  readonly client_id: number
  readonly type: string
  readonly total: string
}

export async function makeRelease(context: Context, payer: number): Promise<void> {
  const { tx, machinery, reach } = context
  const principal = await loadPrincipal(tx, payer)
  if (!principal) throw new Error('the demo has nobody who pays')
  const unit = unitOfWork(tx, { principal, ip: null, requestId: 'demo', connectionId: null }, reach, machinery)
  for (const batch of await largestOpen(context)) {
    const pay_method = payTypes.find((type) => type === batch.type)
    if (pay_method === undefined) continue
    const body = { ids: [batch.id], pay_method }
    const { faults, first_payments } = await previewExport(unit.context, body)
    if (faults.length > 0 || first_payments.length > 0) continue
    await sql`update originating_profiles set release_export_limit = ${halfOf(batch.total)}
      where client_id = ${batch.client_id} and is_default and active`.execute(tx)
    await exportBatches(unit.context, body, `demo ${batch.id}`)
    break
  }
  await unit.finish()
}

/** Half of it, in whole thousands. */
const halfOf = (total: string): string => wireOf(Math.floor(centsOf(total) / 2 / THOUSAND_CENTS) * THOUSAND_CENTS)

async function largestOpen({ tx }: Context): Promise<Candidate[]> {
  const { rows } =
    await sql<Candidate>`select batch.id, batch.client_id, batch.payment_method as type, sum(member.amount_paid)::numeric(14,2) as total
    from payment_batches batch join payment_batch_bills member on member.client_id = batch.client_id and member.payment_batch_id = batch.id
    where batch.is_global and not batch.is_paid and batch.payment_method in ('ACH', 'Check')
    group by batch.client_id, batch.id, batch.payment_method order by total desc, batch.id limit ${TRIED_MAX}`.execute(tx)
  return rows
}
