/** The remittance advice of a payment by mail: one for each payment of the desk whose vendor wants it. */
import { z } from 'zod'
import { call, exportOf, listReply, result } from '../kernel/call.ts'
import { choice, derived, email, entity, instant, integer, money, optional, ref, text, type Row } from '../kernel/entity.ts'
import { listInput } from '../kernel/query.ts'

/** Most times that a person sends the advice of one payment again on one day. */
export const adviceRepeatsMax = 3

export const adviceStates = [
  { value: 'queued', label: 'Queued' },
  { value: 'sent', label: 'Sent' },
  { value: 'failed', label: 'Not sent' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'held', label: 'Held' },
  { value: 'withdrawn', label: 'Withdrawn' },
] as const

export const remittanceAdvice = entity(
  'remittance_advice',
  'remittance_advices',
  {
    /** VP- and its number. */
    payment_name: derived(text('Vendor Payment')),
    state: derived(choice('State', adviceStates)),
    vendor_id: derived(ref('Vendor Id', 'vendors')),
    vendor_name: derived(text('Vendor')),
    client_id: derived(ref('Client', 'clients')),
    payer_name: derived(text('Payer')),
    to_address: derived(email('To')),
    /** The amount that the advice states. It stays if the payment is reversed later. */
    amount: derived(money('Amount')),
    sent_at: derived(optional(instant('Sent'))),
    attempts: derived(integer('Attempts')),
    /** Why it is not sent, or came back. */
    reason: derived(optional(text('Reason', 600))),
    payment_batch_id: derived(integer('Batch')),
    created_at: derived(instant('Queued')),
  },
  {
    filter: [
      'id',
      'payment_name',
      'state',
      'vendor_id',
      'vendor_name',
      'client_id',
      'payer_name',
      'to_address',
      'amount',
      'sent_at',
      'attempts',
      'reason',
      'payment_batch_id',
      'created_at',
    ],
    sort: [
      'created_at',
      'payment_name',
      'state',
      'vendor_name',
      'payer_name',
      'to_address',
      'amount',
      'sent_at',
      'attempts',
      'reason',
      'id',
    ],
    defaultSort: 'created_at desc',
  },
  { label: 'Remittance Advice', labels: 'Remittance Advices' },
)
export type RemittanceAdvice = Row<typeof remittanceAdvice>

/** The advice beside its payment. */
export const paymentAdvice = z.object({
  id: z.int(),
  state: z.enum(adviceStates.map(({ value }) => value)),
  to_address: z.string(),
  sent_at: z.string().nullable(),
  reason: z.string().nullable(),
})

const path = '/remittance_advices'
const list = call({
  name: 'remittance_advices.list',
  method: 'GET',
  path,
  may: 'global_batch.read',
  summary: 'Lists the remittance advices by mail of payments of Global Batches',
  query: listInput,
  reply: listReply('remittance_advices', remittanceAdvice.row),
})

export const remittanceAdviceCalls = {
  list,
  exportCsv: exportOf(list, 'Remittance Advices'),
  sendAgain: call({
    name: 'remittance_advices.send_again',
    method: 'POST',
    path: `${path}/:id/send_again`,
    may: 'global_batch.update',
    summary: `Sends a remittance advice again, to the present address of its vendor; at most ${adviceRepeatsMax} times a day`,
    reply: result,
  }),
  markBounced: call({
    name: 'remittance_advices.mark_bounced',
    method: 'POST',
    path: `${path}/:id/mark_bounced`,
    may: 'global_batch.update',
    summary:
      'Records that a remittance advice came back. If the caller may change vendors, no advice goes to this address until the vendor has another',
    reply: result,
  }),
}
