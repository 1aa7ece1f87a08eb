/** The bills of a client batch and the bills it may take, each with the reason it may not be in the batch, if any. */
import { waitingBillsMax, type SavedBill } from '#contract/accounting-batches/accounting-batch.ts'
import type { BatchBill } from '#contract/accounting-batches/batch-contents.ts'
import { sumMoney } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Condition } from '../kernel/lists/list.ts'
import { refusalColumn, type BatchTerms } from './batch-rules.ts'
import type { LedgerBatch } from './ledger-line.ts'

/** The batch whose bills are read. */
export interface AskedBatch {
  readonly id: number
  readonly client_id: number
  readonly batch_group_id: number | null
}

/** Reads which bills a batch may take, from the client's settings and the batch. */
export async function termsOf(tx: Tx, batch: Pick<AskedBatch, 'client_id'> & { id: number | null }, closing = false): Promise<BatchTerms> {
  const { rows } = await sql<{ batch_flagged_bills: boolean }>`select batch_flagged_bills from client_ledger_settings
    where client_id = ${batch.client_id}`.execute(tx)
  return { clientId: batch.client_id, batchId: batch.id, takesFlagged: rows[0]?.batch_flagged_bills ?? false, closing }
}

/** Returns the bills of the batch, ordered by account and date. */
export async function billsOfBatch(tx: Tx, batch: AskedBatch, closing = false): Promise<BatchBill[]> {
  const terms = await termsOf(tx, batch, closing)
  return readBills(tx, terms, sql<boolean>`bills.accounting_batch_id = ${batch.id}`)
}

/** Returns what a save answers of the bills of the batch, in the same order. */
export async function savedBillsOf(tx: Tx, { client_id: clientId, id }: LedgerBatch): Promise<SavedBill[]> {
  const { rows } = await sql<SavedBill>`select id, amount_due from bills where client_id = ${clientId} and accounting_batch_id = ${id}
    order by account_number, date, id`.execute(tx)
  return rows
}

export interface NewBills {
  readonly new_bills: BatchBill[]
  readonly new_bills_total: string
  readonly waiting: BatchBill[]
  readonly waiting_count: number
}

/**
 * Returns the client's unbatched bills that belong to the batch's group, or to any group if the batch has none. `waiting` are the bills that no
 * batch may take yet; the first of them carry their reasons. Void bills are left out, and of a group those that are booked by another bill.
 */
export async function newBillsOf(tx: Tx, batch: AskedBatch): Promise<NewBills> {
  const terms = await termsOf(tx, batch)
  const unbatched = await readBills(
    tx,
    terms,
    sql<boolean>`bills.accounting_batch_id is null and bills.superseded_by_id is null and ${inGroup(batch)}`,
  )
  const new_bills = unbatched.filter((bill) => bill.refusal === null)
  const waiting = unbatched.filter(({ refusal }) => refusal !== null && refusal !== 'group_bill' && refusal !== 'group_booked')
  return {
    new_bills,
    new_bills_total: sumMoney(new_bills.map((bill) => bill.amount_due)),
    waiting: waiting.slice(0, waitingBillsMax),
    waiting_count: waiting.length,
  }
}

/** Returns which of these bills the batch may not take, each with its reason. Ids that are no bill of the client are skipped. */
export function refusedBillsOf(tx: Tx, terms: BatchTerms, ids: readonly number[]): Promise<BatchBill[]> {
  return readBills(tx, terms, sql<boolean>`bills.id = any(${ids}::bigint[]) and ${refusalColumn(terms)} is not null`)
}

function inGroup({ client_id: clientId, batch_group_id: groupId }: AskedBatch): Condition {
  if (groupId === null) return sql<boolean>`true`
  return sql<boolean>`bills.division_id in (select id from divisions where client_id = ${clientId} and batch_group_id = ${groupId})`
}

async function readBills(tx: Tx, terms: BatchTerms, where: Condition): Promise<BatchBill[]> {
  const { clientId, batchId } = terms
  const { rows } = await sql<BatchBill>`
    select bills.id, bills.client_id, case when bills.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type,
      coalesce(bills.billable_account_id, bills.supply_account_id) as account_id, bills.account_number, coalesce(billable.name, supply.name) as account_name,
      bills.vendor_id, vendor.name as vendor_name, division.name as division_name, facility.name as facility_name, bills.invoice_number,
      bills.date, bills.due_date, bills.previous_read_date, bills.read_date, bills.balance_forward, bills.current_charges, bills.late_fee, bills.amount_due,
      bills.qc, exists (select 1 from service_bills line where line.client_id = ${clientId} and line.bill_id = bills.id and line.estimated) as estimated,
      bills.open_errors, ${refusalColumn(terms)} as refusal,
      case when bills.accounting_batch_id is distinct from ${batchId}::bigint then other.batch_code end as other_batch_code
    from bills
    left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = bills.billable_account_id
    left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = bills.supply_account_id
    left join vendors vendor on vendor.id = bills.vendor_id
    left join divisions division on division.client_id = ${clientId} and division.id = bills.division_id
    left join facilities facility on facility.client_id = ${clientId} and facility.id = bills.facility_id
    left join accounting_batches other on other.client_id = ${clientId} and other.id = bills.accounting_batch_id
    where bills.client_id = ${clientId} and ${where}
    order by bills.account_number, bills.date, bills.id`.execute(tx)
  return rows
}
