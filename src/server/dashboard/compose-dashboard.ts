/** The formulas of the dashboard, from sums to metrics. Pure: sums in, decimal text out. */
import type { Compared, DashboardMetrics, Metric, NamedMetric, SummaryRow } from '#contract/dashboard.ts'
import { daysInMask } from '#contract/calendarize.ts'
import { type ComparedWindows, daysInWindow, type MonthWindow } from '#contract/date-range.ts'
import { addDays, type CalendarDate, type CalendarMonth, daysBetween, firstDayOf, lastDayOf } from '#contract/kernel/date.ts'
import { decimalOfUnits, dividedBy, roundTo, sumDecimals, times, USAGE_SCALE } from '#contract/kernel/decimal.ts'
import { compareMoney, wireOf } from '#contract/kernel/money.ts'
import { costPerDay, coverage, percentBreakdown, percentChange, percentOf, tonnesOf, unitCost } from '#contract/metrics.ts'
import type { Leader, Leaders, MeterBook, MeterCount, MonthSums, ServiceInfo, Sums } from './read-sums.ts'

/** Everything that a dashboard is composed of; months hold both windows and all services of the scope. */
export interface DashboardFacts {
  readonly windows: ComparedWindows
  readonly months: readonly MonthSums[]
  readonly services: ReadonlyMap<number, ServiceInfo>
  /** The utility service that the dashboard is narrowed to. */
  readonly service_id: number | null
  readonly is_client: boolean
  readonly client_cost: { readonly current: number; readonly previous: number }
  readonly active: readonly MeterCount[]
  readonly book: MeterBook
  readonly leaders: Leaders
}

export const NO_SERVICE_NAME = 'No utility service'
const MILLIONTHS = 6
const KBTU_IN_MMBTU = '1000'
export const MMBTU = 'MMBtu'

export function composeMetrics(facts: DashboardFacts): DashboardMetrics {
  const now = totalsOf(facts, facts.windows.current)
  const before = totalsOf(facts, facts.windows.previous)
  const covered = { current: coverageOf(facts, facts.windows.current), previous: coverageOf(facts, facts.windows.previous) }
  const metric = (of: (totals: WindowTotals) => string | null): Metric => {
    const current = of(now)
    const previous = of(before)
    return { current, previous, change: percentChange(current, previous), coverage: covered.current }
  }
  const wire = (of: (totals: WindowTotals) => number) => metric((totals) => wireOf(of(totals)))
  const perUnit = (of: (totals: WindowTotals) => number) => metric((totals) => unitCost(wireOf(of(totals)), totals.usage))
  const named = (leader: Leader | null, whole: bigint, textOf: (value: bigint) => string) =>
    namedMetric(leader, whole, textOf, covered.current)
  const { leaders } = facts
  return {
    total_utility_cost: wire((totals) => totals.cost),
    highest_cost_service: named(leadingService(facts), BigInt(now.cost), moneyText),
    service_usage: {
      ...metric((totals) => (totals.usage === null ? null : roundTo(totals.usage, USAGE_SCALE))),
      unit_symbol: unitOf(facts),
    },
    total_unit_cost: perUnit((totals) => totals.cost),
    highest_mtc02e_facility: named(leaders.facility_by_emissions, now.kg, tonnesText),
    total_mtc02e: metric((totals) => tonnesText(totals.kg)),
    average_cost_per_day: metric((totals) => costPerDay(wireOf(totals.cost), totals.covered_days)),
    highest_cost_division: named(leaders.division_by_cost, BigInt(now.cost), moneyText),
    highest_cost_facility: named(leaders.facility_by_cost, BigInt(now.cost), moneyText),
    total_active_meters: meterMetric(facts, covered.current),
    utility_cost_percentage: { ...percentageMetric(facts, now, before), coverage: covered.current, breakdown: breakdownOf(facts) },
    distribution_unit: perUnit((totals) => totals.utility_cost),
    supply_unit: perUnit((totals) => totals.supply_cost),
    // Delivery, supply and the rest over one usage: rounded once, so that it equals the total unit cost of the same bills.
    account_total_unit: perUnit((totals) => totals.utility_cost + totals.supply_cost + totals.other_cost),
  }
}

export function composeSummary(facts: DashboardFacts): SummaryRow[] {
  const ids = [...new Set(chosenMonths(facts).map((row) => row.service_id))]
  const rows = ids.map((id) => summaryRow(facts, id))
  return rows.toSorted((a, b) => compareMoney(b.cost.current ?? '0', a.cost.current ?? '0') || a.name.localeCompare(b.name))
}

/** Covered meter-days over those expected in the window, never above 1; null where none is expected. */
export function coverageOf(facts: DashboardFacts, window: Pick<MonthWindow, 'first_month' | 'last_month'>): string | null {
  const expected = expectedDays(facts, window)
  const covered = chosenMonths(facts)
    .filter((row) => isWithin(row.month, window))
    .reduce((sum, row) => sum + row.meter_days, 0)
  return coverage(Math.min(covered, expected), expected)
}

/** The sums of one series in one month or window. */
export function addSums(rows: readonly Sums[]): Sums {
  const used = rows.flatMap((row) => row.usage ?? [])
  return {
    cost: rows.reduce((sum, row) => sum + row.cost, 0),
    utility_cost: rows.reduce((sum, row) => sum + row.utility_cost, 0),
    supply_cost: rows.reduce((sum, row) => sum + row.supply_cost, 0),
    other_cost: rows.reduce((sum, row) => sum + row.other_cost, 0),
    usage: used.length === 0 ? null : used.reduce((sum, usage) => sum + usage, 0n),
    kg: rows.reduce((sum, row) => sum + row.kg, 0n),
  }
}

export function isWithin(month: CalendarMonth, { first_month, last_month }: Pick<MonthWindow, 'first_month' | 'last_month'>): boolean {
  return month >= first_month && month <= last_month
}

export function usageText(usage: bigint | null): string | null {
  return usage === null ? null : decimalOfUnits(usage, MILLIONTHS)
}

export function tonnesText(kg: bigint): string {
  return tonnesOf(decimalOfUnits(kg, MILLIONTHS))
}

function moneyText(cents: bigint): string {
  return wireOf(Number(cents))
}

interface WindowTotals extends Omit<Sums, 'usage'> {
  /** In the unit of the whole dashboard. */
  readonly usage: string | null
  readonly covered_days: number
}

function totalsOf(facts: DashboardFacts, window: MonthWindow): WindowTotals {
  const rows = chosenMonths(facts).filter((row) => isWithin(row.month, window))
  const masks = new Map<CalendarMonth, number>()
  for (const row of rows) masks.set(row.month, (masks.get(row.month) ?? 0) | row.days_mask)
  const covered_days = [...masks.values()].reduce((sum, mask) => sum + daysInMask(mask), 0)
  return { ...addSums(rows), usage: commonUsage(facts, rows), covered_days }
}

function chosenMonths({ months, service_id }: DashboardFacts): readonly MonthSums[] {
  return service_id === null ? months : months.filter((row) => row.service_id === service_id)
}

/** Services with usage in either window decide the unit, so that both are in the same. */
function usedServices(facts: DashboardFacts): (ServiceInfo | undefined)[] {
  const ids = new Set(chosenMonths(facts).flatMap((row) => (row.usage === null ? [] : [row.service_id])))
  return [...ids].map((id) => (id === null ? undefined : facts.services.get(id)))
}

/** The standard unit where all usage is in one, MMBtu where all of it is energy, else none: water and electricity have no sum. */
function unitOf(facts: DashboardFacts): string | null {
  const used = usedServices(facts)
  if (facts.service_id !== null && used.length === 0) return facts.services.get(facts.service_id)?.unit_symbol ?? null
  const symbols = new Set(used.map((service) => service?.unit_symbol ?? null))
  const [only = null] = symbols
  if (symbols.size === 1) return only
  return used.length > 0 && used.every((service) => service?.kbtu_factor) ? MMBTU : null
}

function commonUsage(facts: DashboardFacts, rows: readonly MonthSums[]): string | null {
  const unit = unitOf(facts)
  const used = rows.filter((row) => row.usage !== null)
  if (unit === null || used.length === 0) return null
  const isPlain = new Set(usedServices(facts).map((service) => service?.unit_symbol)).size === 1
  if (isPlain) return usageText(addSums(used).usage)
  const byService = Map.groupBy(used, (row) => row.service_id)
  const energies = [...byService].map(([id, own]) =>
    times(usageText(addSums(own).usage) ?? '0', (id === null ? null : facts.services.get(id)?.kbtu_factor) ?? '0'),
  )
  return dividedBy(sumDecimals(energies), KBTU_IN_MMBTU, MILLIONTHS)
}

function namedMetric(leader: Leader | null, whole: bigint, textOf: (value: bigint) => string, covered: string | null): NamedMetric {
  if (!leader) return { id: null, name: null, current: null, previous: null, change: null, share: null, coverage: covered }
  const current = textOf(leader.current)
  const previous = textOf(leader.previous)
  return {
    id: leader.id,
    name: leader.name,
    current,
    previous,
    change: percentChange(current, previous),
    share: percentOf(String(leader.current), String(whole)),
    coverage: covered,
  }
}

function leadingService(facts: DashboardFacts): Leader | null {
  const { current, previous } = facts.windows
  const rows = chosenMonths(facts)
  const ranked = [...new Set(rows.filter((row) => isWithin(row.month, current)).map((row) => row.service_id))]
    .map((id) => {
      const own = rows.filter((row) => row.service_id === id)
      const costIn = (window: MonthWindow) => BigInt(addSums(own.filter((row) => isWithin(row.month, window))).cost)
      return { id: id ?? 0, name: serviceName(facts, id), current: costIn(current), previous: costIn(previous) }
    })
    .toSorted((a, b) => (a.current === b.current ? a.name.localeCompare(b.name) : a.current > b.current ? -1 : 1))
  return ranked[0] ?? null
}

function meterMetric(facts: DashboardFacts, covered: string | null): DashboardMetrics['total_active_meters'] {
  const isChosen = (row: { readonly service_id: number | null }) => facts.service_id === null || row.service_id === facts.service_id
  const counts = facts.active.filter(isChosen)
  const current = counts.reduce((sum, count) => sum + count.current, 0)
  const previous = counts.reduce((sum, count) => sum + count.previous, 0)
  const configured = facts.book.configured.filter(isChosen).reduce((sum, group) => sum + group.meters, 0)
  const retired = facts.book.retired.filter(isChosen).reduce((sum, month) => sum + month.first_in_window, 0)
  return {
    current,
    previous,
    change: percentChange(String(current), String(previous)),
    coverage: covered,
    configured,
    without_bills: Math.max(0, configured - (current - retired)),
  }
}

function percentageMetric(facts: DashboardFacts, now: WindowTotals, before: WindowTotals): Pick<Metric, 'current' | 'previous' | 'change'> {
  const current = percentOf(wireOf(now.cost), wireOf(facts.client_cost.current))
  const previous = percentOf(wireOf(before.cost), wireOf(facts.client_cost.previous))
  return { current, previous, change: percentChange(current, previous) }
}

function breakdownOf(facts: DashboardFacts): DashboardMetrics['utility_cost_percentage']['breakdown'] {
  if (!facts.is_client || facts.service_id !== null) return []
  const rows = facts.months.filter((row) => isWithin(row.month, facts.windows.current))
  const costs = [...Map.groupBy(rows, (row) => row.service_id)]
    .map(([service_id, own]) => ({ service_id, name: serviceName(facts, service_id), cost: addSums(own).cost }))
    .toSorted((a, b) => b.cost - a.cost || a.name.localeCompare(b.name))
  const parts = percentBreakdown(costs.map((one) => one.cost))
  return parts === null ? [] : costs.map(({ service_id, name }, place) => ({ service_id, name, percentage: parts[place] ?? '0.00' }))
}

function summaryRow(facts: DashboardFacts, id: number | null): SummaryRow {
  const { current, previous } = facts.windows
  const service = id === null ? undefined : facts.services.get(id)
  const own = facts.months.filter((row) => row.service_id === id)
  const now = addSums(own.filter((row) => isWithin(row.month, current)))
  const before = addSums(own.filter((row) => isWithin(row.month, previous)))
  const both = (of: (sums: Sums) => string | null): Compared => {
    const values = { current: of(now), previous: of(before) }
    return { ...values, change: percentChange(values.current, values.previous) }
  }
  return {
    service_id: id,
    name: serviceName(facts, id),
    service_code: service?.code ?? null,
    unit_symbol: service?.unit_symbol ?? null,
    cost: both((sums) => wireOf(sums.cost)),
    usage: both((sums) => (sums.usage === null ? null : roundTo(usageText(sums.usage) ?? '0', USAGE_SCALE))),
    unit_cost: both((sums) => unitCost(wireOf(sums.cost), usageText(sums.usage))),
    mtc02e: both((sums) => tonnesText(sums.kg)),
  }
}

export function serviceName(facts: Pick<DashboardFacts, 'services'>, id: number | null): string {
  return (id === null ? undefined : facts.services.get(id)?.name) ?? NO_SERVICE_NAME
}

/** Every configured meter on each day of its effective dates, and what retired ones cover. */
function expectedDays(facts: DashboardFacts, window: Pick<MonthWindow, 'first_month' | 'last_month'>): number {
  const isChosen = (row: { readonly service_id: number | null }) => facts.service_id === null || row.service_id === facts.service_id
  const configured = facts.book.configured
    .filter(isChosen)
    .reduce((sum, group) => sum + group.meters * daysInside(window, group.effective_from, group.effective_to), 0)
  return facts.book.retired
    .filter((row) => isChosen(row) && isWithin(row.month, window))
    .reduce((sum, row) => sum + row.meter_days, configured)
}

function daysInside(
  { first_month, last_month }: Pick<MonthWindow, 'first_month' | 'last_month'>,
  from: CalendarDate | null,
  to: CalendarDate | null,
): number {
  const first = firstDayOf(first_month)
  const last = lastDayOf(last_month)
  if (from === null && to === null) return daysInWindow({ first_month, last_month, from: first, to: last })
  const start = from !== null && from > first ? from : first
  const end = to !== null && to < last ? to : last
  return Math.max(0, daysBetween(start, addDays(end, 1)))
}
