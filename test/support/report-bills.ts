/** Bills for the tests of reports: rows with what a save would have stored beside them. */
import { sql } from 'kysely'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'
import { addBill, type TestBill, type TestLine } from './fact-bills.ts'

/** A line whose days and amount are those of its bill. */
export function line(service_id: number, from: string, to: string, utility: string, more: Partial<TestLine> = {}): TestLine {
  return { service_id, from, to, utility, ...more }
}

/** Adds a bill with its amount due, its place and the units of its lines. @returns its id. */
export async function addOwedBill(tx: Tx, clientId: number, bill: TestBill): Promise<number> {
  const { id } = await addBill(tx, clientId, bill)
  await sql`update bills set amount_due = balance_forward + current_charges + late_fee, facility_id = account.facility_id,
      division_id = (select division_id from facilities where facilities.client_id = ${clientId} and facilities.id = account.facility_id),
      vendor_id = account.vendor_id, account_number = account.account_number, created_at = bills.date + interval '17 hours'
    from (select id, null::bigint as supply_id, facility_id, vendor_id, account_number from billable_accounts where client_id = ${clientId}
      union all select null, id, facility_id, vendor_id, account_number from supply_accounts where client_id = ${clientId}) account
    where bills.client_id = ${clientId} and bills.id = ${id} and (bills.billable_account_id = account.id or bills.supply_account_id = account.supply_id)`.execute(
    tx,
  )
  await sql`update service_bills line set unit_id = unit.unit_id from services service
    join usage_units unit on unit.utility_service_id = service.utility_service_id and unit.standard
    where line.client_id = ${clientId} and line.bill_id = ${id} and service.client_id = ${clientId} and service.id = line.service_id`.execute(
    tx,
  )
  return id
}
