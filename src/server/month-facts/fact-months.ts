/** Spreads the lines and bills over calendar months. */
import { sql, type RawBuilder } from 'kysely'
import { fiscalMonth, kilograms } from './line-facts.ts'

/** The part of a bill that its children do not carry; it never crosses zero. */
export const wholeCents = sql`(bills.current_charges + bills.late_fee) * 100`
export const leftCents = sql`case when ${wholeCents} < 0 then least(${wholeCents} - carried.cents, 0) else greatest(${wholeCents} - carried.cents, 0) end`

/** Void bills never count, and a group's bill counts only for the part that its children do not carry. */
export const counts = sql`bills.superseded_by_id is null and (carried.cents is null or ${leftCents} <> 0)`

/** `before` is the month before the first one of a service. */
export function serviceMonths(before: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`months as (
      select service_id, month, min(line.first) as first, bit_or(mask)::int as days_mask, sum(${part('utility')}) as utility, sum(${part('supply')}) as supply, sum(${part('other')}) as other,
        sum(case when again then null else ${part('millionths')} end) * 0.000001 as usage, sum(case when again then ${part('millionths')} end) * 0.000001 as supply_usage
      from measured line
      cross join lateral (${monthsOf}) span
      where month between line.first and line.last
      group by service_id, month),
    followed as materialized (
      select months.*, coalesce(max(month) filter (where days_mask > 0) over (partition by service_id order by month rows between unbounded preceding and 1 preceding), ${before}) as previous_month
      from months)`
}

/** The months of [starts_on, ends_on) with the days before them and up to their end; without such days, the month of the bill. */
export const monthsOf = sql`
  select month::date as month, greatest(starts_on, month::date) - starts_on as before, least(ends_on, (month + interval '1 month')::date) - starts_on as upto, ends_on - starts_on as n,
    (((1::bigint << (least(ends_on, (month + interval '1 month')::date) - greatest(starts_on, month::date))) - 1) << (extract(day from greatest(starts_on, month::date))::int - 1))::int as mask
  from generate_series(date_trunc('month', starts_on::timestamp), ends_on::timestamp - interval '1 day', interval '1 month') as month
  where starts_on < ends_on
  union all
  select date_trunc('month', bill_date::timestamp)::date, 0, 1, 1, 0 where (starts_on < ends_on) is not true`

/**
 * The whole units of an amount that fall into a month: the share up to its end minus the share before it, each rounded half away from zero. A
 * zero amount, the whole amount at its end and the zero before its start skip the division, which saves most of a rebuild's arithmetic.
 */
export function part(amount: string): RawBuilder<unknown> {
  const whole = sql.ref(amount)
  const given = (days: 'upto' | 'before') => sql`div(abs(${whole}) * ${sql.ref(`span.${days}`)} * 2 + span.n, span.n * 2)`
  return sql`case when ${whole} = 0 then 0 else sign(${whole})
    * (case when span.upto = span.n then abs(${whole}) else ${given('upto')} end - case when span.before = 0 then 0 else ${given('before')} end) end`
}

/**
 * The emissions of a counted line in the usage and by the factors of the facts: of each month by the factor of its first day. It refers to
 * `bills`, `line`, `services` and `kind`, and is null for a line that facts do not count. The end of the line is named, because the key of its
 * fact begins with it.
 */
export function lineKilograms(client: RawBuilder<unknown>): RawBuilder<unknown> {
  const factor = sql`coalesce(services.emissions_factor, (select edition.value from emission_factors edition where edition.utility_service_id = kind.id
    and edition.effective_from <= span.month order by edition.effective_from desc limit 1), kind.emissions_factor)`
  return sql`(select sum(round(${part('millionths')} * 0.000001 * ${factor}, 6))
    from (select fact.starts_on, fact.ends_on, fact.starts_on as bill_date, fact.usage * 1000000 as millionths from bill_line_facts fact
      where fact.client_id = ${client} and fact.service_id = line.service_id and fact.account_key = 0
        and fact.ends_on = any(array[line.read_date, line.read_date + 1, bills.date]) and fact.bill_id = line.bill_id and fact.service_bill_id = line.id) own
    cross join lateral (${monthsOf}) span)`
}

/** Bills without a line. `bills` names the months that are wanted of each. */
export function bareBills(clientId: number, bills: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`bare as materialized (
    select bills.id, billable_account_id, supply_account_id, coalesce(billable.facility_id, supply.facility_id) as facility_id, billable.utility_service_id, bills.date as bill_date,
      ${fiscalMonth('bills')} as fiscal_month, previous_read_date as starts_on, read_date as ends_on,
      case when carried.cents is null then ${wholeCents} else ${leftCents} end as cents, first, last
    from ${bills}
    left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = bills.billable_account_id
    left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = bills.supply_account_id
    where bills.client_id = ${clientId} and ${counts}
      and not exists (select 1 from service_bills line where line.client_id = bills.client_id and line.bill_id = bills.id))`
}

/** Their money is spread over the days of the bill, but covers none, since there is no meter. */
export const accountMonths = sql`account_months as (
    select billable_account_id, supply_account_id, facility_id, utility_service_id, month, sum(${part('cents')}) as other
    from bare
    cross join lateral (${monthsOf}) span
    where month between bare.first and bare.last
    group by billable_account_id, supply_account_id, facility_id, utility_service_id, month)`

/** A month's emissions use the factor of its first day: the service's own, or else the edition valid then, or else the utility service's. */
export function serviceFacts(clientId: number): RawBuilder<unknown> {
  return sql`select ${clientId}::bigint as client_id, row.service_id, 0::bigint as account_key, row.month, service.billable_account_id, service.supply_account_id,
      service.facility_id, service.utility_service_id, row.days_mask, bit_count(row.days_mask::bit(32))::int as days,
      (row.utility + row.supply + row.other) * 0.01 as cost, row.utility * 0.01 as utility_cost, row.supply * 0.01 as supply_cost, row.other * 0.01 as other_cost,
      row.usage, row.supply_usage,
      ${kilograms(sql`row.usage`, 'edition')} as kg_co2e,
      case when row.days_mask > 0 then row.previous_month end as previous_month,
      row.days_mask > 0 and row.previous_month is distinct from (row.month - interval '1 month')::date as starts
    from followed row
    join owners service on service.id = row.service_id
    left join editions edition on edition.utility_service_id = service.utility_service_id and edition.month = row.month`
}

export function accountFacts(clientId: number): RawBuilder<unknown> {
  return sql`select ${clientId}::bigint, 0::bigint, coalesce(billable_account_id, -supply_account_id), month, billable_account_id, supply_account_id,
      facility_id, utility_service_id, 0, 0, other * 0.01, 0, 0, other * 0.01, null::numeric, null::numeric, 0, null::date, false
    from account_months`
}
