/** The Inventory Report of a client in plain SQL: its rows under the labels of their columns, as text. */
import { dayRows, plain } from './day-rows.ts'
import { bookingRows } from './ledger.ts'

interface AskedInventory {
  readonly clientId: number
  readonly first: string
  readonly last: string
  /** Codes of the chosen utility services. */
  readonly codes: readonly string[]
  /** The day on which the report is made. */
  readonly day: string
}

export function inventoryRows({ clientId, first, last, codes, day }: AskedInventory): string {
  return `with ${dayRows(clientId)}, ${bookingRows(clientId)},
    used as (select owner, sum(used) as used, sum(kg) as kg from monthly where month between '${first}' and '${last}' group by owner)
    select division.name as "Division", facility.name as "Facility", facility.number as "Facility Number", ${plain('facility.square_footage')} as "Square Feet", place_kind.name as "Facility Type",
      case when service.billable_account_id is null then 'Supply' else 'Billable' end as "Account Type", owner.account_number as "Account Number",
      case when owner.expected then 'Yes' else 'No' end as "Active", vendor.name as "Vendor", kind.name as "Utility Service", service.service_name_1 as "Service Name 1",
      service.meter_number as "Meter", ${plain('service.meter_multiplier')} as "Multiplier", service.rate_schedule as "Rate Schedule", service.contract_demand_capacity::text as "Contract Demand",
      (select units.symbol from usage_units own join units on units.id = own.unit_id where own.id = service.usage_unit_id) as "Unit",
      ${plain(`coalesce(service.emissions_factor, (select edition.value from emission_factors edition where edition.utility_service_id = kind.id
        and edition.effective_from <= '${day}' order by edition.effective_from desc limit 1), kind.emissions_factor)`)} as "kgCO2e / Factor Unit",
      unit.symbol as "Factor Unit", case when service.emissions_factor is null then 'Default' else 'Own' end as "Factor",
      (select string_agg(account.name || case when booking.ratio = 1 then '' else ' ' || booking.ratio end, '; ' order by booking.place) from booking
        join ledger_accounts account on account.client_id = ${clientId} and account.id = booking.ledger_account_id where booking.service_id = service.id) as "Ledger Accounts",
      billed.first as "First Bill", billed.last as "Last Bill", billed.bills as "Bills", case when kind.inventoriable then 'Yes' else 'No' end as "Inventoried",
      case when kind.inventoriable then kind.emissions_scope::text end as "GHG Scope", ${plain('used.used')} as "Activity", case when used.used is not null then unit.symbol end as "Activity Unit",
      case when kind.inventoriable then ${plain('coalesce(used.kg, 0) / 1000')} end as "t CO2e"
    from services service join owner on owner.service_id = service.id
    join utility_services kind on kind.id = service.utility_service_id and kind.code in (${codes.map((code) => `'${code}'`).join(', ')})
    left join usage_units standard on standard.utility_service_id = kind.id and standard.standard left join units unit on unit.id = standard.unit_id
    left join facilities facility on facility.client_id = ${clientId} and facility.id = owner.facility_id
    left join facility_types place_kind on place_kind.id = facility.facility_type_id
    left join divisions division on division.client_id = ${clientId} and division.id = facility.division_id
    left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = service.billable_account_id
    left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = service.supply_account_id
    left join vendors vendor on vendor.id = coalesce(billable.vendor_id, supply.vendor_id)
    cross join lateral (select min(bill.date)::text as first, max(bill.date)::text as last, count(distinct bill.id)::text as bills from bills bill
      where bill.client_id = ${clientId} and bill.superseded_by_id is null
        and exists (select from service_bills line where line.client_id = ${clientId} and line.bill_id = bill.id and line.service_id = service.id)) billed
    left join used on used.owner = owner.owner where service.client_id = ${clientId}`
}
