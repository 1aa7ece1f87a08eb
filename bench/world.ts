/** Databases full of bills, made by set-based SQL: the same estate for the same number of bills, on any machine. */
import pg from 'pg'
import { rebuildFacts } from '../src/server/month-facts/refresh-facts.ts'
import { openJobsDatabase, type Database } from '../src/server/kernel/postgres/database.ts'
import { migrate } from '../src/server/kernel/postgres/migrate.ts'

const clients = 20
/** At 100,000 bills. Client 1 has two thirds of them, the others share the rest equally. */
const accountsOfFirst = 5_600
const accountsOfOther = 144
const billsPerAccount = 12
const billsAtFullSize = 100_000

export interface World {
  readonly url: string
  readonly database: Database
  readonly bills: number
  readonly billsOfFirst: number
  readonly lines: number
  /** Seconds taken to rebuild all facts. */
  readonly factsSeconds: number
}

/** Makes a database of about this many bills on the server of `serverUrl`, migrated, filled, with facts and analyzed. */
export async function makeWorld(serverUrl: string, name: string, wanted: number): Promise<World> {
  const scale = wanted / billsAtFullSize
  const first = Math.max(20, Math.round(accountsOfFirst * scale))
  const other = Math.max(2, Math.round(accountsOfOther * scale))
  return filledWorld(serverUrl, name, worldStatements(first, first + other * (clients - 1)), clients)
}

/** Makes a database, fills it by these statements, computes the facts of its clients 1 to `clientsMost` and analyzes it. */
export async function filledWorld(serverUrl: string, name: string, statements: readonly string[], clientsMost: number): Promise<World> {
  const url = await createDatabase(serverUrl, name)
  const database = openJobsDatabase({ url })
  await migrate(database.pool)
  for (const statement of statements) await database.pool.query(statement)
  await database.pool.query('vacuum analyze')
  const began = performance.now()
  await database.db.transaction().execute(async (tx) => {
    for (let client = 1; client <= clientsMost; client += 1) await rebuildFacts(tx, client)
  })
  const factsSeconds = (performance.now() - began) / 1_000
  await database.pool.query('vacuum analyze')
  const bills = await numberOf(database.pool, 'select count(*) from bills')
  const billsOfFirst = await numberOf(database.pool, 'select count(*) from bills where client_id = 1')
  const lines = await numberOf(database.pool, 'select count(*) from service_bills')
  return { url, database, bills, billsOfFirst, lines, factsSeconds }
}

/** Makes a database without tables, for starts that must migrate. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${pg.escapeIdentifier(name)} template template0`)
  await client.end()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function numberOf(pool: pg.Pool, text: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(text)
  return rows[0]?.count ?? 0
}

/** A number from 0 to below `span`, derived from another one: the world is the same each time. */
export function dice(of: string, seed: number, span: number): string {
  return `((hashint8extended((${of})::bigint, ${seed}) & 9223372036854775807) % ${span})`
}

/**
 * A world in which client 1 has about this many bills of ten lines each: its accounts have eight more meters, each with a line on every bill. The
 * other clients have a few accounts.
 */
export function makeWideWorld(serverUrl: string, name: string, billsOfFirst: number): Promise<World> {
  const first = Math.max(20, Math.ceil(billsOfFirst / billsPerAccount))
  const statements = [...worldStatements(first, first + 2 * (clients - 1)), ...furtherLines].map(withoutChecks)
  return filledWorld(serverUrl, name, statements, clients)
}

/** Millions of rows are not checked against the tables that they come from. */
const withoutChecks = (statement: string): string => `set session_replication_role = replica; ${statement}; reset session_replication_role`

const furtherMeters = 8
const furtherLines = [
  `insert into services (client_id, id, billable_account_id, meter_number, rank, meter_multiplier, utility_service_id, usage_unit_id)
    select 1, 100000000 + account.id * ${furtherMeters} + place, account.id, 'W' || (account.id * ${furtherMeters} + place), 2 + place, 1, kind.id, unit.id
    from billable_accounts account cross join generate_series(0, ${furtherMeters - 1}) place join utility_services kind on kind.code = 'electric'
      join usage_units unit on unit.utility_service_id = kind.id and unit.standard where account.client_id = 1`,
  `insert into service_bills (client_id, bill_id, service_id, position, previous_read_date, read_date, usage, standard_usage, unit_id)
    select 1, bills.id, service.id, service.rank, bills.previous_read_date, bills.read_date, amount.usage, amount.usage, unit.unit_id
    from bills join services service on service.client_id = 1 and service.billable_account_id = bills.billable_account_id and service.rank > 1
      join usage_units unit on unit.id = service.usage_unit_id
      cross join lateral (select 100 + ${dice('bills.id * 16 + service.rank', 10, 5_000)} as usage) amount where bills.client_id = 1
    order by bills.id, service.rank`,
  `insert into service_bill_entry_values (client_id, service_bill_id, entry_field_id, value)
    select 1, line.id, field.id, (1000 + ${dice('line.id', 12, 40_000)}) / case when field.is_tax then 2000.0 else 100.0 end
    from service_bills line join entry_fields field on field.name in ('Utility Charges', 'Utility Taxes') where line.client_id = 1 and line.position > 1`,
  `update service_bill_entry_values set value = round(value, 2) where value <> round(value, 2)`,
  `update bills set current_charges = summed.total, amount_due = summed.total, amount_paid = case when bills.paid then summed.total end
    from (select line.bill_id, sum(own.value) as total from service_bills line
      join service_bill_entry_values own on own.client_id = 1 and own.service_bill_id = line.id where line.client_id = 1 group by 1) summed
    where bills.client_id = 1 and bills.id = summed.bill_id`,
]

/** Accounts 1 to `first` are client 1's; the others belong to clients 2 to 20 in turn. Every tenth account is a facility's first. */
function worldStatements(first: number, accounts: number): string[] {
  const facilities = Math.ceil(first / 10)
  return [...estateStatements(first, accounts, facilities), ...billStatements(`generate_series(1, ${accounts})`, clients)]
}

function estateStatements(first: number, accounts: number, facilities: number): string[] {
  const others = clients - 1
  return [
    `insert into clients (id, name, short_code, identifier, user_management, utility_payment_management, accounting_batch_management, ledger_account_management)
      select n, 'Client ' || n, 'C' || n, 'C' || n, true, true, true, true from generate_series(1, ${clients}) n`,
    `insert into vendors (id, name, short_code, city, state) select n, (array['City of ', 'Northern ', 'Pacific ', 'Lone Star '])[1 + n % 4] || (array['Power', 'Gas', 'Water', 'Energy', 'Utilities'])[1 + n % 5] || ' ' || n, 'V' || n, 'Austin', 'TX'
      from generate_series(1, 200) n`,
    `insert into divisions (client_id, id, name, short_code, code)
      select case when n <= 40 then 1 else 2 + (n - 41) % ${others} end, n, 'Division ' || n, 'D' || n, 'D' || n from generate_series(1, 40 + 4 * ${others}) n`,
    `insert into facilities (client_id, id, division_id, name, number, street_address_1, city, state, zip, square_footage)
      select 1, n, 1 + n % 40, 'Store ' || n, n::text, n || ' Main Street', 'Austin', 'TX', '78701', 20000 + ${dice('n', 7, 60_000)} from generate_series(1, ${facilities}) n`,
    `insert into facilities (client_id, id, division_id, name, number, street_address_1, city, state, zip, square_footage)
      select 2 + (n - 1) % ${others}, ${facilities} + n, 41 + (n - 1) % ${others}, 'Plant ' || n, n::text, n || ' Main Street', 'Denver', 'CO', '80202', 50000 from generate_series(1, 10 * ${others}) n`,
    `insert into billable_accounts (client_id, id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip)
      select case when n <= ${first} then 1 else 2 + (n - ${first} - 1) % ${others} end, n,
        case when n <= ${first} then 1 + (n - 1) % ${facilities} else ${facilities} + 1 + (n - ${first} - 1) % (10 * ${others}) end,
        1 + ${dice('n', 8, 200)}, 'Account ' || n, lpad(${dice('n', 1, 10_000_000_000)}::text, 10, '0'), n || ' Main Street', 'Austin', 'TX', '78701'
      from generate_series(1, ${accounts}) n`,
    `insert into services (client_id, id, billable_account_id, meter_number, rank, meter_multiplier, utility_service_id, usage_unit_id)
      select account.client_id, account.id * 2 - 1 + place, account.id, 'M' || (account.id * 2 + place), place, 1, kind.id, unit.id
      from billable_accounts account cross join generate_series(0, 1) place
        join utility_services kind on kind.code = case when place = 0 then 'electric' when account.id % 2 = 0 then 'natural_gas' else 'water' end
        join usage_units unit on unit.utility_service_id = kind.id and unit.standard`,
  ]
}

/** Cents of the two lines of the bill whose invoice number is `n`; each line has a tax of a twentieth. */
const firstCents = (n: string) => `(4000 + ${dice(n, 2, 60_000)})`
const secondCents = (n: string) => `(2000 + ${dice(n, 3, 20_000)})`
const withTax = (cents: string) => `(${cents} + ${cents} / 20)`

/** Accounts store the day of their last bill. */
export function lastBillsOf(kind: 'billable_account' | 'supply_account'): string {
  return `update ${kind}s account set last_bill_date = newest.date from (select client_id, ${kind}_id as id, max(date) as date from bills where superseded_by_id is null group by 1, 2) newest
    where account.client_id = newest.client_id and account.id = newest.id`
}

/** Twelve bills of two lines for each account whose id is one of `accounts`, a set of numbers in SQL. */
export function billStatements(accounts: string, clientsMost: number): string[] {
  return [
    // Odd accounts are billed each month of the last year, even ones every other month of two years.
    `insert into bills (client_id, billable_account_id, account_number, vendor_id, facility_id, division_id, date, due_date, previous_read_date, read_date, next_read_date, invoice_number,
        current_charges, late_fee, amount_due, amount_paid, paid, finalized, open_warnings, open_errors, source, created_at)
      select account.client_id, account.id, account.account_number, account.vendor_id, account.facility_id, facility.division_id, span.read_date + 3, span.read_date + 22,
        span.previous, span.read_date, span.next, n::text, cents.sum / 100.0, 0, cents.sum / 100.0, case when span.read_date < current_date - 60 then cents.sum / 100.0 end,
        span.read_date < current_date - 60, span.read_date < current_date - 60, case when ${dice('n', 4, 20)} = 0 then 1 else 0 end, case when ${dice('n', 4, 50)} = 1 then 1 else 0 end,
        'import', (span.read_date + 5)::timestamptz + make_interval(secs => ${dice('n', 5, 40_000)})
      from ${accounts} a cross join generate_series(0, ${billsPerAccount - 1}) k
        join billable_accounts account on account.id = a join facilities facility on facility.client_id = account.client_id and facility.id = account.facility_id
        cross join lateral (select a * 100 + k as n) number
        cross join lateral (select current_date - 10 - ${dice('a', 6, 28)}::int as anchor, case when a % 2 = 1 then 1 else 2 end as step) pace
        cross join lateral (select (anchor - make_interval(months => step * k))::date as read_date, (anchor - make_interval(months => step * (k + 1)))::date as previous,
          (anchor - make_interval(months => step * (k - 1)))::date as next) span
        cross join lateral (select ${withTax(firstCents('n'))} + ${withTax(secondCents('n'))} as sum) cents
      order by span.read_date, n`,
    `insert into service_bills (client_id, bill_id, service_id, position, previous_read_date, read_date, usage, standard_usage, unit_id, estimated)
      select bills.client_id, bills.id, service.id, service.rank, bills.previous_read_date, bills.read_date, amount.usage, amount.usage, unit.unit_id, ${dice('bills.id', 9, 30)} = 0
      from bills join services service on service.client_id = bills.client_id and service.billable_account_id = bills.billable_account_id
        join usage_units unit on unit.id = service.usage_unit_id
        cross join lateral (select 100 + ${dice('bills.id * 2 + service.rank', 10, 5_000)} as usage) amount
      order by bills.id, service.rank`,
    `insert into service_bill_entry_values (client_id, service_bill_id, entry_field_id, value)
      select line.client_id, line.id, field.id, case when field.is_tax then cents.whole / 20 else cents.whole end / 100.0
      from service_bills line join bills on bills.client_id = line.client_id and bills.id = line.bill_id
        cross join lateral (select case when line.position = 0 then ${firstCents('bills.invoice_number')} else ${secondCents('bills.invoice_number')} end as whole) cents
        join entry_fields field on field.name in ('Utility Charges', 'Utility Taxes')`,
    `insert into bill_findings (client_id, bill_id, code, severity, message)
      select client_id, id, 'usage_high', case when open_errors > 0 then 'E' else 'W' end, 'Usage is far above last year''s' from bills where open_errors + open_warnings > 0`,
    `insert into files (key, filename, content_type, byte_size, state) select 'bench/' || id, 'statement-' || invoice_number || '.pdf', 'application/pdf', 40000, 'attached' from bills`,
    `insert into bill_files (client_id, bill_id, position, file_id, filename)
      select bills.client_id, bills.id, 1, files.id, files.filename from bills join files on files.key = 'bench/' || bills.id`,
    `insert into data_versions (client_id, version) select n, 1 from generate_series(0, ${clientsMost}) n`,
  ]
}
