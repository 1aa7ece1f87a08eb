/** Reads the facts of the comparison in the same weather: the station with its degree days, the months of meters, and their bill periods. */
import type { MonthWindow } from '#contract/dashboard/date-range.ts'
import type { CalendarDate, CalendarMonth } from '#contract/kernel/date.ts'
import type { StoredDegreeDays } from '#contract/weather/degree-day-book.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { ScopedPart } from './dashboard-scope.ts'

export interface StationOfFacility {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly base_temperature: number
}

export async function readStation(tx: Tx, clientId: number, facilityId: number): Promise<StationOfFacility | null> {
  const { rows } = await sql<StationOfFacility>`select station.id, station.code, station.name, station.base_temperature
    from facilities join weather_stations station on station.id = facilities.weather_station_id
    where facilities.client_id = ${clientId} and facilities.id = ${facilityId}`.execute(tx)
  return rows[0] ?? null
}

/** Years before the report whose weather belongs to the normal year: a climate normal is of thirty. */
const NORMAL_YEARS_MAX = 30

/** The degree days of a station up to the end of the report. `periods` are compared as text: a month sorts before its days. */
export async function readDegreeDays(tx: Tx, stationId: number, { last_month, to }: MonthWindow): Promise<StoredDegreeDays[]> {
  const first = `${Number(last_month.slice(0, 4)) - NORMAL_YEARS_MAX}-01`
  const { rows } = await sql<StoredDegreeDays>`select period, heating::text as heating, cooling::text as cooling from degree_days
    where weather_station_id = ${stationId} and period >= ${first} and period <= ${to} order by period, id`.execute(tx)
  return rows
}

/** One meter and month of a utility service. Money is in cents, usage in millionths, null where another meter counts it. */
export interface WeatherMonthFact {
  readonly service_id: number
  readonly utility_service_id: number
  readonly month: CalendarMonth
  readonly days_mask: number
  readonly days: number
  readonly cents: number
  readonly usage: bigint | null
}

export async function readMeterMonths(tx: Tx, part: ScopedPart, report: MonthWindow): Promise<WeatherMonthFact[]> {
  const { rows } = await sql<Omit<WeatherMonthFact, 'usage'> & { readonly usage: string | null }>`
    select service_id, utility_service_id, to_char(month, 'YYYY-MM') as month, days_mask, days, (cost * 100)::bigint as cents,
      (usage * 1000000)::numeric(30)::text as usage
    from service_month_facts fact
    where ${part.facts} and utility_service_id is not null and month between ${report.from} and ${report.to}
    order by service_id, month`.execute(tx)
  return rows.map((row) => ({ ...row, usage: row.usage === null ? null : BigInt(row.usage) }))
}

/** One bill period of a meter, [starts_on, ends_on). Usage is in millionths. */
export interface MeterPeriod {
  readonly service_id: number
  readonly utility_service_id: number
  readonly starts_on: CalendarDate
  readonly ends_on: CalendarDate
  readonly days: number
  readonly usage: bigint
}

/** The bill periods that lie wholly in the window. Lines of a meter with the same days are one period. */
export async function readMeterPeriods(tx: Tx, part: ScopedPart, baseline: MonthWindow): Promise<MeterPeriod[]> {
  const { rows } = await sql<Omit<MeterPeriod, 'usage'> & { readonly usage: string }>`
    select service_id, utility_service_id, starts_on, ends_on, ends_on - starts_on as days, (sum(usage) * 1000000)::numeric(30)::text as usage
    from bill_line_facts fact
    where ${part.facts} and utility_service_id is not null and usage is not null and days > 0
      and starts_on >= ${baseline.from} and ends_on <= ${baseline.to}::date + 1
    group by service_id, utility_service_id, starts_on, ends_on order by service_id, starts_on, ends_on`.execute(tx)
  return rows.map((row) => ({ ...row, usage: BigInt(row.usage) }))
}

export interface MeterName {
  readonly id: number
  readonly meter_number: string | null
  readonly account_number: string | null
}

/** `may`: the models of accounts that the caller may read; a meter of another model is not named. */
export async function readMeterNames(
  tx: Tx,
  clientId: number,
  serviceIds: readonly number[],
  may: { readonly billable: boolean; readonly supply: boolean },
): Promise<ReadonlyMap<number, MeterName>> {
  const { rows } =
    await sql<MeterName>`select services.id, services.meter_number, coalesce(billable.account_number, supply.account_number) as account_number
    from services
    left join billable_accounts billable on billable.client_id = services.client_id and billable.id = services.billable_account_id
    left join supply_accounts supply on supply.client_id = services.client_id and supply.id = services.supply_account_id
    where services.client_id = ${clientId} and services.id = any(${serviceIds}::bigint[])
      and ((${may.billable} and services.billable_account_id is not null) or (${may.supply} and services.supply_account_id is not null))`.execute(
      tx,
    )
  return new Map(rows.map((row) => [row.id, row]))
}
