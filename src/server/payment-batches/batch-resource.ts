/** Vendor batches as a list, and the check of a batch's own values. */
import { paymentBatch, type PaymentBatch, type PaymentBatchDraft } from '#contract/payment-batches/batch-record.ts'
import { sql } from 'kysely'
import { vendorBatchScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { resource } from '../kernel/lists/resource.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { approvalJoins, approvalStateColumn } from './approval-state.ts'

const members = sql`from payment_batch_bills member where member.client_id = payment_batches.client_id
  and member.payment_batch_id = payment_batches.id and member.released_at is null`
const payments = sql`from vendor_payments payment join vendors on vendors.id = payment.vendor_id
  where payment.client_id = payment_batches.client_id and payment.payment_batch_id = payment_batches.id`

export const paymentBatches = resource({
  entity: paymentBatch,
  table: 'payment_batches',
  scope: vendorBatchScope,
  joins: {
    ...approvalJoins,
    client: sql`join clients client on client.id = payment_batches.client_id`,
    division: sql`left join divisions division on division.client_id = payment_batches.client_id and division.id = payment_batches.division_id`,
    batch_group: sql`left join batch_groups batch_group on batch_group.client_id = payment_batches.client_id and batch_group.id = division.batch_group_id`,
  },
  columns: {
    payer_type: { sql: sql`case when payment_batches.division_id is null then 'Client' else 'Division' end`, isStoredApart: true },
    payer_id: { sql: sql`coalesce(payment_batches.division_id, payment_batches.client_id)`, isStoredApart: true },
    payer_name: { sql: sql`coalesce(division.name, client.name)`, joins: ['client', 'division'] },
    vendor_ids: { sql: sql`array(select distinct payment.vendor_id ${payments} order by payment.vendor_id)` },
    vendor_names: { sql: sql`array(select distinct vendors.name ${payments} order by vendors.name)` },
    batch_total: { sql: sql`(select coalesce(sum(member.amount_paid), 0)::numeric(14,2) ${members})` },
    reversed_total: {
      sql: sql`(select coalesce(sum(reversal.amount), 0)::numeric(14,2) from vendor_payments payment join payment_reversals reversal
        on reversal.client_id = payment.client_id and reversal.vendor_payment_id = payment.id
        where payment.client_id = payment_batches.client_id and payment.payment_batch_id = payment_batches.id)`,
    },
    bill_count: { sql: sql`(select count(*)::int ${members})` },
    payment_count: { sql: sql`(select count(*)::int ${payments})` },
    approvals_needed: { sql: sql`approval.needed`, joins: ['approval'] },
    approvals_given: { sql: sql`approval.given`, joins: ['approval'] },
    approval_state: { sql: approvalStateColumn, joins: ['approval', 'said'] },
    batch_group: {
      sql: sql`case when batch_group.id is not null then json_build_object('id', batch_group.id, 'name', batch_group.name) end`,
      joins: ['division', 'batch_group'],
    },
  },
  search: ['payer_name', 'notes'],
  check: checkBatch,
})

export type Sent = Partial<PaymentBatchDraft>

/** Checks that the payer is unchanged, a paying division belongs to the client, a closed batch keeps its head, and a paid batch stays closed. */
async function checkBatch(context: Context, sent: Sent, before: PaymentBatch | null, clientId: number): Promise<void> {
  if (before === null) return checkPayer(context, sent, clientId)
  for (const key of ['payer_type', 'payer_id'] as const)
    if (sent[key] !== undefined && sent[key] !== before[key]) throw invalid({ [key]: ['The payer of a vendor batch does not change'] })
  if (!before.closed) return
  if (before.is_paid && sent.closed === false) throw refused('This vendor batch is paid, so it cannot be opened again.')
  if (sent.closed === false) return
  for (const key of ['batch_date', 'bills_due_date'] as const)
    if (sent[key] !== undefined && sent[key] !== before[key])
      throw invalid({ [key]: ['This vendor batch is closed. Open it again to change it'] })
}

async function checkPayer({ tx }: Context, { payer_type, payer_id }: Sent, clientId: number): Promise<void> {
  if (payer_type === 'Client') {
    if (payer_id !== clientId) throw invalid({ payer_id: ['The client that pays is the one whose bills are paid'] })
    return
  }
  const { rows } = await sql`select 1 as one from divisions where client_id = ${clientId} and id = ${payer_id ?? null}::bigint`.execute(tx)
  if (rows.length === 0) throw invalid({ payer_id: ['This client has no such division'] })
}
