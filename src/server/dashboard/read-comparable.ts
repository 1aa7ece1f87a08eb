/** The months of a dashboard limited to what both windows cover; changes are computed from these. */
import { isWholeBills } from '#contract/dashboard/basis.ts'
import { type ComparedWindows, monthsOfWindow } from '#contract/dashboard/date-range.ts'
import { type CalendarMonth, daysInMonth, firstDayOf } from '#contract/kernel/date.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { meterMonths, type FactPart } from './fact-source.ts'
import { inEither, monthSumsOf, usageOfRow, type MonthSums, type RawMonth } from './read-sums.ts'

const ALL_BITS = 2 ** 31 - 1

/**
 * Pairs each meter's months with those of the other window, the first with the first. A day counts if the meter is covered on it in both months,
 * or if the other month is shorter and does not have it. Where bills count whole, a month counts as many days as the month with fewer billed days
 * has. A month's money, usage and kilograms are multiplied by the share of its days that count, rounded for each meter to the cent and the
 * millionth. Amounts that cover no day in either month, such as a bill without a meter, count if both months have them. Amounts in only one
 * window count nowhere.
 */
export async function readComparable(tx: Tx, part: FactPart, windows: ComparedWindows): Promise<MonthSums[]> {
  const { rows } = await sql<RawMonth>`select side.service_id, to_char(side.month, 'YYYY-MM') as month, ${sideSums}
    from ${comparableSides(part, windows)} group by 1, 2`.execute(tx)
  return rows.map(monthSumsOf)
}

/** The sums over rows of `comparableSides`. */
export const sideSums: RawBuilder<unknown> = sql`bit_or(side.kept)::int as days_mask, sum(side.kept_days)::bigint as meter_days,
    (sum(side.utility_cost + side.supply_cost + side.other_cost) * 100)::bigint as cost, (sum(side.utility_cost) * 100)::bigint as utility_cost,
    (sum(side.supply_cost) * 100)::bigint as supply_cost, (sum(side.other_cost) * 100)::bigint as other_cost,
    (sum(side.usage) * 1000000)::numeric(30)::text as usage, (sum(side.kg) * 1000000)::numeric(30)::text as kg,
    bool_or(side.elsewhere) and count(side.own_usage) = 0 as elsewhere`

/** Rows `side`: the part of each meter's month that the other window's month has too, with `fact`, the meter's row of the first window. */
export function comparableSides(part: FactPart, windows: ComparedWindows): RawBuilder<unknown> {
  return isWholeBills(part.basis) ? billedSides(part, windows) : coveredSides(part, windows)
}

function coveredSides({ client_id, facts, supplied }: FactPart, windows: ComparedWindows): RawBuilder<unknown> {
  const place = sql`pair.month`
  const kept = (row: SideRow) => ({ mask: sql.ref(`kept.of_${row}`), days: sql`bit_count(${sql.ref(`kept.of_${row}`)}::bit(32))::int` })
  return sql`${monthPairs(windows)}
      join service_month_facts fact on fact.client_id = ${client_id} and fact.month = pair.month and ${facts}
      join service_month_facts other on other.client_id = ${client_id} and other.service_id = fact.service_id and other.account_key = fact.account_key
        and other.month = pair.other_month
      cross join lateral (select fact.days_mask & (other.days_mask | pair.other_lacks) as of_fact, other.days_mask & (fact.days_mask | pair.lacks) as of_other) kept
      cross join lateral (${keptPart('fact', supplied, place, kept('fact'))} union all ${keptPart('other', supplied, place, kept('other'))}) side
    where ((fact.days_mask = 0 and other.days_mask = 0) or (kept.of_fact > 0 and kept.of_other > 0))`
}

/**
 * Each side is what a meter is billed in a month that has its pair. Both months of a pair are found in one pass: of tables without statistics the
 * planner would join them row by row.
 */
function billedSides({ basis, facts, supplied }: FactPart, windows: ComparedWindows): RawBuilder<unknown> {
  return sql`(select fact.*, pair.place, count(*) over meter as sides, min(fact.days) over meter as least_days, max(fact.days) over meter as most_days
      from ${meterMonths(basis, sql`${facts} and ${inEither(windows)}`)} join (${monthSides(windows)}) pair on pair.month = fact.month
      window meter as (partition by fact.service_id, fact.account_key, pair.place)) fact
      cross join lateral (${keptPart('fact', supplied, sql`fact.place`, { mask: sql`0`, days: sql`fact.least_days` })}) side
    where fact.sides = 2 and (fact.least_days > 0 or fact.most_days = 0)`
}

/** The months of both windows, each with its side and with the `place` that it shares with its pair. */
export function monthSides(windows: ComparedWindows): RawBuilder<unknown> {
  return sql`select side.month, pair.month as place, side.is_now from ${monthPairs(windows)}
    cross join lateral (values (pair.month, true), (pair.other_month, false)) side (month, is_now)`
}

/** Pairs the months of both windows, with the days up to the 31st that each lacks. */
function monthPairs({ current, previous }: ComparedWindows): RawBuilder<unknown> {
  const [months, others] = [monthsOfWindow(current), monthsOfWindow(previous)]
  const days = (of: readonly CalendarMonth[]) => sql`${of.map(firstDayOf)}::date[]`
  const lacks = (of: readonly CalendarMonth[]) => sql`${of.map((month) => ALL_BITS - (2 ** daysInMonth(month) - 1))}::int[]`
  return sql`unnest(${days(months)}, ${days(others)}, ${lacks(months)}, ${lacks(others)}) as pair(month, other_month, lacks, other_lacks)`
}

type SideRow = 'fact' | 'other'

interface KeptDays {
  readonly mask: RawBuilder<unknown>
  readonly days: RawBuilder<unknown>
}

/** `metered_usage` is what the meter's own lines measure, also where the delivery meter counts it again. */
function keptPart(row: SideRow, supplied: boolean, place: RawBuilder<unknown>, kept: KeptDays): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  const part = (amount: RawBuilder<unknown>, scale: number) =>
    sql`case when days.kept = ${column('days')} then ${amount} else round(${amount} * days.kept / ${column('days')}, ${sql.lit(scale)}) end`
  return sql`select ${column('utility_service_id')} as service_id, ${column('month')} as month, ${kept.mask} as kept, days.kept as kept_days,
    ${part(column('utility_cost'), 2)} as utility_cost, ${part(column('supply_cost'), 2)} as supply_cost, ${part(column('other_cost'), 2)} as other_cost,
    ${part(usageOfRow(row, supplied), 6)} as usage, ${part(usageOfRow(row, true), 6)} as metered_usage, ${place} as place, ${part(column('kg_co2e'), 6)} as kg, ${column('usage')} as own_usage, ${column('supply_usage')} is not null as elsewhere
    from (select ${kept.days} as kept) days`
}
