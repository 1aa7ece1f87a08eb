/** The remittance advices by mail: their list, sending one again, and recording that one came back. */
import { formatDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import {
  adviceRepeatsMax,
  remittanceAdvice,
  remittanceAdviceCalls,
  type RemittanceAdvice,
} from '#contract/payment-batches/remittance-advice.ts'
import { sql } from 'kysely'
import { now, today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { askedBy, exportHandler, listHandler, resource } from '../kernel/lists/resource.ts'
import { storedRow } from '../kernel/lists/save.ts'
import { mayIn } from '../kernel/principal.ts'
import { notFound, refused } from '../kernel/problem.ts'
import { markAddress } from './advice-mail.ts'
import { queueMails } from './queue-advices.ts'

const remittanceAdvices = resource({
  entity: remittanceAdvice,
  table: 'remittance_advices',
  scope: { client: sql.ref('remittance_advices.client_id'), levels: {} },
  joins: {
    client: sql`join clients client on client.id = remittance_advices.client_id`,
    payment: sql`join vendor_payments payment on payment.client_id = remittance_advices.client_id and payment.id = remittance_advices.vendor_payment_id`,
    vendor: sql`join vendors vendor on vendor.id = payment.vendor_id`,
    mail: sql`left join mails mail on mail.id = remittance_advices.mail_id and remittance_advices.state = 'queued'`,
  },
  columns: {
    lock_version: { sql: sql`0` },
    payment_name: { sql: sql`('VP-' || remittance_advices.vendor_payment_id) collate natural_order` },
    vendor_id: { sql: sql`payment.vendor_id`, joins: ['payment'] },
    vendor_name: { sql: sql`vendor.name`, joins: ['payment', 'vendor'] },
    payer_name: { sql: sql`client.name`, joins: ['client'] },
    payment_batch_id: { sql: sql`payment.payment_batch_id`, joins: ['payment'] },
    // While a mail is tried again and again, it says how often and why.
    attempts: { sql: sql`coalesce(mail.attempts, remittance_advices.attempts)`, joins: ['mail'] },
    reason: { sql: sql`coalesce(remittance_advices.reason, mail.last_error) collate natural_order`, joins: ['mail'] },
  },
  search: ['payment_name', 'vendor_name', 'payer_name', 'to_address'],
})

export const remittanceAdviceHandlers: readonly Handler[] = [
  listHandler(remittanceAdviceCalls.list, remittanceAdvices),
  exportHandler(remittanceAdviceCalls.exportCsv, remittanceAdvices),
  handle(remittanceAdviceCalls.sendAgain, async (context, { params }) => {
    const advice = await lockedAdvice(context, params.id)
    await sendAgain(context, advice)
    return { success: true, message: 'Remittance advice is sent again', id: advice.id }
  }),
  handle(remittanceAdviceCalls.markBounced, async (context, { params }) => {
    const { id, client_id: clientId, state, payment_name: name } = await lockedAdvice(context, params.id)
    if (state !== 'sent') throw refused(`The advice of ${name} is not sent, so it cannot have come back.`, id)
    await sql`update remittance_advices set state = 'bounced', reason = 'It was marked as bounced.', updated_at = ${now()}
      where client_id = ${clientId} and id = ${id}`.execute(context.tx)
    await context.audit.updated('remittance_advice', id, clientId, { state: { from: state, to: 'bounced' } })
    // The address concerns the payments of all clients.
    if (mayIn(context.principal, 'vendor.update')) await markAddress(context, clientId, id)
    return { success: true, message: 'Remittance advice marked as bounced', id }
  }),
]

/** Two people at once: the second waits for the first, and then sees what was done. */
const lockedAdvice = (context: Context, id: number): Promise<RemittanceAdvice> =>
  storedRow(context, remittanceAdvices, id, askedBy(context, {}), true)

async function sendAgain(
  context: Context,
  { id, client_id: clientId, payment_name: name, state, to_address }: RemittanceAdvice,
): Promise<void> {
  if (state === 'queued') throw refused(`The advice of ${name} is queued already.`, id)
  const present = await readPresent(context, clientId, id)
  const why = whyNotAgain(present)
  if (why !== null) throw refused(`The advice of ${name} is not sent again: ${why}`, id)
  const { email, amount, repeats_today: repeats } = present
  await sql`update remittance_advices set state = 'queued', to_address = ${email}, amount = ${amount}, reason = null, attempts = 0, sent_at = null,
      repeated_on = ${today()}, repeats = ${repeats + 1}, updated_at = ${now()}
    where client_id = ${clientId} and id = ${id}`.execute(context.tx)
  await context.audit.updated('remittance_advice', id, clientId, {
    state: { from: state, to: 'queued' },
    ...(email === to_address ? {} : { to_address: { from: to_address, to: email } }),
    repeats: { from: repeats, to: repeats + 1 },
  })
  await queueMails(context, clientId, [id])
}

interface Present {
  readonly email: string | null
  readonly by_mail: boolean
  readonly bounced_at: string | null
  /** Null if the payment pays no bill any more. */
  readonly amount: string | null
  readonly repeats_today: number
}

async function readPresent({ tx }: Context, clientId: number, id: number): Promise<Present> {
  const { rows } = await sql<Present>`select vendor.remittance_email as email, vendor.remittance_by_mail as by_mail,
      vendor.remittance_bounced_at as bounced_at, (select sum(member.amount_paid)::numeric(14,2)::text from payment_batch_bills member
        where member.client_id = ${clientId} and member.vendor_payment_id = payment.id and member.released_at is null) as amount,
      case when advice.repeated_on = ${today()}::date then advice.repeats else 0 end as repeats_today
    from remittance_advices advice
    join vendor_payments payment on payment.client_id = ${clientId} and payment.id = advice.vendor_payment_id
    join vendors vendor on vendor.id = payment.vendor_id
    where advice.client_id = ${clientId} and advice.id = ${id}`.execute(tx)
  const [present] = rows
  if (!present) throw notFound()
  return present
}

function whyNotAgain({ email, by_mail, bounced_at, amount, repeats_today }: Present): string | null {
  if (amount === null) return 'its payment was reversed.'
  if (email === null || !by_mail) return 'its vendor does not want remittance advice by mail.'
  if (bounced_at !== null)
    return `the last advice to ${email} bounced on ${formatDate(todayIn(NEW_YORK, bounced_at))}. Give the vendor another address first.`
  return repeats_today < adviceRepeatsMax ? null : `it was sent again ${adviceRepeatsMax} times today.`
}
