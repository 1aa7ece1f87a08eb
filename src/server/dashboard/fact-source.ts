/** Where the sums of a dashboard come from on its basis. */
import { DEFAULT_BASIS, isWholeBills, type DashboardBasis } from '#contract/dashboard/basis.ts'
import { sql, type RawBuilder } from 'kysely'
import type { ScopedPart } from './dashboard-scope.ts'

/** The part of the facts that is summed. */
export type FactPart = Pick<ScopedPart, 'client_id' | 'basis' | 'facts' | 'supplied'>

const monthOf: Readonly<Record<Exclude<DashboardBasis, typeof DEFAULT_BASIS>, RawBuilder<unknown>>> = {
  billed: sql`billed_month as month, billed_kg as kg_co2e`,
  fiscal: sql`fiscal_month as month, fiscal_kg as kg_co2e`,
}

/**
 * Rows `fact`: a meter and a month, over which its bills are spread; or a line of a bill, which counts whole in one month. A line covers no day of
 * its month, and `days` are those that it is billed for.
 */
export function factRows(basis: DashboardBasis): RawBuilder<unknown> {
  if (basis === DEFAULT_BASIS) return sql`service_month_facts fact`
  return sql`(select client_id, service_id, account_key, ${monthOf[basis]}, billable_account_id, supply_account_id, facility_id, utility_service_id, 0 as days_mask, days,
    cost, utility_cost, supply_cost, other_cost, usage, supply_usage, starts_on, ends_on from bill_line_facts) fact`
}

/**
 * The same, one row a meter and month, where its days matter: a day that several lines of a meter have is billed once. `condition` is on `fact`.
 * Few meters have more than one line in a month, and only the days of these are looked up. Without the offset the look-up would be planned once
 * for each use of the days.
 */
export function meterMonths(basis: DashboardBasis, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!isWholeBills(basis)) return sql`(select * from service_month_facts fact where ${condition}) fact`
  const owner = sql`client_id, service_id, account_key, month, billable_account_id, supply_account_id, facility_id, utility_service_id`
  const days = sql`(select range_agg(daterange(fact.starts_on, fact.ends_on)) as days from ${factRows(basis)}
    where fact.client_id = own.client_id and fact.service_id = own.service_id and fact.account_key = own.account_key and fact.month = own.month and fact.days > 0)`
  return sql`(select ${owner}, 0 as days_mask, cost, utility_cost, supply_cost, other_cost, usage, supply_usage, kg_co2e,
      case when lines > 1 then ${daysIn(days)} else days end as days
    from (select ${owner}, sum(cost) as cost, sum(utility_cost) as utility_cost, sum(supply_cost) as supply_cost, sum(other_cost) as other_cost,
        sum(usage) as usage, sum(supply_usage) as supply_usage, sum(kg_co2e) as kg_co2e, sum(days)::int as days, count(*) filter (where days > 0) as lines
      from ${factRows(basis)} where ${condition} group by ${owner}) own offset 0) fact`
}

/** The number of days in a multirange of days; 0 for none. */
export function daysIn(ranges: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(sum(upper(span) - lower(span)), 0)::int from unnest(${ranges}) span)`
}

/** Whether the sums over all meters of the client stand ready. */
export function isSummed({ basis, whole }: Pick<ScopedPart, 'basis' | 'whole'>): boolean {
  return whole && !isWholeBills(basis)
}
