/** What a dashboard reads: sums by service and month, meters, rankings. Money arrives in cents, usage and kilograms in millionths. */
import type { ComparedWindows, MonthWindow } from '#contract/date-range.ts'
import { type CalendarMonth, firstDayOf } from '#contract/kernel/date.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Tx } from '../kernel/database.ts'
import type { Condition } from '../kernel/list.ts'
import type { ScopedPart } from './dashboard-scope.ts'
import { ALL_SERVICES } from './fact-totals.ts'

export interface Sums {
  readonly cost: number
  readonly utility_cost: number
  readonly supply_cost: number
  readonly other_cost: number
  /** Null where there is no usage to speak of. */
  readonly usage: bigint | null
  readonly kg: bigint
}

export interface MonthSums extends Sums {
  readonly service_id: number | null
  readonly month: CalendarMonth
  readonly days_mask: number
  readonly meter_days: number
}

export interface AccountMonthSums extends Sums {
  readonly service_id: number | null
  readonly account_id: number
  readonly account_number: string
  readonly month: CalendarMonth
}

export interface ServiceInfo {
  readonly id: number
  readonly name: string
  readonly code: string
  readonly kbtu_factor: string | null
  readonly unit_symbol: string | null
}

interface RawSums {
  readonly cost: number
  readonly utility_cost: number
  readonly supply_cost: number
  readonly other_cost: number
  readonly usage: string | null
  readonly kg: string
}

/** Sums of both windows by utility service and month. */
export async function readMonths(tx: Tx, part: ScopedPart, windows: ComparedWindows): Promise<MonthSums[]> {
  const { rows } = await (part.whole ? totalsOfClient(part, windows) : sumsOfFacts(part, windows)).execute(tx)
  return rows.map((row) => ({ ...row, ...sumsOf(row) }))
}

interface RawMonth extends RawSums {
  readonly service_id: number | null
  readonly month: CalendarMonth
  readonly days_mask: number
  readonly meter_days: number
}

function totalsOfClient(part: ScopedPart, windows: ComparedWindows): RawBuilder<RawMonth> {
  return sql<RawMonth>`select nullif(utility_service_id, 0) as service_id, to_char(month, 'YYYY-MM') as month, days_mask, meter_days,
      (cost * 100)::bigint as cost, (utility_cost * 100)::bigint as utility_cost, (supply_cost * 100)::bigint as supply_cost, (other_cost * 100)::bigint as other_cost,
      case when usage_facts > 0 then (usage * 1000000)::numeric(30)::text end as usage, (kg_co2e * 1000000)::numeric(30)::text as kg
    from utility_month_facts fact where fact.client_id = ${part.client_id} and ${inEither(windows)}`
}

function sumsOfFacts(part: ScopedPart, windows: ComparedWindows): RawBuilder<RawMonth> {
  return sql<RawMonth>`select utility_service_id as service_id, to_char(month, 'YYYY-MM') as month, bit_or(days_mask)::int as days_mask, sum(days) as meter_days, ${sums(part)}
    from service_month_facts fact where ${part.facts} and ${inEither(windows)} group by utility_service_id, month`
}

/** The same by account: a facility's graphs, and a group's. */
export async function readAccountMonths(tx: Tx, part: ScopedPart, windows: ComparedWindows): Promise<AccountMonthSums[]> {
  const { rows } = await sql<RawSums & { service_id: number | null; account_id: number; account_number: string; month: CalendarMonth }>`
    select row.*, coalesce(billable.account_number, supply.account_number) as account_number from (
      select utility_service_id as service_id, billable_account_id, supply_account_id, coalesce(billable_account_id, supply_account_id) as account_id,
        to_char(month, 'YYYY-MM') as month, ${sums(part)}
      from service_month_facts fact where ${part.facts} and ${inEither(windows)} group by utility_service_id, billable_account_id, supply_account_id, month) row
    left join billable_accounts billable on billable.client_id = ${part.client_id} and billable.id = row.billable_account_id
    left join supply_accounts supply on supply.client_id = ${part.client_id} and supply.id = row.supply_account_id`.execute(tx)
  return rows.map((row) => ({ ...row, ...sumsOf(row) }))
}

function sums(part: ScopedPart): RawBuilder<unknown> {
  const usage = part.supplied ? sql`case when usage is null then supply_usage else usage + coalesce(supply_usage, 0) end` : sql`usage`
  return sql`(sum(cost) * 100)::bigint as cost, (sum(utility_cost) * 100)::bigint as utility_cost, (sum(supply_cost) * 100)::bigint as supply_cost,
    (sum(other_cost) * 100)::bigint as other_cost, (sum(${usage}) * 1000000)::numeric(30)::text as usage, (sum(kg_co2e) * 1000000)::numeric(30)::text as kg`
}

function sumsOf(row: RawSums): Sums {
  const { cost, utility_cost, supply_cost, other_cost } = row
  return { cost, utility_cost, supply_cost, other_cost, usage: row.usage === null ? null : BigInt(row.usage), kg: BigInt(row.kg) }
}

/** Cents of everything that the caller reaches of the client, in both windows. */
export async function readClientCost(tx: Tx, part: ScopedPart, windows: ComparedWindows): Promise<{ current: number; previous: number }> {
  const source =
    part.reached === null
      ? sql`utility_month_facts fact where fact.client_id = ${part.client_id}`
      : sql`service_month_facts fact where ${part.reached}`
  const { rows } = await sql<{
    current: number
    previous: number
  }>`select (coalesce(sum(cost) filter (where ${within(windows.current)}), 0) * 100)::bigint as current,
      (coalesce(sum(cost) filter (where ${within(windows.previous)}), 0) * 100)::bigint as previous
    from ${source} and ${inEither(windows)}`.execute(tx)
  return rows[0] ?? { current: 0, previous: 0 }
}

/** Distinct services with a covered day, by utility service. */
export interface MeterCount {
  readonly service_id: number | null
  readonly current: number
  readonly previous: number
}

export async function readActiveMeters(tx: Tx, part: ScopedPart, windows: ComparedWindows): Promise<MeterCount[]> {
  const { current, previous } = windows
  // A service's first covered month in a window is the one whose previous covered month lies before the window.
  const firstIn = ({ from }: MonthWindow) => sql`(fact.previous_month is null or fact.previous_month < ${from}::date)`
  const counted = sql`count(*) filter (where ${within(current)} and ${firstIn(current)}) as current, count(*) filter (where ${within(previous)} and ${firstIn(previous)}) as previous`
  if (!part.whole) {
    const { rows } = await sql<MeterCount>`select utility_service_id as service_id, ${counted} from service_month_facts fact
      where ${part.facts} and days > 0 and ${inEither(windows)} group by utility_service_id`.execute(tx)
    return rows
  }
  // Those of the first month, those covered for the first time later in the window, and those that come back from a gap.
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

/** Services that are active on active accounts, gathered by the days on which they are expected to be billed. */
export interface ConfiguredMeters {
  readonly service_id: number | null
  readonly effective_from: string | null
  readonly effective_to: string | null
  readonly meters: number
}

/** What services that are no longer active still cover: days a month, and how many of them appear in the current window. */
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

/** The meters of a scope, whatever the window: those in use, gathered, and the ids of the others. */
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
  const { rows } =
    await sql<RetiredMonth>`select utility_service_id as service_id, to_char(month, 'YYYY-MM') as month, sum(days) as meter_days,
      count(*) filter (where ${within(windows.current)} and (previous_month is null or previous_month < ${windows.current.from}::date)) as first_in_window
    from service_month_facts fact where client_id = ${part.client_id} and service_id = any(${ids}::bigint[]) and days > 0 and ${inEither(windows)} group by 1, 2`.execute(
      tx,
    )
  return rows
}

/** The record that leads a ranking, its value (cents or millionths of a kilogram) and its value in the previous window. */
export interface Leader {
  readonly id: number
  readonly name: string
  readonly current: bigint
  readonly previous: bigint
}

export interface Leaders {
  readonly facility_by_cost: Leader | null
  readonly facility_by_emissions: Leader | null
  readonly division_by_cost: Leader | null
}

export async function readLeaders(tx: Tx, part: ScopedPart, windows: ComparedWindows, serviceId: number | null): Promise<Leaders> {
  const base = rankedFacts(part, serviceId)
  const { rows } = await sql<{ kind: keyof Leaders; id: number; name: string; value: string }>`
    with sums as materialized (select facility_id, sum(cost) as cost, sum(kg_co2e) as kg from ${base} and ${within(windows.current)} group by facility_id),
    named as materialized (select facility.id, facility.name, facility.division_id, sums.cost, sums.kg
      from sums join facilities facility on facility.client_id = ${part.client_id} and facility.id = sums.facility_id)
    (select 'facility_by_cost' as kind, id, name, (cost * 100)::numeric(30)::text as value from named order by cost desc, name, id limit 1)
    union all (select 'facility_by_emissions', id, name, (kg * 1000000)::numeric(30)::text from named where kg > 0 order by kg desc, name, id limit 1)
    union all (select 'division_by_cost', division.id, division.name, (sum(named.cost) * 100)::numeric(30)::text
      from named join divisions division on division.client_id = ${part.client_id} and division.id = named.division_id
      group by division.id, division.name order by sum(named.cost) desc, division.name, division.id limit 1)`.execute(tx)
  const found = new Map(rows.map((row) => [row.kind, row]))
  const before = await readLeadersBefore(tx, part, windows, base, found)
  const leader = (kind: keyof Leaders): Leader | null => {
    const row = found.get(kind)
    return row ? { id: row.id, name: row.name, current: BigInt(row.value), previous: BigInt(before[kind]) } : null
  }
  return {
    facility_by_cost: leader('facility_by_cost'),
    facility_by_emissions: leader('facility_by_emissions'),
    division_by_cost: leader('division_by_cost'),
  }
}

type LeaderRows = ReadonlyMap<keyof Leaders, { readonly id: number }>
const nothingBefore: Readonly<Record<keyof Leaders, string>> = { facility_by_cost: '0', facility_by_emissions: '0', division_by_cost: '0' }

async function readLeadersBefore(
  tx: Tx,
  part: ScopedPart,
  windows: ComparedWindows,
  base: RawBuilder<unknown>,
  found: LeaderRows,
): Promise<Record<keyof Leaders, string>> {
  if (found.size === 0) return { ...nothingBefore }
  const idOf = (kind: keyof Leaders) => found.get(kind)?.id ?? 0
  const inDivision = sql`facility_id in (select id from facilities where client_id = ${part.client_id} and division_id = ${idOf('division_by_cost')})`
  const { rows } = await sql<Record<keyof Leaders, string>>`select
      (coalesce(sum(cost) filter (where facility_id = ${idOf('facility_by_cost')}), 0) * 100)::numeric(30)::text as facility_by_cost,
      (coalesce(sum(kg_co2e) filter (where facility_id = ${idOf('facility_by_emissions')}), 0) * 1000000)::numeric(30)::text as facility_by_emissions,
      (coalesce(sum(cost) filter (where ${inDivision}), 0) * 100)::numeric(30)::text as division_by_cost
    from ${base} and ${within(windows.previous)} and (facility_id in (${idOf('facility_by_cost')}, ${idOf('facility_by_emissions')}) or ${inDivision})`.execute(
    tx,
  )
  return rows[0] ?? { ...nothingBefore }
}

function rankedFacts(part: ScopedPart, serviceId: number | null): RawBuilder<unknown> {
  if (part.whole)
    return sql`facility_month_facts fact where fact.client_id = ${part.client_id} and fact.utility_service_id = ${serviceId ?? ALL_SERVICES}`
  return sql`service_month_facts fact where ${part.facts} ${serviceId === null ? sql`` : sql`and fact.utility_service_id = ${serviceId}`}`
}

/** The last month that has anything, null where the scope has nothing at all. */
export async function readLastMonth(tx: Tx, part: ScopedPart, serviceId: number | null): Promise<CalendarMonth | null> {
  const table = part.whole ? sql`utility_month_facts` : sql`service_month_facts`
  const ofService = serviceId === null ? sql`true` : sql`fact.utility_service_id = ${serviceId}`
  const condition = part.whole ? sql`fact.client_id = ${part.client_id}` : part.facts
  const { rows } = await sql<{
    month: CalendarMonth | null
  }>`select to_char(max(month), 'YYYY-MM') as month from ${table} fact where ${condition} and ${ofService}`.execute(tx)
  return rows[0]?.month ?? null
}

/** The utility services, their standard units and what energy they carry. */
export async function readServices(tx: Tx): Promise<ServiceInfo[]> {
  const { rows } =
    await sql<ServiceInfo>`select utility_services.id, utility_services.name, utility_services.code, utility_services.kbtu_factor, units.symbol as unit_symbol
    from utility_services left join usage_units on usage_units.utility_service_id = utility_services.id and usage_units.standard
    left join units on units.id = usage_units.unit_id`.execute(tx)
  return rows
}

/** Joined services for other questions about the same scope. */
export const serviceRows = { accounts, isConfigured } as const

export function within({ first_month, last_month }: MonthWindow): Condition {
  return sql<SqlBool>`(fact.month >= ${firstDayOf(first_month)}::date and fact.month <= ${firstDayOf(last_month)}::date)`
}

function inEither({ current, previous }: ComparedWindows): Condition {
  return sql<SqlBool>`(${within(current)} or ${within(previous)})`
}
