/** Accounts of client 1 for typing a bill: this many meters, each with charges and a year of bills. */
import type { Ground } from './ground.ts'

const months = 12

/**
 * Makes an account with this many meters.
 * @returns its id.
 */
export async function accountWithMeters(raw: Ground['raw'], meters: number): Promise<string> {
  const { rows } = await raw.query<{ id: string }>(
    `insert into billable_accounts (client_id, id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip)
      select client_id, (select max(id) + 1 from billable_accounts), id, 1, 'Account with ' || $1 || ' meters', 'METERS-' || $1 || '-' || extract(epoch from clock_timestamp()), '1 Main Street', 'Austin', 'TX', '78701'
      from facilities where client_id = 1 order by id limit 1 returning id`,
    [meters],
  )
  const id = rows[0]?.id ?? ''
  await raw.query(
    `insert into services (client_id, id, billable_account_id, meter_number, rank, meter_multiplier, utility_service_id, usage_unit_id)
      select 1, (select max(id) from services) + place, $1::bigint, 'M' || $1 || '-' || place, place, 1, kind.id, unit.id from generate_series(1, $2::int) place
      join utility_services kind on kind.code = (array['electric', 'natural_gas', 'water'])[1 + place % 3]
      join usage_units unit on unit.utility_service_id = kind.id and unit.standard`,
    [id, meters],
  )
  await raw.query(
    `insert into service_entry_fields (client_id, service_id, entry_field_id)
      select 1, services.id, entry_fields.id from services cross join entry_fields
      where services.client_id = 1 and billable_account_id = $1 and entry_fields.name in ('Utility Charges', 'Utility Taxes', 'Supply Charges')`,
    [id],
  )
  await raw.query(
    `insert into bills (client_id, billable_account_id, account_number, vendor_id, facility_id, division_id, date, due_date, previous_read_date, read_date, invoice_number, current_charges, amount_due, source)
      select 1, account.id, account.account_number, 1, account.facility_id, facility.division_id, stop + 3, stop + 23, start, stop, account.id || '-' || at, 105 * $2::int, 105 * $2::int, 'import'
      from generate_series(0, ${months - 1}) at cross join lateral (
          select ('2025-04-01'::date + make_interval(months => at))::date as start, ('2025-04-01'::date + make_interval(months => at + 1))::date as stop) span
        cross join billable_accounts account join facilities facility on facility.client_id = 1 and facility.id = account.facility_id
      where account.client_id = 1 and account.id = $1`,
    [id, meters],
  )
  await raw.query(
    `insert into service_bills (client_id, bill_id, service_id, position, previous_read_date, read_date, previous_reading, meter_reading, usage, standard_usage, unit_id)
      select 1, bills.id, service.id, service.rank - 1, bills.previous_read_date, bills.read_date, past.months * 1000, (past.months + 1) * 1000, 1000, 1000, usage_units.unit_id
      from bills join services service on service.client_id = 1 and service.billable_account_id = bills.billable_account_id
        join usage_units on usage_units.id = service.usage_unit_id cross join lateral (select split_part(bills.invoice_number, '-', 2)::int as months) past
      where bills.client_id = 1 and bills.billable_account_id = $1`,
    [id],
  )
  await raw.query(
    `insert into service_bill_entry_values (client_id, service_bill_id, entry_field_id, value)
      select 1, line.id, field.id, case when field.is_tax then 5 else 100 end
      from service_bills line join bills on bills.client_id = 1 and bills.id = line.bill_id cross join entry_fields field
      where line.client_id = 1 and bills.billable_account_id = $1 and field.name in ('Utility Charges', 'Utility Taxes')`,
    [id],
  )
  return id
}
