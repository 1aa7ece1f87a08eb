/** First payments after a change of what a vendor is paid by: bank details for ACH, and the payee for everything else that the desk pays. */
import { firstPaymentText, unconfirmed } from '#contract/global-batches/first-payment.ts'
import type { GlobalExport } from '#contract/global-batches/global-payment.ts'
import { sql } from 'kysely'
import { tiedAmong } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/problem.ts'
import type { ChosenBatch } from './chosen-batches.ts'
import { noReference, type FoundFault } from './export-checks.ts'
import { namedChanger, type FoundFirst } from './found-first.ts'
import { readFirstSincePayee } from './payee-changes.ts'

/** Whether no payment has gone to the present bank details of `vendor`. A payment that came back proves nothing. */
export const isFirstSinceChange = sql<boolean>`(vendor.bank_changed_at is not null and not exists (select 1 from global_batch_file_payments entry
  join vendor_payments earlier on earlier.client_id = entry.client_id and earlier.id = entry.vendor_payment_id
  where entry.bank_changed_at = vendor.bank_changed_at and earlier.vendor_id = vendor.id and not exists (select 1 from payment_reversals reversal
    where reversal.client_id = entry.client_id and reversal.vendor_payment_id = entry.vendor_payment_id)))`

/** Reads the vendors that these batches pay for the first time since the change. Inside an export, the vendors are locked. */
export function readFirstPayments(context: Context, batches: readonly ChosenBatch[], type: string): Promise<FoundFirst[]> {
  const ids = batches.map(({ id }) => id)
  return type === 'ACH' ? readFirstSinceBank(context, ids) : readFirstSincePayee(context, ids, type)
}

async function readFirstSinceBank({ tx }: Context, batchIds: readonly number[]): Promise<FoundFirst[]> {
  const { rows } = await sql<FoundFirst>`select vendor.id as vendor_id, vendor.name as vendor_name, 'bank' as changed,
      array_remove(array[vendor.bank_changed_by], null) as changers,
      vendor.bank_changed_at as changed_at, ${namedChanger(sql`vendor.bank_changed_by`)} as changed_by_name,
      sum(member.amount_paid)::numeric(14,2) as amount
    from payment_batch_bills member join vendor_payments payment on payment.client_id = member.client_id and payment.id = member.vendor_payment_id
    join vendors vendor on vendor.id = payment.vendor_id
    where member.payment_batch_id = any(${[...batchIds]}::bigint[]) and member.released_at is null and ${isFirstSinceChange}
    group by vendor.id order by vendor.name, vendor.id`.execute(tx)
  return rows
}

/** Names the first payments that the caller may not export: the caller made the change, or counts as one person with its maker. */
export async function firstPaymentFaults({ tx, principal }: Context, first: readonly FoundFirst[]): Promise<FoundFault[]> {
  const makers = [...new Set(first.flatMap(({ changers }) => changers))]
  if (makers.length === 0) return []
  const own = new Set(await tiedAmong(tx, principal.user_id, makers))
  return first
    .filter(({ changers }) => changers.some((id) => own.has(id)))
    .map((one) => ({
      ...noReference,
      apart: true,
      vendor_id: one.vendor_id,
      sentence: `${firstPaymentText(one)}, to ${one.vendor_name}: you made such a change since the last payment, or count as one person with its maker. Somebody else must export it.`,
      link: `/vendors/${one.vendor_id}/edit`,
    }))
}

/** Throws 422, and names each vendor whose first payment the request doesn't confirm. */
export function mustConfirmFirst(first: readonly FoundFirst[], confirmed: GlobalExport['confirmed_vendors']): void {
  const open = unconfirmed(first, confirmed ?? [])
  if (open.length > 0)
    throw invalid({ confirmed_vendors: open.map((one) => `${firstPaymentText(one)}, to ${one.vendor_name}: it must be confirmed.`) })
}
