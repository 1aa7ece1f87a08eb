/**
 * Queues the remittance advices of payments in the transaction that pays them, and withdraws those that still wait when a payment is taken
 * back. The mails lock before the advices, as at the end of a sending.
 */
import { adviceSubject, adviceText, type AdvisedPayment } from '#contract/payment-batches/advice-words.ts'
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { adviceMailKind } from './advice-mail.ts'

const heldReason = sql`'The last advice to ' || vendor.remittance_email || ' bounced.'`

/** One advice for each payment whose vendor wants it. It is held if the address has bounced. The payments are those of one client, paid by now. */
export async function queueAdvices(context: Context, clientId: number, payments: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number; state: 'queued' | 'held'; to_address: string; vendor_payment_id: number }>`
    insert into remittance_advices (client_id, vendor_payment_id, state, to_address, amount, reason, created_at, updated_at)
    select ${clientId}, payment.id, case when vendor.remittance_bounced_at is null then 'queued' else 'held' end, vendor.remittance_email, paid.amount,
      case when vendor.remittance_bounced_at is not null then ${heldReason} end, ${now()}, ${now()}
    from vendor_payments payment join vendors vendor on vendor.id = payment.vendor_id and vendor.remittance_by_mail
    join lateral (select sum(member.amount_paid)::numeric(14,2) as amount from payment_batch_bills member
      where member.client_id = ${clientId} and member.vendor_payment_id = payment.id and member.released_at is null) paid on paid.amount is not null
    where payment.client_id = ${clientId} and payment.id = any(${payments}::bigint[]) order by payment.id
    on conflict on constraint remittance_advices_once do nothing returning id, state, to_address, vendor_payment_id`.execute(context.tx)
  await context.audit.many(
    rows.map(({ id, ...row }): AuditEntry => ({
      event: 'create',
      item_type: 'remittance_advice',
      item_id: id,
      client_id: clientId,
      changes: Object.fromEntries(Object.entries(row).map(([key, to]) => [key, { from: null, to }])),
    })),
  )
  await queueMails(
    context,
    clientId,
    rows.filter(({ state }) => state === 'queued').map(({ id }) => id),
  )
}

interface Addressed extends AdvisedPayment {
  readonly advice_id: number
  readonly to_address: string
}

/** Queues the mails of advices that are stored as queued. */
export async function queueMails(context: Context, clientId: number, advices: readonly number[]): Promise<void> {
  if (advices.length === 0) return
  const { rows } = await sql<Addressed>`select advice.id as advice_id, advice.to_address, payment.id, advice.amount::text as amount,
      coalesce(division.name, client.name) as payer_name, coalesce(vendor.remit_name, vendor.name) as payee, batch.paid_as, payment.payment_date,
      payment.check_number, payment.trace_number, (select count(*)::int from payment_batch_bills member where member.client_id = ${clientId}
        and member.vendor_payment_id = payment.id and member.released_at is null) as bill_count
    from remittance_advices advice
    join vendor_payments payment on payment.client_id = ${clientId} and payment.id = advice.vendor_payment_id
    join vendors vendor on vendor.id = payment.vendor_id join clients client on client.id = ${clientId}
    join payment_batches batch on batch.client_id = ${clientId} and batch.id = payment.payment_batch_id
    left join divisions division on division.client_id = ${clientId} and division.id = batch.division_id
    where advice.client_id = ${clientId} and advice.id = any(${advices}::bigint[]) order by advice.id`.execute(context.tx)
  const mails = await context.machinery.mail.sendAll(
    context.tx,
    rows.map((row) => ({
      to: row.to_address,
      subject: adviceSubject(row),
      text: adviceText(row),
      kind: adviceMailKind,
      about: { client_id: clientId, remittance_advice_id: row.advice_id },
    })),
  )
  const ids = rows.map(({ advice_id }) => advice_id)
  await sql`update remittance_advices set mail_id = queued.mail_id
    from unnest(${ids}::bigint[], ${mails}::bigint[]) as queued(id, mail_id)
    where remittance_advices.client_id = ${clientId} and remittance_advices.id = queued.id`.execute(context.tx)
}

/** Withdraws the advices that still wait. One whose mail is on its way is sent all the same, and then says so. */
export async function withdrawAdvices(context: Context, clientId: number, payments: readonly number[]): Promise<void> {
  const waiting = sql`from remittance_advices advice where advice.client_id = ${clientId}
    and advice.vendor_payment_id = any(${payments}::bigint[]) and advice.state in ('queued', 'held')`
  await sql`update mails set state = 'dead', last_error = 'The payment was reversed.'
    where id in (select advice.mail_id ${waiting}) and state = 'waiting'`.execute(context.tx)
  const { rows } = await sql<{
    id: number
    before: string
  }>`update remittance_advices set state = 'withdrawn', reason = 'The payment was reversed.',
      updated_at = ${now()}
    from (select advice.id, advice.state as before ${waiting} order by advice.id for update) was
    where remittance_advices.client_id = ${clientId} and remittance_advices.id = was.id returning was.id, was.before`.execute(context.tx)
  await context.audit.many(
    rows.map(({ id, before }): AuditEntry => ({
      event: 'update',
      item_type: 'remittance_advice',
      item_id: id,
      client_id: clientId,
      changes: { state: { from: before, to: 'withdrawn' } },
    })),
  )
}
