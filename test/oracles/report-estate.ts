/**
 * The client of the reports' oracles: two years of bills with groups, suppliers, void bills, gaps and fiscal months, and beside them credits,
 * all kinds of charges, meters that come and go, closed batches, a bill that was replaced after it was booked, and payments that were taken back.
 * Batches and payments are made by the calls of the product.
 */
import { sql } from 'kysely'
import { rebuildFacts } from '../../src/server/month-facts/month-facts.ts'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'
import { insert } from '../every-call/world.ts'
import type { Method, Person, TestApp } from '../support/app.ts'
import { makeAccount, makeGround, makeService, makeSupplyAccount, type Ground } from '../support/bills.ts'
import { makeLedgerAccount } from '../support/estate.ts'
import { addOwedBill, line } from '../support/report-bills.ts'
import { makeFiguresWorld } from './figures-world.ts'

export interface ReportEstate {
  readonly ground: Ground
  readonly clientId: number
  /** A second client with one bill. */
  readonly otherId: number
  readonly closed: number
  /** Holds the bill that replaced one of the closed batch. */
  readonly open: number
  /** A vendor batch that is paid, and one whose payment was taken back. */
  readonly paidBatch: number
  readonly returnedBatch: number
}

export async function makeReportEstate({ ask, database: { db } }: Pick<TestApp, 'ask' | 'database'>, staff: Person): Promise<ReportEstate> {
  const ground = await makeFiguresWorld(db)
  const { clientId } = ground
  await describeBills(db, clientId)
  await addCharges(db, ground)
  await addCents(db, ground)
  await addCredits(db, ground)
  await addComingMeters(db, ground)
  await addFiscalYear(db, ground)
  await codeServices(db, ground)
  await sql`update bills set created_at = date + interval '17 hours' where client_id = ${clientId}`.execute(db)
  const other = await makeGround(db)
  await addOwedBill(db, other.clientId, {
    account: { billable_account_id: other.accountId },
    date: '2025-10-01',
    current_charges: '77.77',
    lines: [line(other.electricId, '2025-09-01', '2025-10-01', '77.77', { usage: '100' })],
  })
  const call = calling(ask, staff)
  const batches = await makeBatches(db, ground, call)
  const paid = await payBills(db, clientId, call)
  for (const id of [clientId, other.clientId]) await db.transaction().execute((tx) => rebuildFacts(tx, id))
  await sql`update billable_accounts account set last_bill_date = (select max(date) from bills where client_id = ${clientId} and billable_account_id = account.id)
    where client_id = ${clientId}`.execute(db)
  return { ground, clientId, otherId: other.clientId, ...batches, ...paid }
}

type Call = (method: Method, path: string, body: object) => Promise<number>

function calling(ask: TestApp['ask'], staff: Person): Call {
  return async (method, path, body) => {
    const answer = await ask(staff, method, path, body)
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`)
    return Number(answer.body['id'] ?? 0)
  }
}

/** What a save would have stored beside the amounts. */
async function describeBills(db: Tx, clientId: number): Promise<void> {
  await sql`update clients set user_management = true, utility_payment_management = true, accounting_batch_management = true, ledger_account_management = true,
    export_date_format = 'YYYY-MM-DD' where id = ${clientId}`.execute(db)
  await sql`update bills set amount_due = balance_forward + current_charges + late_fee, invoice_number = 'INV-' || bills.id, notes = case when bills.id % 7 = 0 then 'Seen' end,
      division_id = (select division_id from facilities where facilities.client_id = bills.client_id and facilities.id = account.facility_id),
      facility_id = account.facility_id, vendor_id = account.vendor_id, account_number = account.account_number
    from (select client_id, id, null::bigint as supply_id, facility_id, vendor_id, account_number from billable_accounts
      union all select client_id, null, id, facility_id, vendor_id, account_number from supply_accounts) account
    where bills.client_id = ${clientId} and bills.client_id = account.client_id and (bills.billable_account_id = account.id or bills.supply_account_id = account.supply_id)`.execute(
    db,
  )
}

/** Ledger accounts with a field, a service on two of them, a supplier on those of its delivery meter, late fees on their own, and one meter on none. */
async function codeServices(db: Tx, { clientId, vendorId, facilityId }: Ground): Promise<void> {
  const [power, water, fees, prior] = await Promise.all(
    ['6100 Power', '6200 Water', '6900 Late fees', '2100 Prior balances'].map((name) => makeLedgerAccount(db, clientId, name)),
  )
  const field = await insert(db, 'ledger_fields', { client_id: clientId, name: 'Cost Centre', description: 'c', order: 1 })
  await insert(db, 'ledger_account_fields', { client_id: clientId, ledger_account_id: water, ledger_field_id: field, value: 'CC-7' })
  await sql`update services set ledger_account_id = case when supply_account_id is null then ${power}::bigint end, billable_ledgers = supply_account_id is not null,
      rate_schedule = 'GS-' || id, service_name_1 = 'Main' where client_id = ${clientId} and meter_number <> 'NW-1'`.execute(db)
  await sql`update services set billable_ledgers = false, ledger_account_id = ${power} where client_id = ${clientId} and meter_number = 'SUP-2-M'`.execute(
    db,
  )
  const { rows } = await sql<{
    id: number
  }>`select service.id from services service join utility_services kind on kind.id = service.utility_service_id
    where service.client_id = ${clientId} and kind.code = 'water'`.execute(db)
  for (const [position, [ledger_account_id, share_ratio]] of (
    [
      [power, '0.3333'],
      [water, '0.6667'],
    ] as const
  ).entries())
    await insert(db, 'shared_accounts', { client_id: clientId, service_id: rows[0]?.id, ledger_account_id, share_ratio, position })
  await sql`insert into client_ledger_settings (client_id, late_fee_ledger_account_id, prior_balance_ledger_account_id) values (${clientId}, ${fees}, ${prior})`.execute(
    db,
  )
  await insert(db, 'client_vendor_numbers', { client_id: clientId, vendor_id: vendorId, vendor_number: 'VN-1' })
  await sql`update facilities set facility_type_id = (select min(id) from facility_types), street_address_1 = '1 Main St', city = 'Denver', state = 'CO'
    where client_id = ${clientId} and id = ${facilityId}`.execute(db)
}

/** Every kind of charge on one bill, over two months and a turn of the year, with charges beside the lines and a fee. */
async function addCharges(db: Tx, ground: Ground): Promise<void> {
  const account = await makeAccount(db, ground, 'CHARGES-1')
  const [power, gas] = [
    await makeService(db, ground.clientId, account, 'electric', 'CH-E'),
    await makeService(db, ground.clientId, account, 'natural_gas', 'CH-G'),
  ]
  await sql`update services set emissions_factor = 5.1234 where client_id = ${ground.clientId} and id = ${gas}`.execute(db)
  for (const [from, to, turn] of [
    ['2024-11-18', '2024-12-17', 1],
    ['2024-12-17', '2025-01-16', 2],
    ['2025-01-16', '2025-02-14', 3],
    ['2025-02-14', '2025-03-17', 5],
  ] as const)
    await addOwedBill(db, ground.clientId, {
      account: { billable_account_id: account },
      date: to,
      current_charges: (171.12 + turn).toFixed(2),
      late_fee: turn === 2 ? '4.99' : '0.00',
      balance_forward: turn === 3 ? '-12.34' : '0.00',
      lines: [
        line(power, from, to, '100.01', { supply: '20.03', other: '3.05', additional: '7.77', usage: '1234.567' }),
        line(gas, from, to, '33.33', { usage: String(10 * turn) }),
      ],
    })
}

/** A line over two whole months whose charges, each spread by day, come to a cent more in the first one than their sum does. */
async function addCents(db: Tx, ground: Ground): Promise<void> {
  const account = { billable_account_id: await makeAccount(db, ground, 'CENTS-1') }
  const meter = await makeService(db, ground.clientId, account.billable_account_id, 'electric', 'CE-E')
  for (const [from, to, charge] of [
    ['2025-07-01', '2025-09-01', '60.06'],
    ['2025-09-01', '2025-11-01', '100.01'],
  ] as const)
    await addOwedBill(db, ground.clientId, {
      account,
      date: to,
      current_charges: (Number(charge) * 2).toFixed(2),
      lines: [line(meter, from, to, charge, { supply: charge, usage: '100' })],
    })
}

/** A bill, and a correction of the same days that is larger than it; and a bill that is nothing but a credit. */
async function addCredits(db: Tx, ground: Ground): Promise<void> {
  const account = { billable_account_id: await makeAccount(db, ground, 'CREDIT-1') }
  const meter = await makeService(db, ground.clientId, account.billable_account_id, 'electric', 'CR-E')
  const bill = (date: string, charge: string, from: string, to: string, usage: string) =>
    addOwedBill(db, ground.clientId, { account, date, current_charges: charge, lines: [line(meter, from, to, charge, { usage })] })
  await bill('2025-08-12', '200.00', '2025-07-10', '2025-08-10', '400')
  await bill('2025-09-12', '310.00', '2025-08-10', '2025-09-10', '500')
  await bill('2025-09-20', '-350.00', '2025-08-10', '2025-09-10', '-50')
  await addOwedBill(db, ground.clientId, { account, date: '2025-10-03', current_charges: '-25.55', lines: [] })
}

/** Meters that begin and end within days that are billed, one without days, and one that is flagged as unusual. */
async function addComingMeters(db: Tx, ground: Ground): Promise<void> {
  const { clientId } = ground
  const account = { billable_account_id: await makeAccount(db, ground, 'COMING-1') }
  const meters = await Promise.all(
    ['CO-1', 'CO-2', 'CO-3'].map((meter) => makeService(db, clientId, account.billable_account_id, 'electric', meter)),
  )
  const [begins = 0, ends = 0, odd = 0] = meters
  for (const [from, to, charge] of [
    ['2025-07-01', '2025-08-01', '62.00'],
    ['2025-08-01', '2025-09-01', '93.01'],
    ['2025-09-01', '2025-09-26', '51.13'],
  ] as const)
    await addOwedBill(db, clientId, {
      account,
      date: to,
      current_charges: (Number(charge) * 3).toFixed(2),
      lines: meters.map((meter) => line(meter, from, to, charge, { usage: '300' })),
    })
  await sql`update services set effective_from = '2025-09-11' where client_id = ${clientId} and id = ${begins}`.execute(db)
  await sql`update services set effective_to = '2025-10-20' where client_id = ${clientId} and id = ${ends}`.execute(db)
  const undated = { service_id: odd, from: null, to: null, utility: '9.99', usage: '1' }
  const id = await addOwedBill(db, clientId, { account, date: '2025-10-09', current_charges: '9.99', lines: [undated] })
  await sql`insert into bill_findings (client_id, bill_id, service_bill_id, code, severity, message)
    select client_id, bill_id, id, 'usage_high', 'E', 'Usage is far above last year''s' from service_bills where client_id = ${clientId} and service_id = ${odd} and read_date = '2025-08-01'`.execute(
    db,
  )
  await sql`insert into bill_findings (client_id, bill_id, code, severity, message) values (${clientId}, ${id}, 'other', 'W', 'No days')`.execute(
    db,
  )
}

/** Bills at the turn of a fiscal year that begins in July, and a supplier that belongs to no facility. */
async function addFiscalYear(db: Tx, ground: Ground): Promise<void> {
  const { clientId } = ground
  const account = { supply_account_id: await makeSupplyAccount(db, ground, 'NOWHERE') }
  await sql`update supply_accounts set facility_id = null where client_id = ${clientId} and id = ${account.supply_account_id}`.execute(db)
  const meter = await makeService(db, clientId, account.supply_account_id, 'natural_gas', 'NW-1', 'supply_account_id')
  for (const [date, fiscal_month, own] of [
    ['2025-07-03', '2025-06', undefined],
    ['2025-06-28', '2025-07', undefined],
    ['2025-07-30', '2025-07', '2025-06'],
    ['2024-07-05', '2024-06', undefined],
  ] as const)
    await addOwedBill(db, clientId, {
      account,
      date,
      fiscal_month,
      current_charges: '40.10',
      lines: [
        line(meter, `${date.slice(0, 4)}-05-20`, `${date.slice(0, 4)}-06-21`, '0.00', {
          supply: '40.10',
          usage: '25',
          ...(own ? { fiscal_month: own } : {}),
        }),
      ],
    })
  await addOwedBill(db, clientId, { account, date: '2025-09-30', current_charges: '6.60', lines: [], from: '2025-08-15', to: '2025-09-15' })
}

/** A closed batch of a quarter, of which one bill is replaced later; the new bill is in an open batch. */
async function makeBatches(db: Tx, { clientId }: Ground, call: Call): Promise<{ closed: number; open: number }> {
  const at = `/clients/${clientId}/accounting_batches`
  const { rows } = await sql<{ id: number; account: number | null }>`select id, billable_account_id as account from bills
    where client_id = ${clientId} and superseded_by_id is null and date between '2025-07-01' and '2025-09-15' and billable_account_id is not null
      and id not in (select group_bill_id from bills where client_id = ${clientId} and group_bill_id is not null)
      and exists (select from service_bills line where line.client_id = ${clientId} and line.bill_id = bills.id) order by id`.execute(db)
  await sql`update bills set open_errors = 0, open_blocking = 0 where client_id = ${clientId}`.execute(db)
  const closed = await call('POST', at, { accounting_batch: { batch_code: 'FY26-Q1', bill_ids: rows.map(({ id }) => id) } })
  await call('PATCH', `${at}/${closed}`, { accounting_batch: { closed: true } })
  await sql`update accounting_batches set closed_at = '2025-10-20T17:00:00Z' where client_id = ${clientId} and id = ${closed}`.execute(db)
  // The first bill of the batch was wrong, and another one replaces it.
  const old = rows[0]?.id ?? 0
  const { rows: facts } = await sql<{
    service_id: number
    from: string
    to: string
  }>`select service_id, previous_read_date as from, read_date as to
    from service_bills where client_id = ${clientId} and bill_id = ${old} order by position`.execute(db)
  const fresh = await addOwedBill(db, clientId, {
    account: { billable_account_id: rows[0]?.account ?? 0 },
    date: '2025-11-06',
    current_charges: (55.5 * facts.length).toFixed(2),
    lines: facts.map(({ service_id, from, to }) => line(service_id, from, to, '55.50', { usage: '120' })),
  })
  await sql`update bills set superseded_by_id = ${fresh} where client_id = ${clientId} and id = ${old}`.execute(db)
  const more = await sql<{
    id: number
  }>`select id from bills where client_id = ${clientId} and accounting_batch_id is null and superseded_by_id is null and billable_account_id is not null
    and date between '2025-10-05' and '2025-10-25' and group_bill_id is not null`.execute(db)
  const open = await call('POST', at, { accounting_batch: { batch_code: 'FY26-Q2', bill_ids: [fresh, ...more.rows.map(({ id }) => id)] } })
  return { closed, open }
}

/** Vendor batches of two months: one payment is taken back and its bills are owed again, one of them is paid a second time. */
async function payBills(db: Tx, clientId: number, call: Call): Promise<{ paidBatch: number; returnedBatch: number }> {
  const at = `/clients/${clientId}/payment_batches`
  const ofMonth = async (month: string): Promise<number[]> => {
    const { rows } = await sql<{
      id: number
    }>`select id from bills where client_id = ${clientId} and superseded_by_id is null and group_bill_id is null
      and amount_due > 0 and vendor_id is not null and not paid and to_char(date, 'YYYY-MM') = ${month} order by id`.execute(db)
    return rows.map(({ id }) => id)
  }
  const paid = async (ids: readonly number[], date: string, number: string): Promise<{ batch: number; payment: number }> => {
    const head = { payer_type: 'Client', payer_id: clientId, batch_date: date, bills_due_date: date, bill_ids: ids }
    const batch = await call('POST', at, { payment_batch: head })
    const { rows } = await sql<{
      id: number
    }>`select id from vendor_payments where client_id = ${clientId} and payment_batch_id = ${batch} order by id`.execute(db)
    for (const { id } of rows)
      await call('PATCH', `${at}/${batch}/vendor_payments/${id}`, {
        vendor_payment: { payment_date: date, check_number: `${number}${id}` },
      })
    await call('PATCH', `${at}/${batch}`, { payment_batch: { closed: true } })
    return { batch, payment: rows[0]?.id ?? 0 }
  }
  const first = await paid(await ofMonth('2025-08'), '2025-09-05', '10')
  const second = await paid(await ofMonth('2025-09'), '2025-10-06', '20')
  const payment_reversal = { kind: 'void_check', reversed_date: '2025-11-04', reason: 'The check was lost' }
  await call('POST', `${at}/${second.batch}/vendor_payments/${second.payment}/reverse`, { payment_reversal })
  const again = (await ofMonth('2025-09')).slice(0, 1)
  await paid(again, '2025-11-20', '30')
  return { paidBatch: first.batch, returnedBatch: second.batch }
}
