/** The meters of a dashboard: the configured ones, those that cover a day of a window, and the coverage of retired ones. */
import { isWholeBills } from '#contract/dashboard/basis.ts'
import type { ComparedWindows, MonthWindow } from '#contract/dashboard/date-range.ts'
import type { CalendarMonth } from '#contract/kernel/date.ts'
import { sql, type SqlBool } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { ScopedPart } from './dashboard-scope.ts'
import { factRows, isSummed, meterMonths } from './fact-source.ts'
import { inEither, within } from './read-sums.ts'

/** Number of distinct services with a covered day, by utility service. */
export interface MeterCount {
  readonly service_id: number | null
  readonly current: number
  readonly previous: number
}

export async function readActiveMeters(tx: Tx, part: ScopedPart, windows: ComparedWindows): Promise<MeterCount[]> {
  const { current, previous } = windows
  if (isWholeBills(part.basis)) return readBilledMeters(tx, part, windows)
  // A service's first covered month in a window is the one whose previous covered month lies before the window.
  const firstIn = ({ from }: MonthWindow) => sql`(fact.previous_month is null or fact.previous_month < ${from}::date)`
  const counted = sql`count(*) filter (where ${within(current)} and ${firstIn(current)}) as current, count(*) filter (where ${within(previous)} and ${firstIn(previous)}) as previous`
  if (!isSummed(part)) {
    const { rows } = await sql<MeterCount>`select utility_service_id as service_id, ${counted} from service_month_facts fact
      where ${part.facts} and days > 0 and ${inEither(windows)} group by utility_service_id`.execute(tx)
    return rows
  }
  // Meters of the first month, those covered for the first time later in the window, and those that return after a gap.
  const opening = (window: MonthWindow) =>
    sql`sum(case when month = ${window.from}::date then meters else first_meters end) filter (where ${within(window)})`
  const returning = ({ from, ...window }: MonthWindow) =>
    sql`count(*) filter (where ${within({ from, ...window })} and month > ${from}::date and previous_month < ${from}::date)`
  const { rows } =
    await sql<MeterCount>`select nullif(service_id, 0) as service_id, coalesce(sum(current), 0)::bigint as current, coalesce(sum(previous), 0)::bigint as previous from (
      select utility_service_id as service_id, ${opening(current)} as current, ${opening(previous)} as previous
        from utility_month_facts fact where client_id = ${part.client_id} and ${inEither(windows)} group by utility_service_id
      union all
      select coalesce(utility_service_id, 0), ${returning(current)}, ${returning(previous)}
        from service_month_facts fact where client_id = ${part.client_id} and starts and previous_month is not null and ${inEither(windows)} group by 1) counted group by 1`.execute(
      tx,
    )
  return rows
}

/** The same where bills count whole: a meter is active in the window whose months have a line of it with days. */
async function readBilledMeters(tx: Tx, part: ScopedPart, windows: ComparedWindows): Promise<MeterCount[]> {
  const { rows } =
    await sql<MeterCount>`select utility_service_id as service_id, count(distinct service_id) filter (where ${within(windows.current)}) as current,
      count(distinct service_id) filter (where ${within(windows.previous)}) as previous
    from ${factRows(part.basis)} where ${part.facts} and days > 0 and ${inEither(windows)} group by utility_service_id`.execute(tx)
  return rows
}

/** Active services on active accounts, grouped by the days on which bills are expected. */
export interface ConfiguredMeters {
  readonly service_id: number | null
  readonly effective_from: string | null
  readonly effective_to: string | null
  readonly meters: number
}

/** Coverage of inactive services: days per month, and how many services appear in the current window. */
export interface RetiredMonth {
  readonly service_id: number | null
  readonly month: CalendarMonth
  readonly meter_days: number
  readonly first_in_window: number
}

export interface MeterBook {
  readonly configured: readonly ConfiguredMeters[]
  readonly retired: readonly RetiredMonth[]
}

const accounts = sql`left join billable_accounts billable on billable.client_id = services.client_id and billable.id = services.billable_account_id
  left join supply_accounts supply on supply.client_id = services.client_id and supply.id = services.supply_account_id`
const isConfigured = sql<SqlBool>`(services.active and coalesce(billable.active, supply.active))`

/** The meters of a scope, independent of the window: active ones grouped, and the ids of the others. */
export interface MeterRegister {
  readonly configured: readonly ConfiguredMeters[]
  readonly retired_ids: readonly number[]
}

export async function readMeterRegister(tx: Tx, part: ScopedPart): Promise<MeterRegister> {
  const { rows } = await sql<ConfiguredMeters & { retired_ids: number[] | null }>`select services.utility_service_id as service_id,
      greatest(services.effective_from, billable.effective_from, supply.effective_from) as effective_from,
      least(services.effective_to, billable.effective_to, supply.effective_to) as effective_to,
      count(*) filter (where ${isConfigured}) as meters, array_agg(services.id) filter (where not ${isConfigured}) as retired_ids
    from services ${accounts} where ${part.services} group by 1, 2, 3`.execute(tx)
  return { configured: rows.filter((row) => row.meters > 0), retired_ids: rows.flatMap((row) => row.retired_ids ?? []) }
}

export async function readRetired(tx: Tx, part: ScopedPart, windows: ComparedWindows, ids: readonly number[]): Promise<RetiredMonth[]> {
  if (ids.length === 0) return []
  if (isWholeBills(part.basis)) return readRetiredBilled(tx, part, windows, ids)
  const { rows } =
    await sql<RetiredMonth>`select utility_service_id as service_id, to_char(month, 'YYYY-MM') as month, sum(days) as meter_days,
      count(*) filter (where ${within(windows.current)} and (previous_month is null or previous_month < ${windows.current.from}::date)) as first_in_window
    from service_month_facts fact where client_id = ${part.client_id} and service_id = any(${ids}::bigint[]) and days > 0 and ${inEither(windows)} group by 1, 2`.execute(
      tx,
    )
  return rows
}

async function readRetiredBilled(tx: Tx, part: ScopedPart, windows: ComparedWindows, ids: readonly number[]): Promise<RetiredMonth[]> {
  const { rows } =
    await sql<RetiredMonth>`select utility_service_id as service_id, to_char(month, 'YYYY-MM') as month, sum(days) as meter_days,
      count(distinct meter) filter (where month = first_month) as first_in_window
    from (select fact.service_id as meter, fact.utility_service_id, fact.month, fact.days, min(fact.month) filter (where ${within(windows.current)}) over (partition by fact.service_id) as first_month
      from ${meterMonths(part.basis, sql`fact.client_id = ${part.client_id} and fact.service_id = any(${ids}::bigint[]) and ${inEither(windows)}`)} where fact.days > 0) own
    group by 1, 2`.execute(tx)
  return rows
}

/** Joins of services for other queries about the same scope. */
export const serviceRows = { accounts, isConfigured } as const
