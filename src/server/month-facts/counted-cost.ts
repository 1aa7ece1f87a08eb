/** The cost of some bills that the facts of some months count: the sum that a list of the bills behind a figure comes to. */
import { firstDayOf, isCalendarDate, lastDayOf, monthOf } from '#contract/kernel/date.ts'
import { DEFAULT_BASIS } from '#contract/dashboard/basis.ts'
import { sql, type RawBuilder } from 'kysely'
import type { CountedDays } from './counted-bills.ts'
import { monthsOf, part } from './fact-months.ts'

/**
 * Returns the sum as SQL, from the whole lines of the bills with these ids; null where the days are no whole months, because facts are by month.
 * Calendarized, a line's money is spread over its days with the rounding of the facts.
 */
export function countedCost(
  clientId: number,
  { from, to, services, basis }: CountedDays,
  ids: RawBuilder<unknown>,
): RawBuilder<unknown> | null {
  if (!isCalendarDate(from) || !isCalendarDate(to) || from !== firstDayOf(monthOf(from)) || to !== lastDayOf(monthOf(to))) return null
  const ofServices = services === null ? sql`true` : sql`fact.utility_service_id = any(${services}::bigint[])`
  const facts = sql`from bill_line_facts fact where fact.client_id = ${clientId} and fact.bill_id in (${ids}) and ${ofServices}`
  const month = basis === 'fiscal' ? sql`fact.fiscal_month` : sql`fact.billed_month`
  if (basis !== DEFAULT_BASIS)
    return sql`(select coalesce(sum(fact.cost), 0)::numeric(16,2) ${facts} and ${month} between ${from}::date and ${to}::date)`
  return sql`(select coalesce(sum(${part('utility')} + ${part('supply')} + ${part('other')}) * 0.01, 0)::numeric(16,2)
    from (select fact.starts_on, fact.ends_on, fact.starts_on as bill_date, fact.utility_cost * 100 as utility, fact.supply_cost * 100 as supply,
        fact.other_cost * 100 as other ${facts} and fact.starts_on <= ${to}::date and fact.ends_on >= ${from}::date) own
    cross join lateral (${monthsOf}) span where span.month between ${from}::date and ${to}::date)`
}
