/**
 * Payments to a vendor whose payee changed since the last one. A check goes to a name and an address, so a change of them counts as a change of
 * bank details does for ACH. The audit log has each change, by the form, by an import and by a bulk change.
 */
import { payeeFields } from '#contract/vendors/payee-fields.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { namedChanger, type FoundFirst } from './found-first.ts'

/** Types whose money goes to the payee of the vendor. OP is paid at the vendor's own site, Autopay is drawn by the vendor, and NP pays nothing. */
const paidToPayee: readonly string[] = ['Avid', 'Check', 'Check - OVERNIGHT']

/**
 * The last payment to the payee of `vendor` that did not come back. A change waits for an export's lock with the time at which it began, so
 * changes of the minute before the payment count as later ones.
 */
const lastPaidToPayee = sql`(select max(file.created_at) - interval '1 minute' from vendor_payments earlier
  join global_batch_file_payments entry on entry.client_id = earlier.client_id and entry.vendor_payment_id = earlier.id
  join global_batch_files file on file.id = entry.global_batch_file_id
  where earlier.vendor_id = vendor.id and file.export_type = any(${[...paidToPayee]}::text[]) and not exists (select 1 from payment_reversals reversal
    where reversal.client_id = entry.client_id and reversal.vendor_payment_id = entry.vendor_payment_id))`

export async function readFirstSincePayee({ tx }: Context, batchIds: readonly number[], type: string): Promise<FoundFirst[]> {
  if (!paidToPayee.includes(type)) return []
  const { rows } = await sql<FoundFirst>`
    with paid as (select payment.vendor_id, sum(member.amount_paid)::numeric(14,2) as amount from payment_batch_bills member
      join vendor_payments payment on payment.client_id = member.client_id and payment.id = member.vendor_payment_id
      where member.payment_batch_id = any(${[...batchIds]}::bigint[]) and member.released_at is null group by payment.vendor_id)
    select vendor.id as vendor_id, vendor.name as vendor_name, 'payee' as changed, change.changers, change.changed_at,
      ${namedChanger(sql`change.changed_by`)} as changed_by_name, paid.amount
    from paid join vendors vendor on vendor.id = paid.vendor_id
    join lateral (select max(record.created_at) as changed_at, (array_agg(record.user_id order by record.id desc))[1] as changed_by,
        coalesce(array_agg(distinct record.user_id) filter (where record.user_id is not null), '{}') as changers
      from audit_records record where record.client_id = 0 and record.item_type = 'vendor' and record.item_id = vendor.id and record.event = 'update'
        and record.object_changes ?| ${[...payeeFields, 'payment_methods']}::text[] and record.created_at > coalesce(${lastPaidToPayee}, '-infinity')) change
      on change.changed_at is not null
    order by vendor.name, vendor.id`.execute(tx)
  return rows
}
