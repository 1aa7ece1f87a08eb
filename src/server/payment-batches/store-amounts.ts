/** Sets the amounts paid for the bills of a batch, and why they differ from the amounts due. Both kinds of batch use it. */
import { formatDate } from '#contract/kernel/date.ts'
import { centsOf, formatMoney } from '#contract/kernel/money.ts'
import type { billAmount } from '#contract/payment-batches/payment-bill.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { AuditEntry } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, refused } from '../kernel/problem.ts'
import type { AskedPaymentBatch } from './payment-bills.ts'
import { lockPaymentBills } from './store-payments.ts'
import { refuseTwicePaid } from './refuse-payments.ts'

/** The sent values of one bill; missing ones stay unchanged. */
type SentAmount = z.infer<typeof billAmount>

interface ChangedAmount {
  readonly bill_id: number
  readonly paid: boolean
  readonly is_child: boolean
  readonly before: string
  readonly after: string
  readonly reason_before: string | null
  readonly reason_after: string | null
}

/**
 * Sets the amounts paid for bills of the batch, and the reasons for differing from the amount due. The amount is stored in the bill too, so that
 * another batch starts from it. `field` is the field of the body with the amounts.
 * @returns how many amounts changed.
 */
export async function storeAmounts(
  context: Context,
  batch: AskedPaymentBatch,
  amounts: readonly SentAmount[],
  field: 'bill_amounts' | 'bills_attributes' = 'bill_amounts',
): Promise<number> {
  const held = await lockPaymentBills(context, batch, [])
  const strange = amounts.find(({ bill_id }) => !held.has(bill_id))
  if (strange) throw invalid({ [field]: [`Bill ${strange.bill_id} is not in this ${batch.is_global ? 'batch' : 'vendor batch'}`] })
  await mustBeDueAsSeen(context, batch, amounts)
  const rows = await changeAmounts(context, batch, amounts)
  const paid = rows.find((row) => row.paid)
  if (paid) throw invalid({ [field]: [`Bill ${paid.bill_id} is paid, so its amount and reason stay`] })
  const negative = rows.find((row) => row.before !== row.after && centsOf(row.after) < 0)
  if (negative) throw invalid({ [field]: [`Amount Paid of bill ${negative.bill_id} must be an amount from 0 to 99,999,999.99`] })
  const child = batch.is_global ? undefined : rows.find((row) => row.is_child && centsOf(row.after) > 0)
  if (child) throw invalid({ [field]: [`Bill ${child.bill_id} is paid with the bill of its group, so nothing is paid of it here`] })
  if (rows.length === 0) return 0
  await refuseTwicePaid(context, batch, field)
  const { client_id: clientId } = batch
  const changed = rows.filter((row) => row.before !== row.after)
  await sql`update bills set amount_paid = member.amount_paid, lock_version = bills.lock_version + 1, updated_at = ${now()}
    from payment_batch_bills member where bills.client_id = ${clientId} and bills.id = any(${changed.map((row) => row.bill_id)}::bigint[])
      and member.client_id = ${clientId} and member.bill_id = bills.id and member.released_at is null`.execute(context.tx)
  await context.audit.many(
    rows.map((row): AuditEntry => ({
      event: 'update',
      item_type: 'bill',
      item_id: row.bill_id,
      client_id: clientId,
      changes: {
        ...(row.before === row.after ? {} : { amount_paid: { from: row.before, to: row.after } }),
        ...(row.reason_before === row.reason_after ? {} : { difference_reason: { from: row.reason_before, to: row.reason_after } }),
      },
    })),
  )
  return changed.length
}

/** Throws 409 naming the first bill of which another amount is due than its person was shown. The bills are locked already. */
async function mustBeDueAsSeen({ tx }: Context, { client_id: clientId }: AskedPaymentBatch, amounts: readonly SentAmount[]): Promise<void> {
  const seen = amounts.flatMap(({ bill_id, amount_due }) => (amount_due === undefined ? [] : [{ bill_id, amount_due }]))
  if (seen.length === 0) return
  const { rows } = await sql<{ id: number; account_number: string; date: string; shown: string; due: string }>`
    select bills.id, bills.account_number, bills.date, seen.amount_due::text as shown, bills.amount_due::text as due
    from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as seen(bill_id bigint, amount_due numeric(12,2))
      join bills on bills.client_id = ${clientId} and bills.id = seen.bill_id
    where bills.amount_due <> seen.amount_due order by bills.id`.execute(tx)
  const [first] = rows
  if (!first) return
  const more = rows.length > 1 ? ` ${(rows.length - 1).toLocaleString('en-US')} more have changed too.` : ''
  throw refused(
    `Bill ${first.account_number}, ${formatDate(first.date)}: ${formatMoney(first.due)} is due now, not ${formatMoney(first.shown)}.${more} Look at it again.`,
    first.id,
  )
}

/** A reason is cleared when the amount equals the amount due again. */
async function changeAmounts(
  { tx }: Context,
  { client_id: clientId, id }: AskedPaymentBatch,
  amounts: readonly SentAmount[],
): Promise<ChangedAmount[]> {
  const sent = JSON.stringify(amounts.map((one) => ({ ...one, has_reason: one.difference_reason !== undefined })))
  const { rows } = await sql<ChangedAmount>`
    with sent as (select distinct on (bill_id) bill_id, amount_paid, difference_reason, has_reason from jsonb_to_recordset(${sent}::jsonb)
      as one(bill_id bigint, amount_paid numeric(14,2), difference_reason text, has_reason boolean)),
    wanted as (select member.bill_id, bills.paid, bills.group_bill_id is not null as is_child, member.amount_paid as before,
        coalesce(sent.amount_paid, member.amount_paid) as after, member.difference_reason as reason_before,
        case when coalesce(sent.amount_paid, member.amount_paid) = bills.amount_due then null
          when sent.has_reason then sent.difference_reason else member.difference_reason end as reason_after
      from payment_batch_bills member
      join sent on sent.bill_id = member.bill_id join bills on bills.client_id = ${clientId} and bills.id = member.bill_id
      where member.client_id = ${clientId} and member.payment_batch_id = ${id} and member.released_at is null),
    changed as (select * from wanted where after <> before or reason_after is distinct from reason_before)
    update payment_batch_bills member set amount_paid = changed.after, difference_reason = changed.reason_after from changed
    where member.client_id = ${clientId} and member.payment_batch_id = ${id} and member.released_at is null and member.bill_id = changed.bill_id
    returning member.bill_id, changed.paid, changed.is_child, changed.before::text, changed.after::text, changed.reason_before, changed.reason_after`.execute(
    tx,
  )
  return rows
}
