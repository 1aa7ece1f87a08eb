/** Setup for the tests of bills: a client with accounts and meters, and contexts to act in. */
import type { BillDraft, ServiceBillDraft } from '#contract/bills/bill-draft.ts'
import { sql } from 'kysely'
import { quietMachinery } from './toy-server.ts'
import { unitOfWork, type Context } from '../../src/server/kernel/context.ts'
import type { Database, Tx } from '../../src/server/kernel/postgres/database.ts'
import type { Principal, Reach } from '../../src/server/kernel/principal.ts'
import { everything } from '../../src/server/kernel/lists/resource.ts'

export interface Ground {
  readonly clientId: number
  readonly divisionId: number
  readonly facilityId: number
  readonly vendorId: number
  /** An account with an electric and a gas meter that ask for the first two of the six entry fields. */
  readonly accountId: number
  readonly electricId: number
  readonly gasId: number
}

const one = async (tx: Tx, text: ReturnType<typeof sql<{ id: number }>>): Promise<number> => {
  const { rows } = await text.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('no id')
  return id
}

export async function makeClient(tx: Tx, code = `C${Math.random().toString(36).slice(2, 10)}`): Promise<number> {
  return one(tx, sql`insert into clients (name, short_code, identifier) values (${`Client ${code}`}, ${code}, ${code}) returning id`)
}

export async function makeGround(tx: Tx): Promise<Ground> {
  const clientId = await makeClient(tx)
  const vendorId = await one(tx, sql`insert into vendors (name, short_code) values ('City Power', ${`V${clientId}`}) returning id`)
  await sql`insert into vendor_payment_methods (vendor_id, payment_method_id) select ${vendorId}, id from payment_methods where name = 'Check'`.execute(
    tx,
  )
  await sql`update vendors set street_address_1 = '1 Main St' where id = ${vendorId}`.execute(tx)
  const divisionId = await one(
    tx,
    sql`insert into divisions (client_id, name, short_code, code) values (${clientId}, 'West', 'W', ${`W${clientId}`}) returning id`,
  )
  const facilityId = await one(
    tx,
    sql`insert into facilities (client_id, division_id, name, number) values (${clientId}, ${divisionId}, 'Store 1', ${`F${clientId}`}) returning id`,
  )
  const accountId = await makeAccount(tx, { clientId, facilityId, vendorId }, `0001234${clientId}`)
  const electricId = await makeService(tx, clientId, accountId, 'electric', 'E-1')
  const gasId = await makeService(tx, clientId, accountId, 'natural_gas', 'G-1')
  return { clientId, divisionId, facilityId, vendorId, accountId, electricId, gasId }
}

export async function makeAccount(
  tx: Tx,
  at: Pick<Ground, 'clientId' | 'facilityId' | 'vendorId'>,
  number: string,
  more: { group?: boolean; groupId?: number } = {},
): Promise<number> {
  return one(
    tx,
    sql`insert into billable_accounts (client_id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip, is_group_account, group_account_id)
      values (${at.clientId}, ${at.facilityId}, ${at.vendorId}, ${`Account ${number}`}, ${number}, '1 Main St', 'Denver', 'CO', '80202', ${more.group ?? false}, ${more.groupId ?? null}) returning id`,
  )
}

export async function makeSupplyAccount(tx: Tx, at: Pick<Ground, 'clientId' | 'facilityId' | 'vendorId'>, number: string): Promise<number> {
  return one(
    tx,
    sql`insert into supply_accounts (client_id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip)
      values (${at.clientId}, ${at.facilityId}, ${at.vendorId}, ${`Supply ${number}`}, ${number}, '1 Main St', 'Denver', 'CO', '80202') returning id`,
  )
}

export async function makeService(
  tx: Tx,
  clientId: number,
  accountId: number,
  utility: string,
  meter: string,
  kind: 'billable_account_id' | 'supply_account_id' = 'billable_account_id',
): Promise<number> {
  const id = await one(
    tx,
    sql`insert into services (client_id, ${sql.ref(kind)}, meter_number, utility_service_id, usage_unit_id, meter_multiplier)
      select ${clientId}, ${accountId}, ${meter}, utility_services.id, usage_units.id, 1 from utility_services
      join usage_units on usage_units.utility_service_id = utility_services.id and usage_units.standard where utility_services.code = ${utility} returning id`,
  )
  await sql`insert into service_entry_fields (client_id, service_id, entry_field_id) select ${clientId}, ${id}, id from entry_fields where name in ('Utility Charges', 'Utility Taxes')`.execute(
    tx,
  )
  return id
}

interface Acting {
  readonly principal?: Principal
  readonly reach?: Reach
  /** Wraps the transaction, to count its statements. */
  readonly seen?: (tx: Tx) => Tx
}

/** Runs work in a context of the System, or of a user, with reach over everything by default; versions are raised at the end. */
export async function acting<T>(
  database: Database,
  work: (context: Context) => Promise<T>,
  { principal, reach = everything, seen = (tx) => tx }: Acting = {},
): Promise<T> {
  return database.db.transaction().execute(async (tx) => {
    const unit = unitOfWork(
      seen(tx),
      { principal: principal ?? null, ip: null, requestId: 'test', connectionId: null },
      reach,
      quietMachinery(database),
    )
    const result = await work(unit.context)
    await unit.finish()
    return result
  })
}

/** A month of the account with both meters; adds up to the cent. `month` is 1 for January 2025. */
export function monthlyDraft(
  ground: Pick<Ground, 'accountId' | 'electricId' | 'gasId'>,
  month: number,
  change: Partial<BillDraft> = {},
): BillDraft {
  const day = (monthsOn: number): string => new Date(Date.UTC(2025, month - 1 + monthsOn, 1)).toISOString().slice(0, 10)
  const line = (service_id: number, start: number, used: number, charges: string): ServiceBillDraft => ({
    service_id,
    previous_read_date: day(0),
    read_date: day(1),
    previous_reading: `${start + used * (month - 1)}.00`,
    meter_reading: `${start + used * month}.00`,
    service_bill_entry_fields: [{ name: 'Utility Charges', value: charges }],
  })
  return {
    account_type: 'BillableAccount',
    account_id: ground.accountId,
    date: day(1).slice(0, 8) + '05',
    due_date: day(1).slice(0, 8) + '25',
    invoice_number: `INV-${month}`,
    balance_forward: '0.00',
    current_charges: `${150 + month}.00`,
    late_fee: '0.00',
    amount_due: `${150 + month}.00`,
    source: 'import',
    service_bills: [line(ground.electricId, 10_000, 900, `${100 + month}.00`), line(ground.gasId, 500, 40, '50.00')],
    ...change,
  }
}
