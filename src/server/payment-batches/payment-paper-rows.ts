/** The content of a vendor batch's papers: the batch, its payments in the order of their vendors, and the bills of each. */
import { formatAmount, sumCents, centsOf } from '#contract/kernel/money.ts'
import type { VoucherBatch, VoucherBill, VoucherPayment } from '#contract/payment-batches/voucher.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { refused } from '../kernel/problem.ts'

/** Bills read at a time. */
const PAGE_BILLS = 1_000

export interface AskedPaper {
  readonly clientId: number
  readonly batchId: number
  /** A single payment; null for the whole batch. */
  readonly paymentId: number | null
}

/** Locks the batch, so that a paper shows one state of it. Throws if it was deleted meanwhile. */
export async function lockedBatch(tx: Tx, { clientId, batchId }: AskedPaper): Promise<VoucherBatch> {
  const { rows } =
    await sql<VoucherBatch>`select batch.id, coalesce(division.name, client.name) as payer_name, batch.batch_date, batch.bills_due_date, batch.notes
    from payment_batches batch join clients client on client.id = batch.client_id
    left join divisions division on division.client_id = ${clientId} and division.id = batch.division_id
    where batch.client_id = ${clientId} and batch.id = ${batchId} and batch.unbatched_at is null for update of batch`.execute(tx)
  const [batch] = rows
  if (!batch) throw refused('The vendor batch was deleted meanwhile.')
  return batch
}

interface StoredPayment extends Omit<VoucherPayment, 'remit_to'> {
  readonly remit_name: string | null
  readonly street_1: string | null
  readonly street_2: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zip: string | null
}

/** Returns the payments with a bill. Throws an Error if their sum differs from that of the memberships, which only a defect could cause. */
export async function paymentsOfPaper(tx: Tx, { clientId, batchId, paymentId }: AskedPaper): Promise<VoucherPayment[]> {
  const { rows } =
    await sql<StoredPayment>`select payment.id, vendor.name as vendor_name, vendor.short_code as vendor_short_code, vendor.remit_name,
      coalesce(vendor.remit_street_address_1, vendor.street_address_1) as street_1,
      case when vendor.remit_street_address_1 is null then vendor.street_address_2 else vendor.remit_street_address_2 end as street_2,
      coalesce(vendor.remit_city, vendor.city) as city, coalesce(vendor.remit_state, vendor.state) as state, coalesce(vendor.remit_zip, vendor.zip) as zip,
      (select string_agg(payment_methods.name, ', ' order by chosen.position, payment_methods.id) from vendor_payment_methods chosen
        join payment_methods on payment_methods.id = chosen.payment_method_id where chosen.vendor_id = vendor.id) as payment_methods,
      payment.payment_date, payment.check_number, paid.amount, paid.bill_count
    from vendor_payments payment join vendors vendor on vendor.id = payment.vendor_id
    join lateral (select sum(member.amount_paid)::numeric(14,2) as amount, count(*)::int as bill_count from payment_batch_bills member
      where member.client_id = ${clientId} and member.vendor_payment_id = payment.id and member.released_at is null) paid on paid.bill_count > 0
    where payment.client_id = ${clientId} and payment.payment_batch_id = ${batchId}
      and (${paymentId}::bigint is null or payment.id = ${paymentId}::bigint)
    order by vendor.name, payment.id`.execute(tx)
  if (rows.length === 0) throw refused('This vendor batch holds no bill any more.')
  if (paymentId === null) await checkSum(tx, { clientId, batchId, sum: sumCents(rows.map((row) => centsOf(row.amount))) })
  return rows.map(({ remit_name, street_1, street_2, city, state, zip, ...payment }) => ({
    ...payment,
    remit_to: [
      remit_name ?? payment.vendor_name,
      street_1,
      street_2,
      [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', '),
    ].flatMap((line) => (line === null || line === '' ? [] : [line])),
  }))
}

async function checkSum(tx: Tx, { clientId, batchId, sum }: { clientId: number; batchId: number; sum: number }): Promise<void> {
  const { rows } = await sql<{ total: string }>`select coalesce(sum(amount_paid), 0)::numeric(14,2) as total from payment_batch_bills
    where client_id = ${clientId} and payment_batch_id = ${batchId} and released_at is null`.execute(tx)
  const total = rows[0]?.total ?? '0.00'
  if (centsOf(total) !== sum) throw new Error(`the payments of vendor batch ${batchId} do not add up to ${formatAmount(total)}`)
}

/** Yields the bills of a payment in portions, ordered by account and date. A bill of a closed client batch names the ledger accounts of that day. */
export async function* billsOfPaper(tx: Tx, clientId: number, paymentId: number): AsyncGenerator<VoucherBill[]> {
  for (let offset = 0; ; offset += PAGE_BILLS) {
    const { rows } = await sql<VoucherBill>`select bills.id, bills.account_number, coalesce(billable.name, supply.name) as account_name,
        facility.number as facility_number, facility.name as facility_name, division.name as division_name, bills.invoice_number, bills.date, bills.due_date,
        bills.amount_due, member.amount_paid,
        case when client_batch.closed then (select string_agg(distinct nullif(line.ledger_account_name, ''), '; ') from gl_lines line
          where line.client_id = ${clientId} and line.bill_id = bills.id and line.kind <> 'payable' and line.reverses_id is null)
        else (select string_agg(distinct account.name, '; ') from service_bills line
          join services service on service.client_id = ${clientId} and service.id = line.service_id
          left join shared_accounts share on share.client_id = ${clientId} and share.service_id = service.id
          join ledger_accounts account on account.client_id = ${clientId} and account.id in (service.ledger_account_id, share.ledger_account_id)
          where line.client_id = ${clientId} and line.bill_id = bills.id) end as ledger_accounts
      from payment_batch_bills member join bills on bills.client_id = ${clientId} and bills.id = member.bill_id
      left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = bills.billable_account_id
      left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = bills.supply_account_id
      left join facilities facility on facility.client_id = ${clientId} and facility.id = bills.facility_id
      left join divisions division on division.client_id = ${clientId} and division.id = bills.division_id
      left join accounting_batches client_batch on client_batch.client_id = ${clientId} and client_batch.id = bills.accounting_batch_id
      where member.client_id = ${clientId} and member.vendor_payment_id = ${paymentId} and member.released_at is null
      order by bills.account_number, bills.date, bills.id limit ${PAGE_BILLS} offset ${offset}`.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_BILLS) return
  }
}
