/** The payments of a vendor batch: one per vendor, with its date and the ID of its check or transfer. */
import type { PaymentBatch } from '#contract/payment-batches/batch-record.ts'
import { vendorPayment, vendorPaymentCalls, type VendorPayment, type VendorPaymentDraft } from '#contract/payment-batches/vendor-payment.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { handleProven } from '../access/access.ts'
import { vendorPaymentScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import {
  answerOne,
  answerWrite,
  askedBy,
  createRow,
  destroyRow,
  exportHandler,
  listAnswer,
  presented,
  readRow,
  resource,
  updateRow,
} from '../kernel/lists/resource.ts'
import { storedRow } from '../kernel/lists/save.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { noteReleased } from './note-released.ts'
import { billsOfPaymentBatch } from './payment-bills.ts'
import { startPaper } from './payment-papers.ts'
import { reversalsOf, reversePayment } from './reverse-payment.ts'
import { releasePayment } from './store-payments.ts'

const members = sql`from payment_batch_bills member where member.client_id = vendor_payments.client_id
  and member.vendor_payment_id = vendor_payments.id and member.released_at is null`
const paid = sql`exists (select 1 from bills where bills.client_id = vendor_payments.client_id and bills.vendor_payment_id = vendor_payments.id
  and (bills.paid or bills.finalized))`
const reversals = sql`from payment_reversals reversal where reversal.client_id = vendor_payments.client_id
  and reversal.vendor_payment_id = vendor_payments.id`

export const vendorPayments = resource({
  entity: vendorPayment,
  table: 'vendor_payments',
  scope: vendorPaymentScope,
  joins: {
    vendor: sql`join vendors vendor on vendor.id = vendor_payments.vendor_id`,
    batch: sql`join payment_batches batch on batch.client_id = vendor_payments.client_id and batch.id = vendor_payments.payment_batch_id`,
  },
  columns: {
    full_name: { sql: sql`'VP-' || vendor_payments.id || ' ' || vendor.name`, joins: ['vendor'] },
    vendor_name: { sql: sql`vendor.name`, joins: ['vendor'] },
    utility_company_name: { sql: sql`vendor.name`, joins: ['vendor'] },
    amount: { sql: sql`(select coalesce(sum(member.amount_paid), 0)::numeric(14,2) ${members})` },
    bill_count: { sql: sql`(select count(*)::int ${members})` },
    payment_methods: {
      sql: sql`(select string_agg(payment_methods.name, ', ' order by chosen.position, payment_methods.id) from vendor_payment_methods chosen
        join payment_methods on payment_methods.id = chosen.payment_method_id where chosen.vendor_id = vendor_payments.vendor_id)`,
    },
    paid: { sql: paid },
    reversed_amount: { sql: sql`(select coalesce(sum(reversal.amount), 0)::numeric(14,2) ${reversals})` },
    locked: { sql: sql`(batch.closed or batch.is_paid or ${paid} or exists (select 1 ${reversals}))`, joins: ['batch'] },
  },
  search: ['full_name', 'check_number'],
  check: checkPayment,
})

const ofBatch = defineWhere(
  'payments_of_vendor_batch',
  z.object({ id: z.int() }),
  ({ id }) => sql<SqlBool>`vendor_payments.payment_batch_id = ${id}`,
)

interface OfBatch {
  readonly client_id: number
  readonly payment_batch_id: number
}
type ReadBatch = (context: Context, clientId: number, id: number, lock?: boolean) => Promise<PaymentBatch>

/** `readBatch` reads a batch in the caller's reach, or throws not-found: its payments are reached through it. */
export function vendorPaymentHandlersOf(readBatch: ReadBatch): Handler[] {
  const asked = async (context: Context, params: OfBatch) => {
    await readBatch(context, params.client_id, params.payment_batch_id)
    return { ...askedBy(context, params), ...ofBatch({ id: params.payment_batch_id }) }
  }
  /** Locks the batch first, as every change of its bills does. */
  const openBatch = async (context: Context, params: OfBatch) => {
    const batch = await readBatch(context, params.client_id, params.payment_batch_id, true)
    if (batch.closed) throw refused('This vendor batch is closed. Open it again to change its payments.')
    return batch
  }
  return [
    handle(vendorPaymentCalls.list, async (context, { params, query }) =>
      listAnswer(context, vendorPayments, query, await asked(context, params)),
    ),
    exportHandler(vendorPaymentCalls.exportCsv, vendorPayments, asked),
    handle(vendorPaymentCalls.get, async (context, { params }) =>
      answerOne('vendor_payment', await readRow(context, vendorPayments, params.id, await asked(context, params))),
    ),
    handle(vendorPaymentCalls.create, async (context, { params, body }) => {
      const batch = await openBatch(context, params)
      const row = await createRow(context, vendorPayments, body.vendor_payment, params.client_id, {
        added: async () => ({ payment_batch_id: batch.id }),
      })
      return answerWrite(vendorPayment, 'created', await presented(context, vendorPayments, row))
    }),
    handle(vendorPaymentCalls.update, async (context, { params, body }) => {
      const reached = await asked(context, params)
      await readBatch(context, params.client_id, params.payment_batch_id, true)
      const row = await updateRow(context, vendorPayments, params.id, body.vendor_payment, reached)
      return answerWrite(vendorPayment, 'updated', await presented(context, vendorPayments, row))
    }),
    handle(vendorPaymentCalls.destroy, async (context, { params }) => {
      const reached = await asked(context, params)
      const batch = await openBatch(context, params)
      const payment = await storedRow(context, vendorPayments, params.id, reached)
      if (payment.locked) throw refused(lockedText(payment))
      const released = await releasePayment(context, batch, payment.id)
      if (released.length > 0) await noteReleased(context, batch, released.length)
      await destroyRow(context, vendorPayments, params.id, reached)
      return { success: true, message: 'Deleted Vendor Payment' }
    }),
    handle(vendorPaymentCalls.bills, async (context, { params }) => {
      const payment = await storedRow(context, vendorPayments, params.id, await asked(context, params))
      const batch = await readBatch(context, params.client_id, params.payment_batch_id)
      return { bills: await billsOfPaymentBatch(context.tx, batch, payment.id) }
    }),
    handle(vendorPaymentCalls.reversals, async (context, { params }) => {
      const payment = await storedRow(context, vendorPayments, params.id, await asked(context, params))
      return { payment_reversals: await reversalsOf(context.tx, params.client_id, payment.id) }
    }),
    handleProven(vendorPaymentCalls.reverse, async (context, { params, body }) => {
      const reached = await asked(context, params)
      const batch = await readBatch(context, params.client_id, params.payment_batch_id, true)
      await reversePayment(context, batch, await storedRow(context, vendorPayments, params.id, reached), body.payment_reversal)
      const row = await presented(context, vendorPayments, await storedRow(context, vendorPayments, params.id, reached))
      return { success: true, message: 'Vendor Payment reversed', id: row.id, vendor_payment: row }
    }),
    handle(vendorPaymentCalls.paymentsPdf, async (context, { params }) => {
      const payment = await storedRow(context, vendorPayments, params.id, await asked(context, params))
      return startPaper(context, 'payments_pdf', await readBatch(context, params.client_id, params.payment_batch_id), payment)
    }),
  ]
}

function lockedText({ full_name, paid: isPaid, reversed_amount: reversed }: VendorPayment): string {
  if (isPaid) return `${full_name} is paid, so it stays as it is.`
  if (reversed !== '0.00') return `${full_name} was reversed, so it stays as it is.`
  return `The vendor batch of ${full_name} is closed. Open it again to change its payments.`
}

/** A payment keeps its vendor and its client; a locked one keeps its date and ID. */
async function checkPayment(_: Context, sent: Partial<VendorPaymentDraft>, before: VendorPayment | null): Promise<void> {
  if (before === null) {
    if (sent.vendor_id === undefined || sent.vendor_id === null) throw invalid({ vendor_id: ['Vendor is required'] })
    return
  }
  if (sent.vendor_id !== undefined && sent.vendor_id !== before.vendor_id)
    throw invalid({ vendor_id: ['The vendor of a payment does not change'] })
  if (sent.client_id !== undefined && sent.client_id !== before.client_id)
    throw invalid({ client_id: ['The client of a payment does not change'] })
  const changes = (['payment_date', 'check_number'] as const).some((key) => sent[key] !== undefined && sent[key] !== before[key])
  if (before.locked && changes) throw refused(lockedText(before))
}
