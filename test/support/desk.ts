/** Setup for the tests of the desk: vendors of a payment type, payers, and payable bills. */
import { sql } from 'kysely'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'
import { secretColumns } from '../../src/server/kernel/secret.ts'
import { makePerson, testSecretKey, type Person } from './app.ts'
import { makeAccount, makeGround, type Ground } from './bills.ts'
import { addBill } from './fact-bills.ts'

export interface DeskVendor {
  readonly method?: string
  readonly exclusive?: boolean
  readonly name?: string
}

/** Creates a vendor with one payment method; without one if `method` is ''. */
export async function makeDeskVendor(
  tx: Tx,
  { method = 'Check', exclusive = false, name = 'Desk Vendor' }: DeskVendor = {},
): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into vendors (name, short_code, is_exclusive, street_address_1, city, state, zip, phone)
    values (${name}, ${`D${Math.random().toString(36).slice(2, 10)}`}, ${exclusive}, '1 Main St', 'Denver', 'CO', '80202', '303 555 0100') returning id`.execute(
    tx,
  )
  const id = rows[0]?.id ?? 0
  if (method !== '')
    await sql`insert into vendor_payment_methods (vendor_id, payment_method_id) select ${id}, id from payment_methods where name = ${method}`.execute(
      tx,
    )
  return id
}

/** A vendor that is paid by ACH to an account of its own. */
export async function makeAchVendor(tx: Tx, name = 'Wire & Water', account = '123456789'): Promise<number> {
  const id = await makeDeskVendor(tx, { method: 'ACH', name })
  const columns = {
    ...secretColumns(testSecretKey, { table: 'vendors', column: 'po_box', id }, '021000021'),
    ...secretColumns(testSecretKey, { table: 'vendors', column: 'payment_identifier', id }, account),
  }
  await sql`update vendors set ${sql.join(Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))} where id = ${id}`.execute(
    tx,
  )
  return id
}

/** The default profile of a payer, whose account is at First Bank. */
export async function makeBankProfile(tx: Tx, clientId: number): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into originating_profiles (client_id, name, is_default, bank_name, routing_number, immediate_destination,
      immediate_destination_name, immediate_origin, immediate_origin_name, company_name, company_id, account_type, character_set)
    values (${clientId}, 'Main', true, 'First Bank', '021000021', '021000021', 'First Bank', '1234567890', 'METERBOOK', 'PAYER', '1234567890', 'checking', 'standard')
    returning id`.execute(tx)
  const id = rows[0]?.id ?? 0
  const sealed = secretColumns(testSecretKey, { table: 'originating_profiles', column: 'account_number', id }, '99887766')
  await sql`update originating_profiles set account_number_encrypted = ${sealed['account_number_encrypted']}, account_number_last4 = '7766' where id = ${id}`.execute(
    tx,
  )
  return id
}

/** A client of its own. */
export const makePayer = (tx: Tx): Promise<Ground> => makeGround(tx)

export interface DeskBill {
  readonly amount: string
  readonly due?: string
  readonly date?: string
  readonly group_bill_id?: number
}

/** Creates a payable bill of the payer for this vendor. */
export async function makeDeskBill(
  tx: Tx,
  ground: Pick<Ground, 'clientId' | 'facilityId' | 'divisionId'>,
  vendorId: number,
  { amount, due = '2026-12-10', date = '2026-11-10', group_bill_id }: DeskBill,
): Promise<number> {
  const number = `7${Math.random().toString().slice(2, 12)}`
  const account = await makeAccount(tx, { ...ground, vendorId }, number)
  const { id } = await addBill(tx, ground.clientId, {
    account: { billable_account_id: account },
    date,
    current_charges: amount,
    lines: [],
    ...(group_bill_id === undefined ? {} : { group_bill_id }),
  })
  await sql`update bills set vendor_id = ${vendorId}, division_id = ${ground.divisionId}, facility_id = ${ground.facilityId}, account_number = ${number},
    due_date = ${due}, amount_due = current_charges where client_id = ${ground.clientId} and id = ${id}`.execute(tx)
  return id
}

/** Creates a user whose sign-in does not expire, whatever day the test's clock shows. */
export async function makeLastingPerson(...args: Parameters<typeof makePerson>): Promise<Person> {
  const person = await makePerson(...args)
  await sql`update sessions set used_at = '2100-01-01', created_at = '2100-01-01', renewed_at = '2100-01-01' where user_id = ${person.id}`.execute(
    args[0],
  )
  return person
}
