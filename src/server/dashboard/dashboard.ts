/** Answers what a client, or a part of it, spent, used and emitted. */
import { isWholeBills } from '#contract/dashboard/basis.ts'
import { dashboardChildCalls } from '#contract/dashboard/dashboard-children.ts'
import { dashboardCostChangeCalls } from '#contract/dashboard/dashboard-cost-change.ts'
import { dashboardWeatherCalls } from '#contract/dashboard/dashboard-weather.ts'
import {
  dashboardCalls,
  DEFAULT_GRAPH_TYPE,
  isClientWide,
  isOn,
  unbilledMetersMax,
  type DashboardAnswer,
  type DashboardQuery,
  type DashboardReply,
  type UnbilledMeter,
} from '#contract/dashboard/dashboard.ts'
import { isWithin, type ComparedWindows, type MonthWindow } from '#contract/dashboard/date-range.ts'
import { addToMonth, type CalendarMonth, firstDayOf } from '#contract/kernel/date.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { costChangeOf } from './cost-change.ts'
import { childrenOf } from './dashboard-children.ts'
import { composeMetrics } from './compose-dashboard.ts'
import { composeGraphs } from './compose-graphs.ts'
import { composeSummary } from './compose-summary.ts'
import { chosen, comparisonOf, coverageOfBoth, type DashboardFacts } from './compose-sums.ts'
import { scopedPart, type ScopedPart } from './dashboard-scope.ts'
import { factRows, isSummed } from './fact-source.ts'
import { readBilledDays } from './read-billed-days.ts'
import { readComparable } from './read-comparable.ts'
import { readLeaders } from './read-leaders.ts'
import { readLinkedSupply } from './read-linked-supply.ts'
import { readActiveMeters, readMeterRegister, readRetired, serviceRows, type MeterBook } from './read-meters.ts'
import { readAccountMonths, readClientCost, readLastMonth, readMonths, readServices, within, type MonthSums } from './read-sums.ts'
import { weatherOf } from './weather.ts'
import { windowsOfQuery } from './windows-of-query.ts'
import {
  rememberedComparable,
  rememberedDays,
  rememberedLeaders,
  rememberedPart,
  rememberedRegister,
  rememberedRetired,
  versionOf,
} from './remembered.ts'

export const dashboardHandlers: readonly Handler[] = [
  handle(dashboardCalls.get, (context, { params, query }) => dashboardOf(context, params.client_id, query)),
  handle(dashboardChildCalls.children, (context, { params, query }) => childrenOf(context, params.client_id, query)),
  handle(dashboardCostChangeCalls.costChange, (context, { params, query }) => costChangeOf(context, params.client_id, query)),
  handle(dashboardWeatherCalls.weather, (context, { params, query }) => weatherOf(context, params.client_id, params.facility_id, query)),
  handle(dashboardCalls.unbilledMeters, (context, { params, query }) => unbilledMeters(context, params.client_id, query)),
]

async function dashboardOf(context: Context, clientId: number, query: DashboardQuery): Promise<DashboardReply> {
  const part = await scopedPart(context, clientId, query)
  if (await isUnprepared(context.tx, part)) return { error: true, message: UNPREPARED }
  const asOf = query.as_of ?? today()
  const windows = windowsOfQuery(query)
  const { facts, accountMonths } = await readDashboard(context, part, windows, query)
  if (facts.service_id !== null && !hasService(facts, facts.service_id))
    return { error: true, message: 'There is no such utility service here.' }
  const hasData = facts.months.filter(chosen(facts)).some((row) => isWithin(row.month, windows.current))
  const coverage = coverageOfBoth(facts)
  return {
    dashboard: composeMetrics(facts),
    graphs: composeGraphs(facts, query.graph_data_type ?? DEFAULT_GRAPH_TYPE, accountMonths),
    summary: query.summary === undefined || query.summary === '' || isOn(query.summary) ? composeSummary(facts) : [],
    scope: { scope_type: part.scope, id: part.id, name: part.name, partial: part.partial },
    as_of: asOf,
    basis: part.basis,
    windows: { current: daysOf(windows.current), previous: daysOf(windows.previous) },
    coverage,
    comparison: comparisonOf(facts, coverage),
    service_options: serviceOptions(facts),
    has_data: hasData,
    last_year_with_data: hasData ? null : lookBack(await readLastMonth(context.tx, part, facts.service_id)),
  }
}

/** Runs all queries at once: each is its own statement and does not depend on the others. */
async function readDashboard(context: Context, part: ScopedPart, windows: ComparedWindows, query: DashboardQuery) {
  const { tx } = context
  const serviceId = query.service ? Number(query.service) : null
  const byAccount = part.scope === 'facility' || part.scope === 'group_account' || part.scope === 'group_supply_account'
  const version = await versionOf(context, part.client_id)
  const isDelivery = part.scope === 'billable_accounts' || part.scope === 'billable_account' || part.scope === 'group_account'
  const [{ months, active }, comparable, services, book, leaders, clientCost, accountMonths, linked, billedDays] = await Promise.all([
    monthsOf(context, part, version, windows),
    comparableOf(context, part, version, windows),
    readServices(tx),
    meterBook(context, part, version, windows),
    rememberedLeaders(context, part, version, JSON.stringify([windows, serviceId]), () => readLeaders(tx, part, windows, serviceId)),
    part.scope === 'client' ? null : readClientCost(tx, part, windows),
    byAccount ? readAccountMonths(tx, part, windows) : null,
    isDelivery ? readLinkedSupply(tx, part, windows) : null,
    rememberedDays(context, part, version, JSON.stringify([windows, serviceId]), () => readBilledDays(tx, part, windows, serviceId)),
  ])
  const facts: DashboardFacts = {
    basis: part.basis,
    windows,
    months,
    comparable,
    services: new Map(services.map((service) => [service.id, service])),
    service_id: serviceId,
    is_client: part.scope === 'client',
    is_supply: part.supplied,
    client_cost: clientCost ?? { current: costIn(months, windows.current), previous: costIn(months, windows.previous) },
    active,
    book,
    leaders,
    linked,
    billed_days: billedDays,
  }
  return { facts, accountMonths }
}

/** Sums for a whole client are precomputed; sums for a large part of it are computed once and cached. */
async function monthsOf(context: Context, part: ScopedPart, version: string, windows: ComparedWindows) {
  const read = async () => {
    const [months, active] = await Promise.all([readMonths(context.tx, part, windows), readActiveMeters(context.tx, part, windows)])
    return { months, active }
  }
  const isLarge = !isSummed(part) && (isClientWide(part.scope) || part.scope === 'division')
  return isLarge ? rememberedPart(context, part, version, JSON.stringify(windows), read) : read()
}

/** An account has too few months to be worth caching. */
async function comparableOf(context: Context, part: ScopedPart, version: string, windows: ComparedWindows): Promise<MonthSums[]> {
  const read = () => readComparable(context.tx, part, windows)
  const isLarge = isClientWide(part.scope) || part.scope === 'division' || part.scope === 'facility'
  return isLarge ? rememberedComparable(context, part, version, JSON.stringify(windows), read) : read()
}

async function meterBook(context: Context, part: ScopedPart, version: string, windows: ComparedWindows): Promise<MeterBook> {
  const { configured, retired_ids } = await rememberedRegister(context, part, version, '', () => readMeterRegister(context.tx, part))
  const retired = await rememberedRetired(context, part, version, JSON.stringify(windows), () =>
    readRetired(context.tx, part, windows, retired_ids),
  )
  return { configured, retired }
}

function costIn(months: readonly MonthSums[], window: MonthWindow): number {
  return months.filter((row) => isWithin(row.month, window)).reduce((sum, row) => sum + row.cost, 0)
}

function daysOf({ from, to }: MonthWindow): DashboardAnswer['windows']['current'] {
  return { from, to }
}

/** The filter options of the scope: utility services with meters or cost. */
function serviceOptions(facts: DashboardFacts): DashboardAnswer['service_options'] {
  return [...facts.services.values()]
    .filter((service) => hasMeters(facts.book, service.id) || facts.months.some((row) => row.service_id === service.id))
    .map(({ id, name, code }) => ({ id, name, service_code: code }))
    .toSorted((a, b) => naturalOrder(a.name, b.name))
}

function hasMeters({ configured, retired }: MeterBook, serviceId: number): boolean {
  return configured.some((group) => group.service_id === serviceId) || retired.some((month) => month.service_id === serviceId)
}

/** An existing service without data is a valid filter, so that a bookmarked address never becomes an error. */
function hasService(facts: DashboardFacts, serviceId: number): boolean {
  return facts.services.has(serviceId)
}

/** Returns the day as of which the last month with data is the last complete one. */
function lookBack(last: CalendarMonth | null): DashboardAnswer['last_year_with_data'] {
  return last === null ? null : { year: Number(last.slice(0, 4)), as_of: firstDayOf(addToMonth(last, 1)) }
}

const UNPREPARED = 'Figures by bill date and by fiscal month are being prepared. Try again in a few minutes.'

/** After an update from a version without them, a job makes the facts of bills that count whole (month-facts/fact-jobs.ts). */
async function isUnprepared(tx: Tx, { basis, client_id }: ScopedPart): Promise<boolean> {
  if (!isWholeBills(basis)) return false
  const { rows } = await sql<{ is: boolean }>`select exists (select from line_facts_due where client_id = ${client_id}) as is`.execute(tx)
  return rows[0]?.is === true
}

async function unbilledMeters(
  context: Context,
  clientId: number,
  query: DashboardQuery,
): Promise<{ meters: UnbilledMeter[]; total: number }> {
  const part = await scopedPart(context, clientId, query)
  const { current } = windowsOfQuery(query)
  const ofService = query.service ? sql`and services.utility_service_id = ${Number(query.service)}` : sql``
  const unbilled = sql`from services ${serviceRows.accounts}
    left join facilities facility on facility.client_id = services.client_id and facility.id = coalesce(billable.facility_id, supply.facility_id)
    left join utility_services kind on kind.id = services.utility_service_id
    where ${part.services} and ${serviceRows.isConfigured} ${ofService} and not exists (select 1 from ${factRows(part.basis)}
      where fact.client_id = services.client_id and fact.service_id = services.id and fact.account_key = 0 and fact.days > 0 and ${within(current)})`
  const [{ rows }, counted] = await Promise.all([
    sql<UnbilledMeter>`select services.id, services.meter_number, kind.name as service_name, coalesce(billable.id, supply.id) as account_id,
        case when billable.id is null then 'SupplyAccount' else 'BillableAccount' end as account_type,
        coalesce(billable.account_number, supply.account_number) as account_number, facility.name as facility
      ${unbilled} order by 6, services.meter_number, services.id limit ${unbilledMetersMax}`.execute(context.tx),
    sql<{ total: number }>`select count(*) as total ${unbilled}`.execute(context.tx),
  ])
  return { meters: rows, total: counted.rows[0]?.total ?? 0 }
}
