/** The proposal from a document's words, stored with it for the list and the form. */
import type { BillReading, DocumentWords } from '#contract/bill-reading/bill-reading.ts'
import { valuesOfLines } from '#contract/bill-reading/reading-lines.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { proposeBill } from '../bill-reading/bill-reading.ts'
import { unitOfWork, type Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { everything } from '../kernel/lists/resource.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { nameServices, servicesOfAccount } from './name-services.ts'
import { proposalsOf } from './scan-proposals.ts'

/** Returns the proposal from the words, with the services of its lines. */
export async function readingOf(tx: Tx, clientId: number, words: DocumentWords): Promise<{ reading: BillReading; lines: LinesRead }> {
  const proposed = await proposeBill(tx, clientId, words)
  const services = proposed.account === null ? [] : await servicesOfAccount(tx, clientId, proposed.account)
  const reading = nameServices(proposed, words, services)
  return { reading, lines: valuesOfLines(reading, services) }
}
type LinesRead = ReturnType<typeof valuesOfLines>

/** Stores the proposal if the condition `still` holds for the row. @returns whether it did. */
export async function keepReading(
  context: Context,
  key: { client_id: number; id: number },
  words: DocumentWords,
  still: RawBuilder<SqlBool>,
): Promise<boolean> {
  const { reading, lines } = await readingOf(context.tx, key.client_id, words)
  const found = proposalsOf(reading)
  const { rows } =
    await sql`update bill_scans set state = 'read', heartbeat_at = null, error = null, read_at = now(), updated_at = now(), lock_version = lock_version + 1,
      reading = ${JSON.stringify(reading)}::jsonb, bills_inside = case when is_one_bill then 1 else ${found.bills_inside} end,
      vendor_id = ${found.vendor_id}, vendor_name = ${found.vendor_name}, billable_account_id = ${found.billable_account_id},
      supply_account_id = ${found.supply_account_id}, account_number = ${found.account_number}, bill_date = ${found.bill_date},
      due_date = ${found.due_date}, amount_due = ${found.amount_due}, confidence = ${found.confidence},
      lines_found = ${lines.found}, lines_missing = ${lines.expected - lines.found}
    where client_id = ${key.client_id} and id = ${key.id} and ${still} returning id`.execute(context.tx)
  if (rows.length > 0) context.touch(key.client_id)
  return rows.length > 0
}

/** Runs a transaction without a user: a machine's proposal is not a user's action, and leaves no entry in the trail. */
export async function inUnit(machinery: Machinery, work: (context: Context) => Promise<void>): Promise<void> {
  const caller = { principal: null, ip: null, requestId: 'bill-scan', connectionId: null }
  await machinery.jobsDatabase.db.transaction().execute(async (tx) => {
    const unit = unitOfWork(tx, caller, everything, machinery)
    await work(unit.context)
    await unit.finish()
  })
}
