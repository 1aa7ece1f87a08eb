/** One client whose accounts have three years of monthly bills of one to ten lines: the setting of a save in a large installation. */
import { dice, filledWorld, type World } from './world.ts'

export const months = 36
/** Lines of each fiftieth account. One in ten of the others has three meters, the rest have one. */
export const lines = 10
const divisions = 10
const accountsPerFacility = 10
const filled = ['bills', 'service_bills', 'service_bill_entry_values']

/** Makes a database in which client 1 has this many accounts. */
export function makeSaveWorld(serverUrl: string, name: string, accounts: number): Promise<World> {
  return filledWorld(serverUrl, name, [...estate(Math.max(accounts, 50)), bills], 1)
}

function estate(accounts: number): string[] {
  const facilities = Math.ceil(accounts / accountsPerFacility)
  return [
    `insert into clients (id, name, short_code, identifier) values (1, 'Client 1', 'C1', 'C1')`,
    `insert into vendors (id, name, short_code, city, state) values (1, 'City Power', 'V1', 'Austin', 'TX')`,
    `insert into divisions (client_id, id, name, short_code, code) select 1, n, 'Division ' || n, 'D' || n, 'D' || n from generate_series(1, ${divisions}) n`,
    `insert into facilities (client_id, id, division_id, name, number, street_address_1, city, state, zip)
      select 1, n, 1 + n % ${divisions}, 'Store ' || n, n::text, n || ' Main Street', 'Austin', 'TX', '78701' from generate_series(1, ${facilities}) n`,
    `insert into billable_accounts (client_id, id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip)
      select 1, n, 1 + (n - 1) % ${facilities}, 1, 'Account ' || n, lpad(${dice('n', 1, 10_000_000_000)}::text, 10, '0'), n || ' Main Street', 'Austin', 'TX', '78701'
      from generate_series(1, ${accounts}) n`,
    `insert into services (client_id, billable_account_id, meter_number, rank, meter_multiplier, utility_service_id, usage_unit_id)
      select 1, account.id, 'M' || account.id || '-' || place, place, 1, kind.id, unit.id
      from billable_accounts account cross join lateral generate_series(1, case when account.id % 50 = 0 then ${lines} when account.id % 10 = 1 then 3 else 1 end) place
      join utility_services kind on kind.code = (array['electric', 'natural_gas', 'water'])[1 + place % 3] join usage_units unit on unit.utility_service_id = kind.id and unit.standard
      order by account.id, place`,
    `insert into service_entry_fields (client_id, service_id, entry_field_id)
      select 1, services.id, entry_fields.id from services cross join entry_fields where entry_fields.name in ('Utility Charges', 'Utility Taxes')`,
    `insert into data_versions (client_id, version) values (0, 1), (1, 1)`,
  ]
}

const filledList = filled.map((table) => `'${table}'`).join(', ')

/** One string is one transaction. Correct rows need no foreign key checks, and an index is faster to build than to update. */
const bills = `set local session_replication_role = replica;
  create temporary table later on commit drop as select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
    where indrelid::regclass::text in (${filledList}) and not exists (select from pg_constraint where conindid = indexrelid);
  do $$ declare one record; begin for one in select * from later loop execute 'drop index ' || one.name; end loop; end $$;
  insert into bills (client_id, billable_account_id, account_number, vendor_id, facility_id, division_id, date, due_date, previous_read_date, read_date, invoice_number, current_charges, amount_due, source)
    select 1, account.id, account.account_number, 1, account.facility_id, facility.division_id, stop + 3, stop + 23, start, stop, account.id || '-' || at, 105 * meters.count, 105 * meters.count, 'import'
    from generate_series(0, ${months - 1}) at cross join lateral (
        select ('2022-01-01'::date + make_interval(months => at))::date as start, ('2022-01-01'::date + make_interval(months => at + 1))::date as stop) span
      cross join billable_accounts account join facilities facility on facility.client_id = 1 and facility.id = account.facility_id
      join (select billable_account_id, count(*) as count from services group by 1) meters on meters.billable_account_id = account.id
    order by at, account.id;
  insert into service_bills (client_id, bill_id, service_id, position, previous_read_date, read_date, previous_reading, meter_reading, usage, standard_usage, unit_id)
    select 1, bills.id, service.id, service.rank - 1, bills.previous_read_date, bills.read_date, past.months * 1000, (past.months + 1) * 1000, 1000, 1000, usage_units.unit_id
    from bills join services service on service.billable_account_id = bills.billable_account_id join usage_units on usage_units.id = service.usage_unit_id
      cross join lateral (select split_part(bills.invoice_number, '-', 2)::int as months) past
    order by bills.id, service.rank;
  insert into service_bill_entry_values (client_id, service_bill_id, entry_field_id, value)
    select 1, line.id, field.id, case when field.is_tax then 5 else 100 end from service_bills line cross join entry_fields field where field.name in ('Utility Charges', 'Utility Taxes')
    order by line.id;
  do $$ declare one record; begin for one in select * from later loop execute one.made; end loop; end $$;`
