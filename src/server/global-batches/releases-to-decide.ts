/**
 * The exports that a user may release now. The rules are those of `whyNotRelease`, for all waiting ones at once; a test holds the two together.
 */
import type { HomeRelease } from '#contract/home/home.ts'
import { sql } from 'kysely'
import { tiedAmong } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { personName } from '../vendors/vendors.ts'
import { actedOnBills } from './release-duties.ts'
import { reachesAll } from './release-source.ts'

interface WaitingRelease extends HomeRelease {
  /** Who asked for it, and who made a batch of it. */
  readonly makers: readonly number[]
  /** Who had to do with its bills, where a bank profile asks for somebody who had not. */
  readonly acted: readonly number[]
}

/** Returns those in reach, the one that has waited longest first. */
export async function releasesToDecide({ tx, principal, reach }: Context): Promise<HomeRelease[]> {
  const { rows } =
    await sql<WaitingRelease>`select export_releases.id, export_releases.payer_names, export_releases.pay_method, export_releases.total,
      export_releases.payment_count, ${personName(sql`export_releases.requested_by`)} as requested_by_name, export_releases.requested_at,
      array(select export_releases.requested_by union select batch.created_by from export_release_batches held
        join payment_batches batch on batch.client_id = held.client_id and batch.id = held.payment_batch_id
        where held.export_release_id = export_releases.id and batch.created_by is not null) as makers,
      case when export_releases.apart then array(${actedOnBills(sql`export_releases.id`)}) else '{}' end as acted
    from export_releases where export_releases.state = 'waiting' and ${reachesAll(reach)} order by export_releases.id`.execute(tx)
  const me = principal.user_id
  const others = [...new Set(rows.flatMap(({ makers, acted }) => [...makers, ...acted]))]
  const tied = others.length === 0 ? [] : await tiedAmong(tx, me, others)
  const mine = new Set([me, ...tied])
  return rows
    .filter(({ makers, acted }) => ![...makers, ...acted].some((id) => mine.has(id)))
    .map((row) => {
      const { makers: _, acted: __, ...shown } = row
      return shown
    })
}
