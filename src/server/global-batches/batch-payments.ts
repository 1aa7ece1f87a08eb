/** The payments of one global batch with what came back of them, and taking one back: a stopped or void check, or a transfer that failed. */
import type { GlobalBatchPayment } from '#contract/global-batches/global-batch.ts'
import type { ReversalDraft } from '#contract/payment-batches/payment-reversal.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { notFound } from '../kernel/problem.ts'
import { reversePayment } from '../payment-batches/payment-batches.ts'
import { isFirstSinceChange } from './first-payments.ts'
import { namedChanger } from './found-first.ts'
import { effectiveTypeColumn, readGlobalBatch } from './global-batch-source.ts'

/** In the order of vendor and id. The batch must be one that the caller reaches. */
export async function paymentsOfGlobalBatch(
  { tx }: Context,
  { id, client_id: clientId }: { readonly id: number; readonly client_id: number | null },
): Promise<GlobalBatchPayment[]> {
  const members = sql`from payment_batch_bills member where member.client_id = ${clientId} and member.vendor_payment_id = payment.id
    and member.released_at is null`
  const reversals = sql`from payment_reversals reversal where reversal.client_id = ${clientId} and reversal.vendor_payment_id = payment.id`
  const { rows } =
    await sql<GlobalBatchPayment>`select payment.id, 'VP-' || payment.id || ' ' || vendor.name as full_name, payment.payment_date,
      payment.check_number, payment.trace_number, (select coalesce(sum(member.amount_paid), 0)::numeric(14,2) ${members}) as amount,
      (select count(*)::int ${members}) as bill_count,
      exists (select 1 from bills where bills.client_id = ${clientId} and bills.vendor_payment_id = payment.id and (bills.paid or bills.finalized)) as paid,
      (select coalesce(sum(reversal.amount), 0)::numeric(14,2) ${reversals}) as reversed_amount,
      ${clearedOn(clientId)} as cleared_on, ${firstSince(clientId)} as first_since,
      (select json_build_object('id', advice.id, 'state', advice.state, 'to_address', advice.to_address, 'sent_at', advice.sent_at,
          'reason', coalesce(advice.reason, mail.last_error)) from remittance_advices advice
        left join mails mail on mail.id = advice.mail_id and advice.state = 'queued'
        where advice.client_id = ${clientId} and advice.vendor_payment_id = payment.id) as advice,
      (select json_build_object('kind', reversal.kind, 'return_code', reversal.return_code, 'reversed_date', reversal.reversed_date,
        'reason', reversal.reason) ${reversals} order by reversal.id desc limit 1) as reversal
    from vendor_payments payment join vendors vendor on vendor.id = payment.vendor_id
    where payment.client_id = ${clientId} and payment.payment_batch_id = ${id} order by vendor.name, payment.id`.execute(tx)
  return rows
}

/** The payment is cleared once each of its entries has left the account. */
const clearedOn = (clientId: number | null) => sql`(select max(clearing.cleared_on) from global_batch_file_payments entry
  join global_batch_files file on file.id = entry.global_batch_file_id and file.purpose = 'payment'
  left join bank_clearings clearing on clearing.payer_id = entry.client_id and clearing.global_batch_file_payment_id = entry.id
    and clearing.direction = 'out'
  where entry.client_id = ${clientId} and entry.vendor_payment_id = payment.id having bool_and(clearing.cleared_on is not null))`

/** An ACH payment that is still open is judged by the vendor's bank details of now, a paid one by what its file says. */
const firstSince = (clientId: number | null) => sql`coalesce((select json_build_object('changed_at', entry.bank_changed_at,
    'changed_by_name', ${namedChanger(sql`entry.bank_changed_by`)}) from global_batch_file_payments entry
    where entry.client_id = ${clientId} and entry.vendor_payment_id = payment.id and entry.is_first_payment order by entry.id limit 1),
  (select json_build_object('changed_at', vendor.bank_changed_at, 'changed_by_name', ${namedChanger(sql`vendor.bank_changed_by`)})
    from payment_batches where payment_batches.client_id = ${clientId} and payment_batches.id = payment.payment_batch_id
    and not payment_batches.is_paid and ${effectiveTypeColumn} = 'ACH' and ${isFirstSinceChange}))`

/** Two people at once: the second waits for the lock of the batch, and is then told that nothing is paid. */
export async function reverseAtDesk(
  context: Context,
  { id, vendor_payment_id }: { readonly id: number; readonly vendor_payment_id: number },
  sent: ReversalDraft,
) {
  const batch = await readGlobalBatch(context, id, true)
  const payment = (await paymentsOfGlobalBatch(context, batch)).find((one) => one.id === vendor_payment_id)
  if (!payment || batch.client_id === null) throw notFound('Vendor Payment not found.')
  await reversePayment(context, { id, client_id: batch.client_id }, payment, sent)
  return { success: true, message: 'Vendor Payment reversed', id: payment.id }
}
