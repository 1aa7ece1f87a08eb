/** A client with five bills per account: most paid, some late, some flagged, some missing. The same each time. */
import { keepLastBills } from '../src/server/estate/last-bills.ts'
import { dice, filledWorld, type World } from './world.ts'

const billsPerAccount = 5
const divisions = 40
const accountsPerFacility = 10
const vendors = 200
/** Every tenth account is a supply account. */
const supplyEvery = 10

/** Makes a database with this many bills of client 1, and a fifth as many accounts. */
export async function makeExceptionWorld(serverUrl: string, wanted: number): Promise<World> {
  const accounts = Math.max(100, Math.round(wanted / billsPerAccount))
  const world = await filledWorld(serverUrl, 'bench_exceptions', [...places(accounts), ...accountsOf(accounts), ...bills()], 0)
  const ids = Array.from({ length: accounts }, (_, at) => at + 1)
  const isSupply = (id: number) => id % supplyEvery === 0
  await world.database.db
    .transaction()
    .execute((tx) =>
      keepLastBills(tx, 1, { billable_account_ids: ids.filter((id) => !isSupply(id)), supply_account_ids: ids.filter(isSupply) }),
    )
  await world.database.pool.query('vacuum analyze')
  return world
}

function places(accounts: number): string[] {
  return [
    `insert into clients (id, name, short_code, identifier) values (1, 'Client 1', 'C1', 'C1')`,
    `insert into vendors (id, name, short_code, payment_terms_days) select n, 'Power ' || n, 'V' || n, 20 from generate_series(1, ${vendors}) n`,
    `insert into divisions (client_id, id, name, short_code, code) select 1, n, 'Division ' || n, 'D' || n, 'D' || n from generate_series(1, ${divisions}) n`,
    `insert into facilities (client_id, id, division_id, name, number) select 1, n, 1 + n % ${divisions}, 'Store ' || n, n::text
      from generate_series(1, ${Math.ceil(accounts / accountsPerFacility)}) n`,
  ]
}

function accountsOf(accounts: number): string[] {
  const columns = 'client_id, id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip, created_at'
  const rows = `select 1, n, 1 + (n - 1) / ${accountsPerFacility}, 1 + ${dice('n', 8, vendors)}, 'Account ' || n, lpad(${dice('n', 1, 10_000_000_000)}::text, 10, '0'),
      n || ' Main Street', 'Austin', 'TX', '78701', now() - interval '400 days' from generate_series(1, ${accounts}) n`
  return [
    `insert into billable_accounts (${columns}) ${rows} where n % ${supplyEvery} > 0`,
    `insert into supply_accounts (${columns}) ${rows} where n % ${supplyEvery} = 0`,
    `insert into services (client_id, id, billable_account_id, meter_number, rank, utility_service_id, usage_unit_id)
      select 1, account.id, account.id, 'M' || account.id, 0, kind.id, unit.id from billable_accounts account
        join utility_services kind on kind.code = 'electric' join usage_units unit on unit.utility_service_id = kind.id and unit.standard`,
  ]
}

/**
 * Three accounts of a hundred were never billed and five have had no bill for two months. Bills are paid after forty days, except one in fifty;
 * one in fifty has an error, one in forty a late fee, and every ninth read is estimated.
 */
function bills(): string[] {
  const kept = (
    table: string,
    key: string,
  ) => `insert into bills (client_id, ${key}, account_number, vendor_id, facility_id, division_id, date, due_date, previous_read_date, read_date,
      invoice_number, current_charges, late_fee, amount_due, paid, finalized, open_errors, source, created_at)
    select 1, account.id, account.account_number, account.vendor_id, account.facility_id, facility.division_id, span.stop + 4, span.stop + 24, span.stop - 30, span.stop,
      number.n::text, cents.sum, case when ${dice('n', 3, 40)} = 0 then round(cents.sum * 0.02, 2) else 0 end, cents.sum,
      span.stop < current_date - 40 and ${dice('n', 4, 50)} > 0, false, case when ${dice('n', 5, 50)} = 0 then 1 else 0 end, 'import', (span.stop + 6)::timestamptz
    from generate_series(0, ${billsPerAccount - 1}) k cross join ${table} account join facilities facility on facility.client_id = 1 and facility.id = account.facility_id
      cross join lateral (select account.id * 100 + k as n) number
      cross join lateral (select current_date - 8 - ${dice('account.id', 6, 28)}::int - 30 * (k + case when account.id % 100 < 8 then 2 else 0 end) as stop) span
      cross join lateral (select (4000 + ${dice('n', 2, 60_000)}) / 100.0 as sum) cents
    where account.id % 100 > 2 order by span.stop, n`
  return [
    kept('billable_accounts', 'billable_account_id'),
    kept('supply_accounts', 'supply_account_id'),
    `insert into service_bills (client_id, bill_id, service_id, position, previous_read_date, read_date, usage, standard_usage, unit_id, estimated)
      select 1, bills.id, bills.billable_account_id, 0, bills.previous_read_date, bills.read_date, 500, 500, unit.unit_id, bills.billable_account_id % 9 = 0
      from bills join services on services.client_id = 1 and services.id = bills.billable_account_id join usage_units unit on unit.id = services.usage_unit_id`,
    `insert into data_versions (client_id, version) values (0, 1), (1, 1)`,
  ]
}
