/** The sums of a dashboard by service and month. Money is in cents, usage and kilograms in millionths. */
import { isWholeBills } from '#contract/dashboard/basis.ts'
import type { ComparedWindows, MonthWindow } from '#contract/dashboard/date-range.ts'
import { type CalendarMonth, firstDayOf } from '#contract/kernel/date.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Condition } from '../kernel/lists/list.ts'
import type { ScopedPart } from './dashboard-scope.ts'
import { factRows, isSummed, meterMonths, type FactPart } from './fact-source.ts'

export interface Sums {
  readonly cost: number
  readonly utility_cost: number
  readonly supply_cost: number
  readonly other_cost: number
  /** Null if there is no usage. */
  readonly usage: bigint | null
  readonly kg: bigint
  /** True if all usage is a supplier's, metered again at the delivery meter, which counts it and its emissions. */
  readonly elsewhere: boolean
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
  readonly elsewhere: boolean
}

/** Returns the sums of both windows by utility service and month. */
export async function readMonths(tx: Tx, part: ScopedPart, windows: ComparedWindows): Promise<MonthSums[]> {
  if (!isSummed(part)) return readFacts(tx, part, windows)
  const { rows } = await totalsOfClient(part, windows).execute(tx)
  return rows.map(monthSumsOf)
}

/** The same of facts of which no sums stand ready. */
export async function readFacts(tx: Tx, part: FactPart, windows: ComparedWindows): Promise<MonthSums[]> {
  const { rows } = await sumsOfFacts(part, windows).execute(tx)
  return rows.map(monthSumsOf)
}

export interface RawMonth extends RawSums {
  readonly service_id: number | null
  readonly month: CalendarMonth
  readonly days_mask: number
  readonly meter_days: number
}

function totalsOfClient(part: ScopedPart, windows: ComparedWindows): RawBuilder<RawMonth> {
  return sql<RawMonth>`select nullif(utility_service_id, 0) as service_id, to_char(month, 'YYYY-MM') as month, days_mask, meter_days,
      (cost * 100)::bigint as cost, (utility_cost * 100)::bigint as utility_cost, (supply_cost * 100)::bigint as supply_cost, (other_cost * 100)::bigint as other_cost,
      case when usage_facts > 0 then (usage * 1000000)::numeric(30)::text end as usage, (kg_co2e * 1000000)::numeric(30)::text as kg, false as elsewhere
    from utility_month_facts fact where fact.client_id = ${part.client_id} and ${inEither(windows)}`
}

function sumsOfFacts({ basis, facts, supplied }: FactPart, windows: ComparedWindows): RawBuilder<RawMonth> {
  return sql<RawMonth>`select utility_service_id as service_id, to_char(month, 'YYYY-MM') as month, bit_or(days_mask)::int as days_mask, sum(days) as meter_days, ${sums(supplied)}
    from ${meterMonths(basis, sql`${facts} and ${inEither(windows)}`)} group by utility_service_id, month`
}

interface AccountMonth extends RawSums {
  readonly service_id: number | null
  readonly account_id: number
  readonly billable_account_id: number | null
  readonly supply_account_id: number | null
  readonly account_number: string
  readonly month: CalendarMonth
}

/** The same by account: for the graphs of a facility or a group. */
export async function readAccountMonths(tx: Tx, part: ScopedPart, windows: ComparedWindows): Promise<AccountMonthSums[]> {
  const { rows } = await sql<AccountMonth>`
    select row.*, coalesce(billable.account_number, supply.account_number) as account_number from (
      select utility_service_id as service_id, billable_account_id, supply_account_id, coalesce(billable_account_id, supply_account_id) as account_id,
        to_char(month, 'YYYY-MM') as month, ${sums(part.supplied)}
      from ${factRows(part.basis)} where ${part.facts} and ${inEither(windows)} group by utility_service_id, billable_account_id, supply_account_id, month) row
    left join billable_accounts billable on billable.client_id = ${part.client_id} and billable.id = row.billable_account_id
    left join supply_accounts supply on supply.client_id = ${part.client_id} and supply.id = row.supply_account_id`.execute(tx)
  return rows.map((row) => ({ ...row, ...sumsOf(row) }))
}

/** The sums over rows of `fact`. */
export function sums(supplied: boolean): RawBuilder<unknown> {
  return sql`(sum(cost) * 100)::bigint as cost, (sum(utility_cost) * 100)::bigint as utility_cost, (sum(supply_cost) * 100)::bigint as supply_cost,
    (sum(other_cost) * 100)::bigint as other_cost, (sum(${usageOfRow('fact', supplied)}) * 1000000)::numeric(30)::text as usage, (sum(kg_co2e) * 1000000)::numeric(30)::text as kg,
    bool_or(supply_usage is not null) and count(usage) = 0 as elsewhere`
}

/** Usage of a supply account comes from its own lines, although the delivery meter counts it. */
export function usageOfRow(row: string, supplied: boolean): RawBuilder<unknown> {
  const [usage, again] = [sql.ref(`${row}.usage`), sql.ref(`${row}.supply_usage`)]
  return supplied ? sql`case when ${usage} is null then ${again} else ${usage} + coalesce(${again}, 0) end` : usage
}

export function monthSumsOf(row: RawMonth): MonthSums {
  return { ...row, ...sumsOf(row) }
}

function sumsOf(row: RawSums): Sums {
  const { cost, utility_cost, supply_cost, other_cost, elsewhere } = row
  return {
    cost,
    utility_cost,
    supply_cost,
    other_cost,
    elsewhere,
    usage: row.usage === null ? null : BigInt(row.usage),
    kg: BigInt(row.kg),
  }
}

/** Returns the cents of everything in the caller's reach of the client, in both windows. */
export async function readClientCost(tx: Tx, part: ScopedPart, windows: ComparedWindows): Promise<{ current: number; previous: number }> {
  const source =
    part.reached === null && !isWholeBills(part.basis)
      ? sql`utility_month_facts fact where fact.client_id = ${part.client_id}`
      : sql`${factRows(part.basis)} where ${part.reached ?? sql`fact.client_id = ${part.client_id}`}`
  const { rows } = await sql<{
    current: number
    previous: number
  }>`select (coalesce(sum(cost) filter (where ${within(windows.current)}), 0) * 100)::bigint as current,
      (coalesce(sum(cost) filter (where ${within(windows.previous)}), 0) * 100)::bigint as previous
    from ${source} and ${inEither(windows)}`.execute(tx)
  return rows[0] ?? { current: 0, previous: 0 }
}

/** Returns the last month with data; null if the scope has none. */
export async function readLastMonth(tx: Tx, part: ScopedPart, serviceId: number | null): Promise<CalendarMonth | null> {
  const rowsOf = isSummed(part) ? sql`utility_month_facts fact` : factRows(part.basis)
  const ofService = serviceId === null ? sql`true` : sql`fact.utility_service_id = ${serviceId}`
  const condition = isSummed(part) ? sql`fact.client_id = ${part.client_id}` : part.facts
  const { rows } = await sql<{
    month: CalendarMonth | null
  }>`select to_char(max(month), 'YYYY-MM') as month from ${rowsOf} where ${condition} and ${ofService}`.execute(tx)
  return rows[0]?.month ?? null
}

/** Returns the utility services with their standard units and energy factors. */
export async function readServices(tx: Tx): Promise<ServiceInfo[]> {
  const { rows } =
    await sql<ServiceInfo>`select utility_services.id, utility_services.name, utility_services.code, utility_services.kbtu_factor, units.symbol as unit_symbol
    from utility_services left join usage_units on usage_units.utility_service_id = utility_services.id and usage_units.standard
    left join units on units.id = usage_units.unit_id`.execute(tx)
  return rows
}

export function within({ first_month, last_month }: MonthWindow): Condition {
  return sql<SqlBool>`(fact.month >= ${firstDayOf(first_month)}::date and fact.month <= ${firstDayOf(last_month)}::date)`
}

export function inEither({ current, previous }: ComparedWindows): Condition {
  return sql<SqlBool>`(${within(current)} or ${within(previous)})`
}
