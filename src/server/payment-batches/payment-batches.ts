/** Vendor batches and their vendor payments: the bills of one payer that are paid to their vendors together. The front door of the slice. */
import { paymentBatch, paymentBatchCalls, type PaymentBatch, type PaymentBatchDraft } from '#contract/payment-batches/payment-batch.ts'
import { mixFault } from '#contract/payment-batches/payment-mix.ts'
import { paymentApprovalCalls } from '#contract/payment-batches/payment-approval.ts'
import { paymentNumber } from '#contract/payment-batches/vendor-payment.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { billSource } from '../bills/bills.ts'
import { vendorBatchScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { defineWhere, startExport } from '../kernel/lists/export.ts'
import { searchHandler } from '../kernel/lists/lookup.ts'
import {
  answerWrite,
  askedBy,
  createRow,
  exportHandler,
  listAnswer,
  presented,
  readRow,
  resource,
  updateRow,
  type Saving,
} from '../kernel/lists/resource.ts'
import { storedRow } from '../kernel/lists/save.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { approvalJoins, approvalStateColumn } from './approval-state.ts'
import { decideApproval, requestApproval, takeBackApprovals } from './approve-batch.ts'
import { closingOf } from './close-payments.ts'
import { noteReleased } from './note-released.ts'
import { billsOfPaymentBatch, newPaymentBills } from './payment-bills.ts'
import { takesBills } from './payment-rules.ts'
import { startPaper } from './payment-papers.ts'
import { paymentSettingHandlers } from './payment-settings.ts'
import { readApproval } from './read-approval.ts'
import { releaseAllBills, releasePayment, syncPayments, type MeantPayment } from './store-payments.ts'
import { storeState, type Stated } from './store-state.ts'
import { vendorPaymentHandlersOf } from './vendor-payments.ts'

export { firstMethodOf, paymentRefusalColumn, startAmount } from './payment-rules.ts'
export { payBills } from './close-payments.ts'
export { queueAdvices } from './queue-advices.ts'
export { remittanceAdviceHandlers } from './remittance-advices.ts'
export { reversePayment, reversePayments, type Reversing } from './reverse-payment.ts'
export { storeAmounts } from './store-amounts.ts'
export { releaseAllBills, storePaymentBills } from './store-payments.ts'

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

/** Excludes batches of the provider's desk, and unbatched ones, which are history. */
const live = sql<boolean>`payment_batches.unbatched_at is null and not payment_batches.is_global`
const isLive = defineWhere('live_vendor_batches', z.object({}), () => live)
const asked = (context: Context, params: object) => ({ ...askedBy(context, params), ...isLive({}) })

/** Returns the batch in the caller's reach, locked if it is about to change. Throws not-found. */
const readBatch = (context: Context, clientId: number, id: number, lock = false): Promise<PaymentBatch> =>
  storedRow(context, paymentBatches, id, asked(context, { client_id: clientId }), lock)

export const paymentBatchHandlers: readonly Handler[] = [
  handle(paymentBatchCalls.list, (context, { params, query }) => listAnswer(context, paymentBatches, query, asked(context, params))),
  exportHandler(paymentBatchCalls.exportCsv, paymentBatches, asked),
  handle(paymentBatchCalls.get, async (context, { params }) => {
    const row = await readRow(context, paymentBatches, params.id, asked(context, params))
    const bill_ids = (await billsOfPaymentBatch(context.tx, row)).map(({ id }) => id).toSorted((a, b) => a - b)
    return { payment_batch: { ...row, bill_ids, closing: await closingOf(context.tx, row) } }
  }),
  handle(paymentBatchCalls.create, async (context, { params, body }) => {
    const draft = await withBillsOfPayment(context, params.client_id, body)
    const row = await createRow(context, paymentBatches, draft, params.client_id, savingOf(undefined, body))
    return answerSaved(context, row, 'created', draft)
  }),
  handle(paymentBatchCalls.update, async (context, { params, body }) => {
    const saving = savingOf(body.vendor_payment_id, body)
    const row = await updateRow(context, paymentBatches, params.id, body.payment_batch, asked(context, params), saving)
    return answerSaved(context, row, 'updated', body.payment_batch)
  }),
  handle(paymentBatchCalls.destroy, async (context, { params }) => {
    const batch = await readBatch(context, params.client_id, params.id, true)
    if (batch.has_been_closed) throw refused('This vendor batch has been closed, so it is kept. It cannot be deleted.')
    const released = await releaseAllBills(context, batch)
    await sql`update payment_batches set unbatched_at = now(), lock_version = lock_version + 1, updated_at = now()
      where client_id = ${batch.client_id} and id = ${batch.id}`.execute(context.tx)
    await context.audit.destroyed('payment_batch', batch.id, batch.client_id, {
      payer_type: batch.payer_type,
      payer_id: batch.payer_id,
      batch_date: batch.batch_date,
      bill_count: released.length,
    })
    return { success: true, message: 'Vendor Batch deleted' }
  }),
  handle(paymentBatchCalls.bills, async (context, { params }) => ({
    bills: await billsOfPaymentBatch(context.tx, await readBatch(context, params.client_id, params.id)),
  })),
  handle(paymentBatchCalls.newBills, async (context, { params, query }) => {
    const batch = await readBatch(context, params.client_id, params.id)
    if (batch.closed) throw refused('A closed vendor batch takes no more bills.')
    const payment = await meantPayment(context, params, query.vendor_payment_id === undefined ? undefined : Number(query.vendor_payment_id))
    return {
      bills: await billsOfPaymentBatch(context.tx, batch, payment?.id),
      ...(await newPaymentBills(context.tx, batch, payment?.vendor_id ?? null)),
    }
  }),
  handle(paymentBatchCalls.sync, async (context, { params }) => {
    const batch = await readBatch(context, params.client_id, params.id, true)
    if (batch.closed) throw refused('This vendor batch is closed. Open it again to change its payments.')
    const done = await syncPayments(context, batch)
    await mustGoTogether(context, batch)
    if (done.moved > 0) {
      await takeBackApprovals(context, batch, 'Its bills moved to other payments')
      await context.audit.updated('payment_batch', batch.id, batch.client_id, { bills_moved: { from: null, to: done.moved } })
    }
    context.touch(batch.client_id)
    return { success: true, message: 'Vendor Payments are synced', ...done }
  }),
  handle(paymentBatchCalls.exportBills, async (context, { params }) => {
    const batch = await readBatch(context, params.client_id, params.id)
    const input = { q: { payment_batch_id_eq: batch.id, s: 'account_number asc' } }
    return startExport(context, billSource, input, askedBy(context, params), paymentBatchCalls.exportBills.name)
  }),
  handle(paymentBatchCalls.voucherCsv, async (context, { params }) =>
    startPaper(context, 'voucher_csv', await readBatch(context, params.client_id, params.id)),
  ),
  handle(paymentBatchCalls.voucherPdf, async (context, { params }) =>
    startPaper(context, 'voucher_pdf', await readBatch(context, params.client_id, params.id)),
  ),
  searchHandler(paymentBatchCalls.search, paymentBatches, ['id', 'payer_name', 'batch_date', 'batch_total'], () => isLive({})),
  handle(paymentApprovalCalls.get, async (context, { params }) => ({
    approval: await readApproval(context, await readBatch(context, params.client_id, params.id)),
  })),
  handle(paymentApprovalCalls.request, async (context, { params, body }) => {
    const batch = await readBatch(context, params.client_id, params.id, true)
    const message = await requestApproval(context, batch, body.approval_request.comment ?? null)
    return { success: true, message, id: batch.id }
  }),
  handle(paymentApprovalCalls.decide, async (context, { params, body }) => {
    const batch = await readBatch(context, params.client_id, params.id, true)
    return { success: true, message: await decideApproval(context, batch, body.approval), id: batch.id }
  }),
  ...vendorPaymentHandlersOf(readBatch),
  ...paymentSettingHandlers,
]

/** Throws 409 if the unpaid bills of a batch may not be paid together: the vendor of one has changed, or became exclusive. */
async function mustGoTogether({ tx }: Context, batch: PaymentBatch): Promise<void> {
  const fault = mixFault((await billsOfPaymentBatch(tx, batch)).filter(({ paid }) => !paid))
  if (fault !== null) throw refused(`${fault}. Take the bills out that go elsewhere.`, batch.id)
}

/** Returns the payment that a call names. Throws 422 if the batch has no such payment, and 409 if it takes no more bills. */
async function meantPayment(
  { tx }: Context,
  { client_id: clientId, id }: { readonly client_id: number; readonly id: number },
  paymentId: number | undefined,
): Promise<MeantPayment | null> {
  if (paymentId === undefined) return null
  const { rows } = await sql<
    MeantPayment & { takes_bills: boolean; is_reversed: boolean }
  >`select id, vendor_id, ${takesBills(clientId)} as takes_bills,
      exists (select from payment_reversals where client_id = ${clientId} and vendor_payment_id = ${paymentId}) as is_reversed
    from vendor_payments payment where client_id = ${clientId} and payment_batch_id = ${id} and id = ${paymentId}`.execute(tx)
  const [payment] = rows
  if (!payment) throw invalid({ vendor_payment_id: ['This vendor batch has no such payment'] })
  if (!payment.takes_bills)
    throw refused(
      `${paymentNumber(payment.id)} ${payment.is_reversed ? 'was reversed' : 'is paid'}, so it takes no more bills.`,
      payment.id,
    )
  return payment
}

/** A new batch that names a payment of an open batch takes over its bills: the payment gets its own batch. */
async function withBillsOfPayment(
  context: Context,
  clientId: number,
  {
    payment_batch: draft,
    vendor_payment_id: paymentId,
  }: { readonly payment_batch: PaymentBatchDraft; readonly vendor_payment_id?: number | undefined },
): Promise<PaymentBatchDraft> {
  if (paymentId === undefined) return draft
  const ofPayment = sql`from vendor_payments payment join payment_batches on payment_batches.client_id = ${clientId}
    and payment_batches.id = payment.payment_batch_id where payment.client_id = ${clientId} and payment.id = ${paymentId}`
  // Whoever holds the lock may delete the payment or its batch, so both are read under it.
  await sql`select ${ofPayment} for no key update of payment_batches`.execute(context.tx)
  const { rows } = await sql<{ payment_batch_id: number }>`select payment_batch_id ${ofPayment} and ${live}`.execute(context.tx)
  const [payment] = rows
  if (!payment) throw invalid({ vendor_payment_id: ['This client has no such vendor payment in an open batch'] })
  const batch = await readBatch(context, clientId, payment.payment_batch_id, true)
  if (batch.closed) throw refused('This payment’s vendor batch is closed. Open it again to change its payments.')
  const ids = await releasePayment(context, batch, paymentId, draft.bill_ids)
  if (ids.length > 0) await noteReleased(context, batch, ids.length)
  await syncPayments(context, batch)
  return { ...draft, bill_ids: [...new Set([...(draft.bill_ids ?? []), ...ids])] }
}

async function answerSaved(context: Context, row: PaymentBatch, verb: 'created' | 'updated', { bill_ids, bill_amounts }: Sent) {
  const answer = answerWrite(paymentBatch, verb, await presented(context, paymentBatches, row))
  const withBills = bill_ids !== undefined || bill_amounts !== undefined
  return withBills ? { ...answer, bills: await billsOfPaymentBatch(context.tx, row) } : answer
}

type Sent = Partial<PaymentBatchDraft>

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

function savingOf(paymentId: number | undefined, how: Stated): Saving<typeof paymentBatch.fields> {
  return {
    added: async ({ principal }, sent, before) => ({
      ...(before === null ? { division_id: sent.payer_type === 'Division' ? sent.payer_id : null, created_by: principal.user_id } : {}),
      ...(sent.closed === true ? { has_been_closed: true } : {}),
    }),
    // The payment is read under the lock of its batch, so that it is not paid between the reading and the save.
    children: async (context, sent, row, before) =>
      storeState(context, sent, row, before, { payment: await meantPayment(context, row, paymentId), ...how }),
  }
}
