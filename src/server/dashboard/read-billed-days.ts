/** The days that bills cover where they count whole: the divisor of the cost per day. */
import { isWholeBills } from '#contract/dashboard/basis.ts'
import type { ComparedWindows } from '#contract/dashboard/date-range.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { ScopedPart } from './dashboard-scope.ts'
import { daysIn, factRows } from './fact-source.ts'
import { monthSides } from './read-comparable.ts'
import { inEither } from './read-sums.ts'

interface DaysOfBoth {
  readonly current: number
  readonly previous: number
}

export interface BilledDays {
  readonly months: DaysOfBoth
  readonly comparable: DaysOfBoth
}

/**
 * Distinct days of the lines that count in each window, wherever these days lie; null where bills are spread over their days. What both windows
 * bill is compared over the fewer of its days, since its amounts are reduced to as many days.
 */
export async function readBilledDays(
  tx: Tx,
  part: ScopedPart,
  windows: ComparedWindows,
  serviceId: number | null,
): Promise<BilledDays | null> {
  if (!isWholeBills(part.basis)) return null
  const ofService = serviceId === null ? sql`` : sql`and fact.utility_service_id = ${serviceId}`
  // A line is kept where its meter has a line with days in the month that is the pair of its own.
  const { rows } = await sql<{ current: number; previous: number; kept: number }>`
    with own as materialized (select fact.starts_on, fact.ends_on, pair.is_now, bool_or(pair.is_now) over meter and not bool_and(pair.is_now) over meter as is_kept
      from ${factRows(part.basis)} join (${monthSides(windows)}) pair on pair.month = fact.month
      where ${part.facts} ${ofService} and fact.days > 0 and ${inEither(windows)}
      window meter as (partition by fact.service_id, pair.place))
    select ${daysIn(spans(sql`is_now`))} as current, ${daysIn(spans(sql`not is_now`))} as previous,
      least(${daysIn(spans(sql`is_now and is_kept`))}, ${daysIn(spans(sql`not is_now and is_kept`))}) as kept`.execute(tx)
  const [{ current, previous, kept: both } = { current: 0, previous: 0, kept: 0 }] = rows
  return { months: { current, previous }, comparable: { current: both, previous: both } }
}

/** The distinct days of lines; many lines have the same, so that few spans are united. */
function spans(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select range_agg(daterange(starts_on, ends_on)) from (select distinct starts_on, ends_on from own where ${condition}) line)`
}
