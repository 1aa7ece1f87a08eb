/** The Cost & Usage Report of a client in plain SQL: its rows under the labels of their columns, as text. */
import { amount, dayRows, fixed, plain, type SpreadBasis } from './day-rows.ts'

interface AskedMonths {
  readonly clientId: number
  /** First and last month. */
  readonly first: string
  readonly last: string
  readonly basis: SpreadBasis
  /** What the rows are told apart by. */
  readonly by: 'nothing' | 'account' | 'facility' | 'division'
  /** A condition on `owner` and `facility`. */
  readonly where?: string
}

const partKeys = {
  nothing: `''`,
  account: `coalesce('b' || owner.billable_account_id, 's' || owner.supply_account_id)`,
  facility: 'owner.facility_id::text',
  division: 'facility.division_id::text',
} as const

const partNames = { nothing: `''`, account: 'owner.account_number', facility: 'facility.name', division: 'division.name' } as const

export function costUsageRows({ clientId, first, last, basis, by, where = 'true' }: AskedMonths): string {
  const isBilled = basis === 'billed'
  const change = `round((month.cents - coalesce(before.cents, 0)) * 100 / nullif(before.cents, 0), 2)`
  return `with ${dayRows(clientId, basis)},
    chosen as (
      select owner.*, coalesce(kind.name, 'No utility service') as kind, unit.symbol as unit, ${partKeys[by]} as part, coalesce(${partNames[by]}, 'None') as part_name
      from owner left join utility_services kind on kind.id = owner.utility_service_id
      left join usage_units standard on standard.utility_service_id = kind.id and standard.standard left join units unit on unit.id = standard.unit_id
      left join facilities facility on facility.client_id = ${clientId} and facility.id = owner.facility_id
      left join divisions division on division.client_id = ${clientId} and division.id = facility.division_id where ${where}),
    summed as (
      select kind, min(unit) as unit, part, min(part_name) as part_name, month, sum(cents) as cents, sum(used) as used, sum(kg) as kg
      from monthly join chosen on chosen.owner = monthly.owner group by kind, part, month),
    asked as (
      select kind, part, month from summed where month between '${first}' and '${last}'
      union select kind, part, ${aYearLater('month')} from summed where ${aYearLater('month')} between '${first}' and '${last}'),
    days as (
      select kind, part, to_char(day, 'YYYY-MM') as month, count(distinct day) as all_days,
        count(*) filter (where not expected or (day >= coalesce(since, '-infinity') and day <= coalesce(until, 'infinity'))) as meter_days, count(*) filter (where not expected) as retired_days
      from covered join chosen on chosen.owner = covered.owner group by 1, 2, 3),
    expected as (
      select kind, part, asked_month as month, sum(greatest(0, least(coalesce(until, 'infinity'), (asked_month || '-01')::date + interval '1 month' - interval '1 day')::date
        - greatest(coalesce(since, '-infinity'), (asked_month || '-01')::date) + 1)) as days
      from chosen cross join (select distinct month as asked_month from asked) months where expected group by 1, 2, 3)
    select asked.kind as "Utility Service", ${by === 'nothing' ? '' : `coalesce(month.part_name, before.part_name) as "Of",`} asked.month as "Month",
      ${plain('month.used')} as "Usage", case when month.used is not null then month.unit end as "Unit", ${amount('coalesce(month.cents, 0)')} as "Cost",
      ${fixed('month.cents / 100 / nullif(month.used, 0)', 4)} as "Unit Cost",
      ${isBilled ? 'null' : fixed('coalesce(month.cents, 0) / 100 / nullif(days.all_days, 0)', 2)} as "Cost / Day",
      ${isBilled ? 'null' : plain('round(month.used / nullif(days.all_days, 0), 3)')} as "Usage / Day",
      ${plain('before.used')} as "Usage Year Before", ${amount('before.cents')} as "Cost Year Before",
      ${change.replace('month.cents', 'coalesce(month.cents, 0)')}::text as "Cost Change", ${plain('coalesce(month.kg, 0) / 1000')} as "t CO2e",
      ${isBilled ? 'null' : coverage('coalesce(days.meter_days, 0)', 'coalesce(expected.days, 0) + coalesce(days.retired_days, 0)')} as "Coverage"
    from asked
    left join summed month on month.kind = asked.kind and month.part is not distinct from asked.part and month.month = asked.month
    left join summed before on before.kind = asked.kind and before.part is not distinct from asked.part and ${aYearLater('before.month')} = asked.month
    left join days on days.kind = asked.kind and days.part is not distinct from asked.part and days.month = asked.month
    left join expected on expected.kind = asked.kind and expected.part is not distinct from asked.part and expected.month = asked.month`
}

function aYearLater(month: string): string {
  return `(substr(${month}, 1, 4)::int + 1)::text || substr(${month}, 5)`
}

/** A share in percent, which is rounded to hundredths. */
export function coverage(covered: string, expected: string): string {
  return `(round(round((${covered})::numeric / nullif(${expected}, 0), 4) * 100, 2))::text`
}
