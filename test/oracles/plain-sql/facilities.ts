/** The Facilities Report of a client in plain SQL: its rows under the labels of their columns, as text. */
import { coverage } from './cost-usage.ts'
import { amount, dayRows, fixed, plain } from './day-rows.ts'

interface AskedFacilities {
  readonly clientId: number
  readonly first: string
  readonly last: string
  /** The names of the utility services with usage, each of which has a column, with their units. */
  readonly kinds: readonly { readonly name: string; readonly unit: string | null }[]
}

export function facilityRows({ clientId, first, last, kinds }: AskedFacilities): string {
  const [from, to] = [`'${first}-01'::date`, `('${last}-01'::date + interval '1 month' - interval '1 day')::date`]
  const earlier = (month: string) => `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`
  const yearFirst = `to_char('${last}-01'::date - interval '11 months', 'YYYY-MM')`
  const now = `month between '${first}' and '${last}'`
  const energy = (span: string) => `sum(used * kind.kbtu_factor) filter (where ${span})`
  return `with ${dayRows(clientId)},
    place as (select id from facilities where client_id = ${clientId} union all select null),
    sums as (
      select owner.facility_id, sum(cents) filter (where ${now}) as cents, sum(cents) filter (where month between '${earlier(first)}' and '${earlier(last)}') as before,
        sum(kg) filter (where ${now}) as kg, ${energy(now)} as kbtu, ${energy(`month between ${yearFirst} and '${last}'`)} as year_kbtu
      from monthly join owner on owner.owner = monthly.owner left join utility_services kind on kind.id = owner.utility_service_id group by 1),
    usages as (
      select owner.facility_id, kind.name, sum(used) filter (where ${now}) as used from monthly join owner on owner.owner = monthly.owner
      join utility_services kind on kind.id = owner.utility_service_id group by 1, 2),
    days as (
      select owner.facility_id, count(*) filter (where not expected or (day >= coalesce(since, '-infinity') and day <= coalesce(until, 'infinity'))) as meter_days,
        count(*) filter (where not expected) as retired_days
      from covered join owner on owner.owner = covered.owner where day between ${from} and ${to} group by 1),
    expected as (
      select facility_id, sum(greatest(0, least(coalesce(until, 'infinity'), ${to}) - greatest(coalesce(since, '-infinity'), ${from}) + 1)) as days from owner where expected group by 1)
    select coalesce(facility.number, '') as "Number", coalesce(facility.name, 'No facility') as "Name", coalesce(division.name, '') as "Division", kind.name as "Type",
      ${plain('facility.square_footage')} as "Square Feet",
      (select string_agg(unit.name, '; ' order by unit.name) from facility_production_units own join production_units unit on unit.id = own.production_unit_id
        where own.client_id = ${clientId} and own.facility_id = facility.id) as "Production Units",
      concat_ws(', ', facility.street_address_1, facility.street_address_2, facility.city, facility.state, facility.zip) as "Address",
      ((select count(*) from billable_accounts account where account.client_id = ${clientId} and account.facility_id = facility.id and account.active)
        + (select count(*) from supply_accounts account where account.client_id = ${clientId} and account.facility_id = facility.id and account.active))::text as "Active Accounts",
      (select count(*) from owner where owner.facility_id = facility.id and owner.expected)::text as "Active Meters",
      ${amount('coalesce(sums.cents, 0)')} as "Cost",
      ${kinds.map(({ name, unit }) => `(select ${plain('used')} from usages where usages.facility_id is not distinct from place.id and usages.name = '${name}') as "${name}${unit === null ? '' : ` (${unit})`}",`).join(' ')}
      ${plain('round(sums.kbtu / 1000, 6)')} as "MMBtu", ${fixed('sums.year_kbtu / nullif(facility.square_footage, 0)', 2)} as "kBtu / sq ft",
      ${fixed('coalesce(sums.cents, 0) / 100 / nullif(facility.square_footage, 0)', 4)} as "Cost / sq ft", ${plain('coalesce(sums.kg, 0) / 1000')} as "t CO2e",
      ${fixed('coalesce(sums.kg, 0) / nullif(facility.square_footage, 0)', 4)} as "t CO2e / 1,000 sq ft",
      ${amount('coalesce(sums.before, 0)')} as "Cost Year Before",
      round((coalesce(sums.cents, 0) - sums.before) * 100 / nullif(sums.before, 0), 2)::text as "Change",
      ${coverage('coalesce(days.meter_days, 0)', 'coalesce(expected.days, 0) + coalesce(days.retired_days, 0)')} as "Coverage"
    from place left join facilities facility on facility.client_id = ${clientId} and facility.id = place.id
    left join divisions division on division.client_id = ${clientId} and division.id = facility.division_id
    left join facility_types kind on kind.id = facility.facility_type_id
    left join sums on sums.facility_id is not distinct from place.id left join days on days.facility_id is not distinct from place.id
    left join expected on expected.facility_id is not distinct from place.id
    where place.id is not null or exists (select from monthly join owner on owner.owner = monthly.owner where owner.facility_id is null
      and month between least('${earlier(first)}', ${yearFirst}) and '${last}')`
}
