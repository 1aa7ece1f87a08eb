/** The formulas of the dashboard, from sums to metrics. Pure: sums in, decimal text out. */
import type { Comparison, DashboardMetrics, Metric, NamedMetric, WindowPair } from '#contract/dashboard/dashboard.ts'
import { isWithin, type MonthWindow } from '#contract/dashboard/date-range.ts'
import { roundTo, USAGE_SCALE } from '#contract/kernel/decimal.ts'
import { wireOf } from '#contract/kernel/money.ts'
import { costPerDay, percentBreakdown, percentChange, percentOf } from '#contract/dashboard/metrics.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { changeOf, figureOf, nothingAlike, totalsOf, type WindowTotals } from './compose-figure.ts'
import {
  addSums,
  chosen,
  comparisonOf,
  coverageOfBoth,
  serviceName,
  tonnesOfSums,
  tonnesText,
  type DashboardFacts,
} from './compose-sums.ts'
import { unitCostsOf } from './compose-unit-costs.ts'
import { usageBasisOf, type UsageBasis } from './compose-usage.ts'
import type { Leader } from './read-leaders.ts'
import type { MonthSums } from './read-sums.ts'

const COUNTED_AT_DELIVERY = 'counted at the delivery meter'
const METERED_AGAIN = 'metered again at the delivery meter, which counts it'
const CHOOSE_SERVICE = 'Choose one service to see usage'

export function composeMetrics(facts: DashboardFacts): DashboardMetrics {
  const basis = usageBasisOf(facts)
  const now = totalsOf(facts, basis, 'months', 'current')
  const before = totalsOf(facts, basis, 'months', 'previous')
  const covered = coverageOfBoth(facts)
  const metric = figureOf(facts, basis)
  const named = (leader: Leader | null, whole: bigint, textOf: (value: bigint) => string) =>
    namedMetric(leader, whole, textOf, covered, comparisonOf(facts, covered))
  const { leaders } = facts
  const elsewhere = now.elsewhere || before.elsewhere
  return {
    total_utility_cost: metric((totals) => wireOf(totals.cost)),
    highest_cost_service: named(leadingService(facts), BigInt(now.cost), moneyText),
    service_usage: {
      ...metric((totals) => (totals.usage === null ? null : roundTo(totals.usage, USAGE_SCALE)), usageNote(facts, basis, elsewhere)),
      unit_symbol: basis.unit_symbol,
    },
    ...unitCostsOf(facts, basis, metric, now),
    highest_mtc02e_facility: named(leaders.facility_by_emissions, now.kg, tonnesText),
    total_mtc02e: metric(tonnesOfSums, elsewhere ? COUNTED_AT_DELIVERY : null),
    average_cost_per_day: metric((totals) => costPerDay(wireOf(totals.cost), totals.covered_days)),
    highest_cost_division: named(leaders.division_by_cost, BigInt(now.cost), moneyText),
    highest_cost_facility: named(leaders.facility_by_cost, BigInt(now.cost), moneyText),
    total_active_meters: meterMetric(facts, covered),
    utility_cost_percentage: { ...percentageMetric(facts, now, before, covered), breakdown: breakdownOf(facts) },
  }
}

function usageNote(facts: DashboardFacts, { unit_symbol }: UsageBasis, elsewhere: boolean): string | null {
  if (elsewhere) return METERED_AGAIN
  return unit_symbol === null && facts.months.some(chosen(facts)) ? CHOOSE_SERVICE : null
}

function moneyText(cents: bigint): string {
  return wireOf(Number(cents))
}

function namedMetric(
  leader: Leader | null,
  whole: bigint,
  textOf: (value: bigint) => string,
  covered: WindowPair,
  comparison: Comparison,
): NamedMetric {
  const shares = { coverage: covered.current, previous_coverage: covered.previous, note: null }
  if (!leader)
    return { id: null, name: null, current: null, previous: null, change: null, like_for_like: nothingAlike, share: null, ...shares }
  const like = leader.like ? { current: textOf(leader.like.current), previous: textOf(leader.like.previous) } : nothingAlike
  return {
    id: leader.id,
    name: leader.name,
    current: textOf(leader.current),
    previous: textOf(leader.previous),
    ...changeOf(like, comparison),
    share: percentOf(String(leader.current), String(whole)),
    ...shares,
  }
}

function leadingService(facts: DashboardFacts): Leader | null {
  const { current, previous } = facts.windows
  const rows = facts.months.filter(chosen(facts))
  const costIn = (months: readonly MonthSums[], id: number | null, window: MonthWindow) =>
    BigInt(addSums(months.filter((row) => row.service_id === id && isWithin(row.month, window))).cost)
  const ranked = [...new Set(rows.filter((row) => isWithin(row.month, current)).map((row) => row.service_id))]
    .map((id) => ({ service_id: id, id: id ?? 0, name: serviceName(facts, id), current: costIn(rows, id, current) }))
    .toSorted((a, b) => (a.current === b.current ? naturalOrder(a.name, b.name) : a.current > b.current ? -1 : 1))
  const [first] = ranked
  if (!first) return null
  const { service_id } = first
  const both = (months: readonly MonthSums[]) => ({
    current: costIn(months, service_id, current),
    previous: costIn(months, service_id, previous),
  })
  const isAlike = facts.comparable.some((row) => row.service_id === service_id)
  return { id: first.id, name: first.name, ...both(rows), like: isAlike ? both(facts.comparable) : null }
}

/** Meters are counted, not metered: their change is that of the counts. */
function meterMetric(facts: DashboardFacts, covered: WindowPair): DashboardMetrics['total_active_meters'] {
  const counts = facts.active.filter(chosen(facts))
  const current = counts.reduce((sum, count) => sum + count.current, 0)
  const previous = counts.reduce((sum, count) => sum + count.previous, 0)
  const configured = facts.book.configured.filter(chosen(facts)).reduce((sum, group) => sum + group.meters, 0)
  const retired = facts.book.retired.filter(chosen(facts)).reduce((sum, month) => sum + month.first_in_window, 0)
  return {
    current,
    previous,
    change: percentChange(String(current), String(previous)),
    coverage: covered.current,
    previous_coverage: covered.previous,
    configured,
    without_bills: Math.max(0, configured - (current - retired)),
  }
}

/** Returns the share of the client's cost in the same window. Missing bills affect both, so it is compared as it is. */
function percentageMetric(facts: DashboardFacts, now: WindowTotals, before: WindowTotals, covered: WindowPair): Metric {
  const current = percentOf(wireOf(now.cost), wireOf(facts.client_cost.current))
  const previous = percentOf(wireOf(before.cost), wireOf(facts.client_cost.previous))
  const both = { current, previous }
  return {
    ...both,
    ...changeOf(both, comparisonOf(facts, covered)),
    coverage: covered.current,
    previous_coverage: covered.previous,
    note: null,
  }
}

function breakdownOf(facts: DashboardFacts): DashboardMetrics['utility_cost_percentage']['breakdown'] {
  if (!facts.is_client || facts.service_id !== null) return []
  const rows = facts.months.filter((row) => isWithin(row.month, facts.windows.current))
  const costs = [...Map.groupBy(rows, (row) => row.service_id)]
    .map(([service_id, own]) => ({ service_id, name: serviceName(facts, service_id), cost: addSums(own).cost }))
    .toSorted((a, b) => b.cost - a.cost || naturalOrder(a.name, b.name))
  const parts = percentBreakdown(costs.map((one) => one.cost))
  return parts === null ? [] : costs.map(({ service_id, name }, place) => ({ service_id, name, percentage: parts[place] ?? '0.00' }))
}
