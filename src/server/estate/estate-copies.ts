/**
 * Bills have copies of their account's number, vendor, facility and division, because lists filter and sort millions of rows by them. Code
 * that changes the source updates the copies in the same transaction, together with the months that dashboards read.
 */
import { sql, type RawBuilder } from 'kysely'
import { moveFacts, refreshFactsUnder } from '../month-facts/month-facts.ts'
import type { Tx } from '../kernel/postgres/database.ts'

type AccountKind = 'billable_account' | 'supply_account'

/**
 * Copies an account's number, vendor and place to its bills. A bill in a payment keeps the vendor that the payment names: it is a
 * historical fact.
 */
export async function copyAccountToBills(tx: Tx, kind: AccountKind, clientId: number, accountId: number): Promise<void> {
  const key = sql.ref(`bills.${kind}_id`)
  await sql`update bills set account_number = account.account_number, facility_id = account.facility_id, division_id = facility.division_id,
      vendor_id = case when bills.vendor_payment_id is null and not bills.paid then account.vendor_id else bills.vendor_id end
    from ${sql.table(`${kind}s`)} account left join facilities facility on facility.client_id = account.client_id and facility.id = account.facility_id
    where bills.client_id = ${clientId} and ${key} = ${accountId} and account.client_id = ${clientId} and account.id = ${accountId}`.execute(
    tx,
  )
  await refreshFactsUnder(tx, clientId, kind, accountId)
}

/** The same for many accounts, given as a select of their ids. */
export async function copyAccountsToBills(tx: Tx, kind: AccountKind, clientId: number, ids: RawBuilder<unknown>): Promise<void> {
  const key = sql.ref(`bills.${kind}_id`)
  await sql`update bills set account_number = account.account_number, facility_id = account.facility_id, division_id = facility.division_id,
      vendor_id = case when bills.vendor_payment_id is null and not bills.paid then account.vendor_id else bills.vendor_id end
    from ${sql.table(`${kind}s`)} account left join facilities facility on facility.client_id = account.client_id and facility.id = account.facility_id
    where bills.client_id = ${clientId} and account.client_id = ${clientId} and account.id = ${key} and account.id in (${ids})`.execute(tx)
  await moveFacts(tx, clientId, kind, ids)
}

/** Copies a facility's division to the bills of its accounts. Facts are stored by facility, so they do not change. */
export async function copyDivisionToBills(tx: Tx, clientId: number, facilityId: number): Promise<void> {
  await sql`update bills set division_id = facility.division_id from facilities facility
    where bills.client_id = ${clientId} and bills.facility_id = ${facilityId} and facility.client_id = ${clientId} and facility.id = ${facilityId}`.execute(
    tx,
  )
}

/** The same for many facilities, given as a select of their ids. */
export async function copyDivisionsToBills(tx: Tx, clientId: number, ids: RawBuilder<unknown>): Promise<void> {
  await sql`update bills set division_id = facility.division_id from facilities facility
    where bills.client_id = ${clientId} and facility.client_id = ${clientId} and facility.id = bills.facility_id and facility.id in (${ids})
      and bills.division_id is distinct from facility.division_id`.execute(tx)
}
