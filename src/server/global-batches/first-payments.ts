/** First ACH payments after a change of bank details. Only files of ACH count: no other payment uses the bank details. */
import { firstPaymentText, unconfirmed, type FirstPayment } from '#contract/global-batches/first-payment.ts'
import type { GlobalExport } from '#contract/global-batches/global-payment.ts'
import { sql, type RawBuilder } from 'kysely'
import { tiedAmong } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/problem.ts'
import { personName } from '../vendors/vendors.ts'
import type { ChosenBatch } from './chosen-batches.ts'
import { noReference, type BatchFault } from './export-checks.ts'

/** Whether no payment has gone to the present bank details of `vendor`. A payment that came back proves nothing. */
export const isFirstSinceChange = sql<boolean>`(vendor.bank_changed_at is not null and not exists (select 1 from global_batch_file_payments entry
  join vendor_payments earlier on earlier.client_id = entry.client_id and earlier.id = entry.vendor_payment_id
  where entry.bank_changed_at = vendor.bank_changed_at and earlier.vendor_id = vendor.id and not exists (select 1 from payment_reversals reversal
    where reversal.client_id = entry.client_id and reversal.vendor_payment_id = entry.vendor_payment_id)))`

/** The name of who asked for a change. Changes of long ago don't tell. */
export const namedChanger = (id: RawBuilder<unknown>) =>
  sql<string>`(case when ${id} is null then 'an unknown user' else ${personName(id)} end)`

export interface FoundFirst extends FirstPayment {
  readonly changed_by: number | null
}

/** Reads the vendors that these batches pay for the first time since their bank details changed. Inside an export, the vendors are locked. */
export async function readFirstPayments({ tx }: Context, batches: readonly ChosenBatch[], type: string): Promise<FoundFirst[]> {
  if (type !== 'ACH') return []
  const { rows } = await sql<FoundFirst>`select vendor.id as vendor_id, vendor.name as vendor_name, vendor.bank_changed_by as changed_by,
      vendor.bank_changed_at as changed_at, ${namedChanger(sql`vendor.bank_changed_by`)} as changed_by_name,
      sum(member.amount_paid)::numeric(14,2) as amount
    from payment_batch_bills member join vendor_payments payment on payment.client_id = member.client_id and payment.id = member.vendor_payment_id
    join vendors vendor on vendor.id = payment.vendor_id
    where member.payment_batch_id = any(${batches.map(({ id }) => id)}::bigint[]) and member.released_at is null and ${isFirstSinceChange}
    group by vendor.id order by vendor.name, vendor.id`.execute(tx)
  return rows
}

/** Who asked for the change, or counts as one person with them, does not export the first payment after it. */
export async function firstPaymentFaults({ tx, principal }: Context, first: readonly FoundFirst[]): Promise<BatchFault[]> {
  const makers = [...new Set(first.flatMap(({ changed_by }) => changed_by ?? []))]
  if (makers.length === 0) return []
  const own = new Set(await tiedAmong(tx, principal.user_id, makers))
  return first
    .filter(({ changed_by }) => changed_by !== null && own.has(changed_by))
    .map((one) => ({
      ...noReference,
      vendor_id: one.vendor_id,
      sentence: `${firstPaymentText(one)}, to ${one.vendor_name}: you are that person, or count as one with them. Somebody else must export it.`,
      link: `/vendors/${one.vendor_id}/edit`,
    }))
}

/** Throws 422, and names each vendor whose first payment the request doesn't confirm. */
export function mustConfirmFirst(first: readonly FoundFirst[], confirmed: GlobalExport['confirmed_vendors']): void {
  const open = unconfirmed(first, confirmed ?? [])
  if (open.length > 0)
    throw invalid({ confirmed_vendors: open.map((one) => `${firstPaymentText(one)}, to ${one.vendor_name}: it must be confirmed.`) })
}
