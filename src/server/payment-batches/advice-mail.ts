/** The mail of a remittance advice: its paper, drawn at each sending, and what its end says of the advice and of the vendor's address. */
import { adviceLines } from '#contract/payment-batches/advice-words.ts'
import { paymentNumber } from '#contract/payment-batches/vendor-payment.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { defineMailKind, type KindMail, type MailContent, type MailEnd } from '../kernel/work/mail-kinds.ts'
import { drawPayments } from './payment-paper-pdf.ts'
import { billsOfPaper, lockedBatch, paymentsOfPaper, type AskedPaper } from './payment-paper-rows.ts'

export const adviceMailKind = 'remittance_advice'
/** Largest paper that goes as an attachment, in bytes. Many mail servers refuse more than 10 MB, and an attachment grows by a third. */
const attachmentBytesMax = 5_000_000

const about = z.object({ client_id: z.int(), remittance_advice_id: z.int() })

defineMailKind({
  kind: adviceMailKind,
  compose: ({ jobsDatabase }, mail) => jobsDatabase.db.transaction().execute((tx) => compose(tx, mail)),
  ended,
})

/** Holds the batch first: a reversal of the payment then either has withdrawn the advice or waits until the paper is drawn. */
async function compose(tx: Tx, mail: KindMail): Promise<MailContent | { readonly dropped: string }> {
  const { client_id: clientId, remittance_advice_id: id } = about.parse(mail.about)
  const paper = await paperOf(tx, clientId, id)
  await lockedBatch(tx, paper)
  const { rows } = await sql<{ waits: boolean; bounced: boolean }>`select advice.state = 'queued' and advice.mail_id = ${mail.id} as waits,
      vendor.remittance_bounced_at is not null and vendor.remittance_email = advice.to_address as bounced
    from remittance_advices advice
    join vendor_payments payment on payment.client_id = ${clientId} and payment.id = advice.vendor_payment_id
    join vendors vendor on vendor.id = payment.vendor_id
    where advice.client_id = ${clientId} and advice.id = ${id}`.execute(tx)
  const [found] = rows
  if (!found?.waits) return { dropped: 'The advice does not wait any more.' }
  return found.bounced ? { dropped: `The last advice to ${mail.to_address} bounced.` } : contentOf(tx, paper)
}

async function paperOf(tx: Tx, clientId: number, adviceId: number): Promise<AskedPaper> {
  const { rows } = await sql<{ paymentId: number; batchId: number }>`select payment.id as "paymentId", payment.payment_batch_id as "batchId"
    from remittance_advices advice join vendor_payments payment on payment.client_id = ${clientId} and payment.id = advice.vendor_payment_id
    where advice.client_id = ${clientId} and advice.id = ${adviceId}`.execute(tx)
  const [place] = rows
  if (!place) throw new Error(`remittance advice ${adviceId} of client ${clientId} is gone`)
  return { clientId, ...place }
}

/** The paper, or the bills as text where it is too large. */
export async function contentOf(tx: Tx, paper: AskedPaper, bytesMax = attachmentBytesMax): Promise<MailContent> {
  const batch = await lockedBatch(tx, paper)
  const [payment] = await paymentsOfPaper(tx, paper)
  if (!payment) throw new Error('the payment of an advice is gone')
  const billsOf = () => billsOfPaper(tx, paper.clientId, payment.id)
  const drawn = await drawPayments({ batch, payments: [payment], withApproval: false, billsOf, signal: new AbortController().signal })
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of drawn) {
    const chunk = Buffer.from(part)
    bytes += chunk.length
    // The drawing goes on to its end, since it reads from this transaction.
    if (bytes <= bytesMax) parts.push(chunk)
  }
  if (bytes > bytesMax) return { text: `\n${await linesOf(billsOf())}\n`, attachments: [] }
  const filename = `${paymentNumber(payment.id)}_remittance.pdf`
  return {
    text: '\nThe attached advice lists the bills.\n',
    attachments: [{ filename, content: Buffer.concat(parts), contentType: 'application/pdf' }],
  }
}

async function linesOf(pages: ReturnType<typeof billsOfPaper>): Promise<string> {
  const lines: string[] = []
  for await (const bills of pages) lines.push(adviceLines(bills))
  return lines.join('\n')
}

const states = { sent: 'sent', failed: 'failed', refused: 'bounced', dropped: 'held' } as const

async function ended(context: Context, mail: KindMail, end: MailEnd): Promise<void> {
  const { client_id: clientId, remittance_advice_id: id } = about.parse(mail.about)
  const state = states[end.state]
  const { rows } = await sql<{ before: string }>`update remittance_advices set state = ${state}, attempts = ${mail.attempts},
      reason = ${end.state === 'sent' ? null : end.reason}, sent_at = ${end.state === 'sent' ? now() : null}, updated_at = ${now()}
    from (select state as before from remittance_advices where client_id = ${clientId} and id = ${id} for update) was
    where client_id = ${clientId} and id = ${id} and mail_id = ${mail.id} and (before = 'queued' or ${state} = 'sent') returning before`.execute(
    context.tx,
  )
  const [changed] = rows
  if (!changed) return
  await context.audit.updated('remittance_advice', id, clientId, { state: { from: changed.before, to: state } })
  if (state === 'bounced') await markAddress(context, clientId, id)
}

/** Marks the address of an advice at its vendor, unless the vendor has another one by now. */
export async function markAddress(context: Context, clientId: number, adviceId: number): Promise<void> {
  const at = now()
  const { rows } = await sql<{ id: number }>`update vendors set remittance_bounced_at = ${at}, updated_at = ${at}
    from remittance_advices advice join vendor_payments payment on payment.client_id = ${clientId} and payment.id = advice.vendor_payment_id
    where advice.client_id = ${clientId} and advice.id = ${adviceId} and vendors.id = payment.vendor_id
      and vendors.remittance_email = advice.to_address and vendors.remittance_bounced_at is null
    returning vendors.id`.execute(context.tx)
  await context.audit.many(
    rows.map(({ id }) => ({
      event: 'update' as const,
      item_type: 'vendor',
      item_id: id,
      client_id: 0,
      changes: { remittance_bounced_at: { from: null, to: at.toISOString() } },
    })),
  )
}
