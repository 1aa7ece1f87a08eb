/** Ground for the tests of the desk: vendors of a payment type, payers, and bills that can be paid. */
import { sql } from 'kysely'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'
import { makePerson, type Person } from './app.ts'
import { makeAccount, makeGround, type Ground } from './bills.ts'
import { addBill } from './fact-bills.ts'

export interface DeskVendor {
  readonly method?: string
  readonly exclusive?: boolean
  readonly name?: string
}

/** A vendor with one payment method; without one where `method` is ''. */
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

/** A client of its own. */
export const makePayer = (tx: Tx): Promise<Ground> => makeGround(tx)

export interface DeskBill {
  readonly amount: string
  readonly due?: string
  readonly date?: string
  readonly group_bill_id?: number
}

/** A bill of the payer for this vendor that nothing keeps from being paid. */
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

/** Somebody whose sign-in stays, whatever day the test's clock shows. */
export async function makeLastingPerson(...args: Parameters<typeof makePerson>): Promise<Person> {
  const person = await makePerson(...args)
  await sql`update sessions set used_at = '2100-01-01', created_at = '2100-01-01', renewed_at = '2100-01-01' where user_id = ${person.id}`.execute(
    args[0],
  )
  return person
}
