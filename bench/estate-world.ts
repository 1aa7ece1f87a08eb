/** An estate of a hundred thousand accounts of one client and twenty small clients, made by set-based SQL: the same each time. */
import { billStatements, dice, filledWorld, lastBillsOf, type World } from './world.ts'

const clients = 21
/** Divisions of client 1. */
export const divisions = 40
const facilitiesPerAccounts = 20
/** Accounts of client 1 for each account of another client. */
const othersShare = 200
const vendors = 200
const supplyShare = 5
/** Every tenth account has two years of bills. */
const billedEvery = 10
/** Every account at this distance is a group with the twenty accounts before it. */
export const groupEvery = 250
const subaccounts = 20

export interface Estate extends World {
  /** Billable and supply accounts and facilities of client 1. */
  readonly accounts: number
  readonly supplyAccounts: number
  readonly facilities: number
}

/** Makes a database with an estate in which client 1 has this many accounts. */
export async function makeEstate(serverUrl: string, name: string, accounts: number): Promise<Estate> {
  const facilities = Math.ceil(accounts / facilitiesPerAccounts)
  const supplyAccounts = Math.ceil(accounts / supplyShare)
  const other = Math.max(10, Math.round(accounts / othersShare))
  const statements = [
    ...placeStatements(facilities),
    ...accountStatements(accounts, accounts + other * (clients - 1), facilities),
    ...supplyStatements(supplyAccounts, facilities),
    ...billStatements(`generate_series(5, ${accounts}, ${billedEvery})`, clients),
    lastBillsOf('billable_account'),
  ]
  return { ...(await filledWorld(serverUrl, name, statements, clients)), accounts, supplyAccounts, facilities }
}

function placeStatements(facilities: number): string[] {
  return [
    `insert into clients (id, name, short_code, identifier, user_management, utility_payment_management, accounting_batch_management, ledger_account_management)
      select n, 'Client ' || n, 'C' || n, 'C' || n, true, true, true, true from generate_series(1, ${clients}) n`,
    `insert into vendors (id, name, short_code, city, state) select n, (array['City of ', 'Northern ', 'Pacific ', 'Lone Star '])[1 + n % 4] || (array['Power', 'Gas', 'Water', 'Energy', 'Utilities'])[1 + n % 5] || ' ' || n, 'V' || n, 'Austin', 'TX'
      from generate_series(1, ${vendors}) n`,
    `insert into divisions (client_id, id, name, short_code, code)
      select case when n <= ${divisions} then 1 else 2 + (n - ${divisions} - 1) % ${clients - 1} end, n, 'Division ' || n, 'D' || n, 'D' || n from generate_series(1, ${divisions} + 2 * ${clients - 1}) n`,
    `insert into facilities (client_id, id, division_id, name, number, street_address_1, city, state, zip, square_footage)
      select 1, n, 1 + n % ${divisions}, 'Store ' || n, n::text, n || ' Main Street', 'Austin', 'TX', '78701', 20000 + ${dice('n', 7, 60_000)} from generate_series(1, ${facilities}) n`,
    `insert into facilities (client_id, id, division_id, name, number, street_address_1, city, state, zip, square_footage)
      select 2 + (n - 1) % ${clients - 1}, ${facilities} + n, ${divisions + 1} + (n - 1) % ${clients - 1}, 'Plant ' || n, n::text, n || ' Main Street', 'Denver', 'CO', '80202', 50000 from generate_series(1, 10 * ${clients - 1}) n`,
  ]
}

const accountName = "(array['Main', 'Irrigation', 'Parking', 'House Meter', 'Chiller', 'Sign'])[1 + n % 6] || ' ' || n"
/** Ten digits; every third number has dashes. */
const accountNumber = (seed: number) => {
  const digits = `lpad(${dice('n', seed, 10_000_000_000)}::text, 10, '0')`
  return `case when n % 3 = 0 then regexp_replace(${digits}, '(...)(...)(....)', '\\1-\\2-\\3') else ${digits} end`
}

/** Accounts 1 to `first` are client 1's; the others belong to clients 2 to 21 in turn. */
function accountStatements(first: number, accounts: number, facilities: number): string[] {
  const others = clients - 1
  return [
    `insert into billable_accounts (client_id, id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip, active, is_group_account)
      select case when n <= ${first} then 1 else 2 + (n - ${first} - 1) % ${others} end, n,
        case when n <= ${first} then 1 + ${dice('n', 12, facilities)} else ${facilities} + 1 + (n - ${first} - 1) % (10 * ${others}) end,
        1 + ${dice('n', 8, vendors)}, ${accountName}, ${accountNumber(1)}, n || ' Main Street', (array['Austin', 'Reno', 'Dallas', 'Boise'])[1 + n % 4], (array['TX', 'NV', 'TX', 'ID'])[1 + n % 4],
        '78701', n % 9 <> 0, n <= ${first} and n % ${groupEvery} = 0
      from generate_series(1, ${accounts}) n`,
    `update billable_accounts set group_account_id = (id / ${groupEvery} + 1) * ${groupEvery}
      where client_id = 1 and id % ${groupEvery} >= ${groupEvery - subaccounts} and (id / ${groupEvery} + 1) * ${groupEvery} <= ${first}`,
    `insert into services (client_id, id, billable_account_id, meter_number, rank, meter_multiplier, utility_service_id, usage_unit_id, service_name_1)
      select account.client_id, account.id * 4 + place, account.id, 'M' || (account.id * 4 + place), place, 1, kind.id, unit.id, case when account.id % 3 = 0 then 'Meter ' || place end
      from billable_accounts account cross join generate_series(0, 2) place
        join utility_services kind on kind.code = case when place = 0 then 'electric' when account.id % 2 = 0 then 'natural_gas' else 'water' end
        join usage_units unit on unit.utility_service_id = kind.id and unit.standard
      where not account.is_group_account and place <= case when account.id % ${billedEvery} = 5 then 1 else account.id % 3 end`,
  ]
}

/** Nine of ten are client 1's; every twentieth has no facility. */
function supplyStatements(accounts: number, facilities: number): string[] {
  const others = clients - 1
  return [
    `insert into supply_accounts (client_id, id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip, active)
      select case when n % 10 > 0 then 1 else 2 + n / 10 % ${others} end, n,
        case when n % 20 = 7 then null when n % 10 > 0 then 1 + ${dice('n', 13, facilities)} else ${facilities} + 1 + n / 10 % ${others} end,
        1 + ${dice('n', 14, vendors)}, ${accountName}, ${accountNumber(15)}, n || ' Main Street', 'Austin', 'TX', '78701', true
      from generate_series(1, ${accounts}) n`,
    `insert into services (client_id, id, supply_account_id, meter_number, rank, meter_multiplier, supply, utility_service_id, usage_unit_id)
      select account.client_id, account.id * 4 + 3, account.id, 'S' || account.id, 0, 1, true, kind.id, unit.id
      from supply_accounts account join utility_services kind on kind.code = 'electric' join usage_units unit on unit.utility_service_id = kind.id and unit.standard`,
  ]
}
