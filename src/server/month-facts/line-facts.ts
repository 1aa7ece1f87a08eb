/**
 * The rows of `bill_line_facts`: each counted line of a bill, or a bill without lines, as a whole. The bases that take a bill whole sum them by
 * the month of the bill's date, or by its fiscal month.
 */
import { sql, type RawBuilder } from 'kysely'

/** The columns in the order of `fresh_lines`. */
export const lineFactColumns = [
  'client_id',
  'service_id',
  'account_key',
  'ends_on',
  'bill_id',
  'service_bill_id',
  'starts_on',
  'days',
  'billed_month',
  'fiscal_month',
  'billable_account_id',
  'supply_account_id',
  'facility_id',
  'utility_service_id',
  'cost',
  'utility_cost',
  'supply_cost',
  'other_cost',
  'usage',
  'supply_usage',
  'billed_kg',
  'fiscal_kg',
] as const

/** The month of the bill's date of a row that has it as `bill_date`. */
export const billedMonth = sql`date_trunc('month', bill_date::timestamp)::date`

/** The month in which a line, or a bill without lines, is booked: its own, or else the bill's, or else that of the bill's date. */
export function fiscalMonth(bill: string, line?: string): RawBuilder<unknown> {
  const given = [...(line === undefined ? [] : [line]), bill].map((row) => sql.ref(`${row}.fiscal_month`))
  return sql`coalesce((coalesce(${sql.join(given)}) || '-01')::date, date_trunc('month', ${sql.ref(`${bill}.date`)}::timestamp)::date)`
}

/** Whether a row with days, or else the date of its bill, reaches into its span. */
export const isNear = sql`case when starts_on < ends_on then starts_on < last + interval '1 month' and ends_on > first
  else bill_date >= first and bill_date < last + interval '1 month' end`

/** The same of a stored row, whose days are the date of its bill where it has none. */
export const isStoredNear = sql`fact.starts_on < wanted.last + interval '1 month' and fact.ends_on >= wanted.first
  and (fact.ends_on > wanted.first or fact.starts_on = fact.ends_on)`

/** By the service's own factor, or else by the edition, or else by the utility service's factor. */
export function kilograms(usage: RawBuilder<unknown>, edition: string): RawBuilder<unknown> {
  return sql`case when service.inventoriable then round(coalesce(${usage}, 0) * coalesce(service.emissions_factor, ${sql.ref(`${edition}.value`)}, service.kind_factor), 6) else 0 end`
}

const hasDays = sql`(starts_on < ends_on) is true`
const startsOn = sql`case when ${hasDays} then starts_on else bill_date end`
const endsOn = sql`case when ${hasDays} then ends_on else bill_date end`

/** Selects the rows from the common table expressions of `freshFacts`. Each month has its own edition of the factors. */
export function lineFacts(clientId: number): RawBuilder<unknown> {
  return sql`select ${clientId}::bigint as client_id, line.service_id, 0::bigint as account_key, ${endsOn} as ends_on, line.bill_id, line.id as service_bill_id, ${startsOn} as starts_on,
      case when ${hasDays} then ends_on - starts_on else 0 end as days, line.billed_month, line.fiscal_month,
      service.billable_account_id, service.supply_account_id, service.facility_id, service.utility_service_id,
      (line.utility + line.supply + line.other) * 0.01 as cost, line.utility * 0.01 as utility_cost, line.supply * 0.01 as supply_cost, line.other * 0.01 as other_cost,
      line.own_usage as usage, line.supply_usage, ${kilograms(sql`line.own_usage`, 'billed')} as billed_kg, ${kilograms(sql`line.own_usage`, 'fiscal')} as fiscal_kg
    from (select *, ${billedMonth} as billed_month, case when not again then millionths end * 0.000001 as own_usage, case when again then millionths end * 0.000001 as supply_usage
      from measured) line
    join owners service on service.id = line.service_id
    left join editions billed on billed.utility_service_id = service.utility_service_id and billed.month = line.billed_month
    left join editions fiscal on fiscal.utility_service_id = service.utility_service_id and fiscal.month = line.fiscal_month
    union all
    select ${clientId}::bigint, 0::bigint, coalesce(billable_account_id, -supply_account_id), ${endsOn}, id, 0::bigint, ${startsOn}, 0, ${billedMonth}, fiscal_month,
      billable_account_id, supply_account_id, facility_id, utility_service_id, cents * 0.01, 0, 0, cents * 0.01, null::numeric, null::numeric, 0, 0
    from bare where ${isNear}`
}
