/**
 * Detects what a document seems to repeat: by its file, and by the account, date and amount that were read on it. An earlier result is
 * kept.
 */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'

const isAsked = sql`bill_scans.bill_id is null and not bill_scans.kept_beside`
/** The parts of one file do not repeat each other. */
const isOfOtherFile = sql`(other.origin_file_id is null or other.origin_file_id is distinct from bill_scans.origin_file_id)`
const twins = sql`files own join files twin on twin.sha256 = own.sha256 and twin.state = 'attached'`

/** The bill with the same file or the same values. */
export const sameBill = sql<number | null>`case when ${isAsked} then coalesce(
  (select bill.id from bills bill where bill.client_id = bill_scans.client_id and bill.date = bill_scans.bill_date and bill.amount_due = bill_scans.amount_due
    and bill.superseded_by_id is null
    and (bill.billable_account_id = bill_scans.billable_account_id or bill.supply_account_id = bill_scans.supply_account_id) order by bill.id limit 1),
  (select held.bill_id from ${twins} join bill_files held on held.client_id = bill_scans.client_id and held.file_id = twin.id
    where own.id = bill_scans.file_id order by held.bill_id limit 1),
  (select other.bill_id from ${twins} join bill_scans other on other.client_id = bill_scans.client_id and other.origin_file_id = twin.id
    where own.id = bill_scans.file_id and other.bill_id is not null and ${isOfOtherFile} order by other.bill_id limit 1)) end`

/** The earlier document with the same file or the same values that is not a bill yet. */
export const sameScan = sql<number | null>`case when ${isAsked} then coalesce(
  (select other.id from ${twins} join bill_scans other on other.client_id = bill_scans.client_id and (other.file_id = twin.id or other.origin_file_id = twin.id)
    where own.id = bill_scans.file_id and other.id < bill_scans.id and other.bill_id is null and ${isOfOtherFile} order by other.id limit 1),
  (select other.id from bill_scans other where other.client_id = bill_scans.client_id and other.id < bill_scans.id and other.state = 'read'
    and other.bill_date = bill_scans.bill_date and other.amount_due = bill_scans.amount_due
    and (other.billable_account_id = bill_scans.billable_account_id or other.supply_account_id = bill_scans.supply_account_id) order by other.id limit 1)) end`

/** Returns what a new document repeats. */
export async function repeatsOf(
  context: Context,
  clientId: number,
  id: number,
): Promise<{ same_bill_id: number | null; same_scan_id: number | null }> {
  const { rows } = await sql<{ same_bill_id: number | null; same_scan_id: number | null }>`
    select ${sameBill} as same_bill_id, ${sameScan} as same_scan_id from bill_scans where client_id = ${clientId} and id = ${id}`.execute(
    context.tx,
  )
  return rows[0] ?? { same_bill_id: null, same_scan_id: null }
}
