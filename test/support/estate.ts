/** A small estate in the database for tests: each maker returns the id. */
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import { counter } from './counter.ts'

type Db = Kysely<Tables>
const count = counter()

export function makeClient(db: Db, values: { name?: string; active?: boolean; channel_partner_id?: number } = {}): Promise<number> {
  const code = `C${count.next()}`
  return made(
    db,
    sql`insert into clients (name, short_code, identifier, active, channel_partner_id, user_management, utility_payment_management, accounting_batch_management, ledger_account_management)
    values (${values.name ?? `Client ${code}`}, ${code}, ${code}, ${values.active ?? true}, ${values.channel_partner_id ?? null}::bigint, true, true, true, true) returning id`,
  )
}

export function makeDivision(db: Db, clientId: number, values: { name?: string } = {}): Promise<number> {
  return made(
    db,
    sql`insert into divisions (client_id, name, short_code, code) values (${clientId}, ${values.name ?? `Division ${count.next()}`}, 'D', 'D') returning id`,
  )
}

export function makeFacility(db: Db, clientId: number, divisionId: number, values: { name?: string } = {}): Promise<number> {
  return made(
    db,
    sql`insert into facilities (client_id, division_id, name, number) values (${clientId}, ${divisionId}, ${values.name ?? `Facility ${count.next()}`}, ${String(count.last())}) returning id`,
  )
}

export function makeVendor(db: Db, values: { name?: string } = {}): Promise<number> {
  return made(db, sql`insert into vendors (name, short_code) values (${values.name ?? 'Vendor'}, ${`V${count.next()}`}) returning id`)
}

export function makeBillableAccount(
  db: Db,
  clientId: number,
  facilityId: number,
  vendorId: number,
  values: { name?: string; account_number?: string; is_group_account?: boolean } = {},
): Promise<number> {
  return made(
    db,
    sql`insert into billable_accounts (client_id, facility_id, vendor_id, name, account_number, is_group_account, street_address_1, city, state, zip)
    values (${clientId}, ${facilityId}, ${vendorId}, ${values.name ?? 'Account'}, ${values.account_number ?? `A-${count.next()}`}, ${values.is_group_account ?? false}, '1 Main', 'Austin', 'TX', '78701') returning id`,
  )
}

export function makeSupplyAccount(
  db: Db,
  clientId: number,
  facilityId: number | null,
  values: { name?: string; account_number?: string } = {},
): Promise<number> {
  return made(
    db,
    sql`insert into supply_accounts (client_id, facility_id, name, account_number, street_address_1, city, state, zip)
    values (${clientId}, ${facilityId}, ${values.name ?? 'Supply'}, ${values.account_number ?? `S-${count.next()}`}, '1 Main', 'Austin', 'TX', '78701') returning id`,
  )
}

export function makeService(
  db: Db,
  clientId: number,
  account: { billable_account_id: number } | { supply_account_id: number },
  values: { meter_number?: string; utility_service?: string } = {},
): Promise<number> {
  const [column, id] =
    'billable_account_id' in account
      ? ['billable_account_id', account.billable_account_id]
      : ['supply_account_id', account.supply_account_id]
  return made(
    db,
    sql`insert into services (client_id, ${sql.ref(column)}, meter_number, utility_service_id, rank)
    values (${clientId}, ${id}, ${values.meter_number ?? `M-${count.next()}`}, (select id from utility_services where name = ${values.utility_service ?? 'Electric'}), 1) returning id`,
  )
}

export function makeLedgerAccount(db: Db, clientId: number, name: string): Promise<number> {
  return made(db, sql`insert into ledger_accounts (client_id, name) values (${clientId}, ${name}) returning id`)
}

async function made(db: Db, statement: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ id: number }>`${statement}`.execute(db)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('nothing was made')
  return id
}
