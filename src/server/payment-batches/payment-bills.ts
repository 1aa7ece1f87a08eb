/** The bills of a vendor batch and the bills it may take, each with the reason it may not be in the batch, if any. */
import type { PaymentBill } from '#contract/payment-batches/payment-bill.ts'
import { waitingPaymentsMax } from '#contract/payment-batches/payment-batch.ts'
import { sumMoney } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import type { Condition } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { firstMethodOf, paymentRefusalColumn, startAmount, type PaymentTerms } from './payment-rules.ts'

/** The batch whose bills are read. */
export interface AskedPaymentBatch {
  readonly id: number
  readonly client_id: number
  readonly payer_type: 'Client' | 'Division'
  readonly payer_id: number
  /** True if the provider's desk pays it. */
  readonly is_global?: boolean
}

/** The terms of one batch. */
type BatchTerms = PaymentTerms & { readonly clientId: number }

/** Reads which bills a batch may take, from the client's settings and the batch. */
export async function paymentTermsOf(
  tx: Tx,
  { id, client_id: clientId, payer_type, payer_id, is_global }: AskedPaymentBatch,
): Promise<BatchTerms> {
  const { rows } = await sql<{ batch_flagged_bills: boolean }>`select batch_flagged_bills from client_ledger_settings
    where client_id = ${clientId}`.execute(tx)
  return {
    clientId,
    batchId: id,
    divisionId: payer_type === 'Division' ? payer_id : null,
    takesFlagged: rows[0]?.batch_flagged_bills ?? false,
    isGlobal: is_global ?? false,
  }
}

/** Returns the bills of the batch, ordered by vendor, account and date; with `paymentId` only those of this payment. */
export async function billsOfPaymentBatch(tx: Tx, batch: AskedPaymentBatch, paymentId?: number): Promise<PaymentBill[]> {
  const ofPayment = paymentId === undefined ? sql<boolean>`true` : sql<boolean>`member.vendor_payment_id = ${paymentId}`
  return readBills(tx, await paymentTermsOf(tx, batch), sql<boolean>`member.payment_batch_id = ${batch.id} and ${ofPayment}`)
}

export interface NewPaymentBills {
  readonly new_bills: PaymentBill[]
  readonly new_bills_total: string
  readonly waiting: PaymentBill[]
  readonly waiting_count: number
  readonly later_count: number
}

/**
 * Returns the payer's unpaid bills that are in no vendor batch and due by the batch's due date. Those due later are counted. `waiting` are the bills that no batch may take yet; the first of them carry
 * their reasons. Void bills and bills that are paid with their group are left out.
 * @param vendorId restricts the bills to one vendor, if given
 */
export async function newPaymentBills(
  tx: Tx,
  batch: AskedPaymentBatch & { readonly bills_due_date: string },
  vendorId: number | null,
): Promise<NewPaymentBills> {
  const terms = await paymentTermsOf(tx, batch)
  const ofPayer = terms.divisionId === null ? sql<boolean>`true` : sql<boolean>`bills.division_id = ${terms.divisionId}`
  const ofVendor = vendorId === null ? sql<boolean>`true` : sql<boolean>`bills.vendor_id = ${vendorId}`
  const unpaid = await readBills(
    tx,
    terms,
    sql<boolean>`bills.vendor_payment_id is null and not bills.paid and not bills.finalized and bills.superseded_by_id is null
      and bills.group_bill_id is null and ${ofPayer} and ${ofVendor}`,
  )
  const free = unpaid.filter((bill) => bill.refusal === null)
  // Dates are written so that their order is that of their texts.
  const new_bills = free.filter((bill) => bill.due_date <= batch.bills_due_date)
  const waiting = unpaid.filter((bill) => bill.refusal !== null)
  return {
    new_bills,
    new_bills_total: sumMoney(new_bills.map((bill) => bill.amount_paid)),
    waiting: waiting.slice(0, waitingPaymentsMax),
    waiting_count: waiting.length,
    later_count: free.length - new_bills.length,
  }
}

/** Returns the bills with these ids, whichever batch holds them. Ids that are no bill of the client are skipped. */
export function paymentBillsByIds(tx: Tx, terms: BatchTerms, ids: readonly number[]): Promise<PaymentBill[]> {
  return readBills(tx, terms, sql<boolean>`bills.id = any(${ids}::bigint[])`)
}

async function readBills(tx: Tx, terms: BatchTerms, where: Condition): Promise<PaymentBill[]> {
  const { clientId, batchId } = terms
  const { rows } = await sql<PaymentBill>`
    select bills.id, bills.client_id, case when bills.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type,
      coalesce(bills.billable_account_id, bills.supply_account_id) as account_id, bills.account_number, coalesce(billable.name, supply.name) as account_name,
      bills.vendor_id, vendor.name as vendor_name, coalesce(vendor.is_exclusive, false) as vendor_is_exclusive,
      ${firstMethodOf(sql`bills.vendor_id`)} as payment_method, division.name as division_name, facility.name as facility_name, bills.invoice_number,
      bills.date, bills.due_date, bills.amount_due, coalesce(member.amount_paid, ${startAmount}) as amount_paid,
      case when member.payment_batch_id = ${batchId}::bigint then member.difference_reason end as difference_reason, bills.paid or bills.finalized as paid,
      case when member.payment_batch_id = ${batchId}::bigint then member.vendor_payment_id end as vendor_payment_id, ${paymentRefusalColumn(terms)} as refusal,
      case when member.payment_batch_id is distinct from ${batchId}::bigint then member.payment_batch_id end as other_batch_id
    from bills join clients client on client.id = ${clientId}
    left join payment_batch_bills member on member.client_id = ${clientId} and member.bill_id = bills.id and member.released_at is null
    left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = bills.billable_account_id
    left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = bills.supply_account_id
    left join vendors vendor on vendor.id = bills.vendor_id
    left join divisions division on division.client_id = ${clientId} and division.id = bills.division_id
    left join facilities facility on facility.client_id = ${clientId} and facility.id = bills.facility_id
    where bills.client_id = ${clientId} and ${where}
    order by vendor.name, bills.vendor_id, bills.account_number, bills.date, bills.id`.execute(tx)
  return rows
}
