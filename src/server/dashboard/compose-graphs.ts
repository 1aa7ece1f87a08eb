/** The graphs of the dashboard: a monthly point for each service, or for each account below a facility. Pure. */
import { isWholeBills } from '#contract/dashboard/basis.ts'
import type { DashboardGraphs, GraphPoint, GraphSeries, GraphType } from '#contract/dashboard/dashboard.ts'
import { isWithin, monthsOfWindow } from '#contract/dashboard/date-range.ts'
import type { CalendarMonth } from '#contract/kernel/date.ts'
import { roundTo, USAGE_SCALE } from '#contract/kernel/decimal.ts'
import { wireOf } from '#contract/kernel/money.ts'
import { unitCost } from '#contract/dashboard/metrics.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { addSums, chosen, coverageOf, serviceName, tonnesOfSums, usageText, type DashboardFacts } from './compose-sums.ts'
import type { AccountMonthSums, Sums } from './read-sums.ts'

/** Accounts with their own series, limited to the distinguishable shades of a color; the other accounts of a service share one series. */
const ACCOUNT_SERIES_MAX = 5

export function composeGraphs(facts: DashboardFacts, type: GraphType, accounts: readonly AccountMonthSums[] | null): DashboardGraphs {
  const series = accounts === null ? serviceSeries(facts, type) : accountSeries(facts, type, accounts)
  return { graph_data_type: type, series, coverage: pairedMonths(facts).map((pair) => coveragePoint(facts, pair)) }
}

interface MonthRow extends Sums {
  readonly month: CalendarMonth
}

function serviceSeries(facts: DashboardFacts, type: GraphType): GraphSeries[] {
  const rows = facts.months.filter(chosen(facts))
  return [...Map.groupBy(rows, (row) => row.service_id)].toSorted(byCost(facts)).map(([id, own]) => ({
    kind: 'service',
    id,
    name: serviceName(facts, id),
    ...serviceOf(facts, id),
    points: pointsOf(facts, type, own),
  }))
}

/** Makes one series per account and service: an account with several services has usage in several units. */
function accountSeries(facts: DashboardFacts, type: GraphType, accounts: readonly AccountMonthSums[]): GraphSeries[] {
  const rows = accounts.filter(chosen(facts))
  const several = new Set(
    [...Map.groupBy(rows, (row) => row.account_id)]
      .filter(([, own]) => new Set(own.map((row) => row.service_id)).size > 1)
      .map(([id]) => id),
  )
  const groups = [...Map.groupBy(rows, (row) => `${row.account_id} ${row.service_id ?? ''}`)].toSorted(byCost(facts))
  const shown = groups.slice(0, ACCOUNT_SERIES_MAX).flatMap(([, own]) => {
    const [first] = own
    if (!first) return []
    const name = several.has(first.account_id) ? `${first.account_number} · ${serviceName(facts, first.service_id)}` : first.account_number
    return [
      { kind: 'account' as const, id: first.account_id, name, ...serviceOf(facts, first.service_id), points: pointsOf(facts, type, own) },
    ]
  })
  const others = Map.groupBy(
    groups.slice(ACCOUNT_SERIES_MAX).flatMap(([, own]) => own),
    (row) => row.service_id,
  )
  const rest = [...others].map(([id, own]) => ({
    kind: 'account' as const,
    id: null,
    name: `Other accounts · ${serviceName(facts, id)}`,
    ...serviceOf(facts, id),
    points: pointsOf(facts, type, own),
  }))
  return [...shown, ...rest]
}

function byCost(facts: DashboardFacts) {
  const costOf = (rows: readonly MonthRow[]) => addSums(rows.filter((row) => isWithin(row.month, facts.windows.current))).cost
  return ([a, ownA]: readonly [unknown, readonly MonthRow[]], [b, ownB]: readonly [unknown, readonly MonthRow[]]) =>
    costOf(ownB) - costOf(ownA) || naturalOrder(String(a), String(b))
}

function serviceOf(facts: DashboardFacts, id: number | null): Pick<GraphSeries, 'service_name' | 'service_code' | 'unit_symbol'> {
  const service = id === null ? undefined : facts.services.get(id)
  return { service_name: serviceName(facts, id), service_code: service?.code ?? null, unit_symbol: service?.unit_symbol ?? null }
}

function pointsOf(facts: DashboardFacts, type: GraphType, rows: readonly MonthRow[]): GraphPoint[] {
  const byMonth = Map.groupBy(rows, (row) => row.month)
  const valueOf = (month: CalendarMonth) => {
    const own = byMonth.get(month)
    return own ? graphValue(type, addSums(own)) : null
  }
  return pairedMonths(facts).map(({ month, previous_month }) => ({
    month,
    previous_month,
    current: valueOf(month),
    previous: valueOf(previous_month),
  }))
}

function graphValue(type: GraphType, sums: Sums): string | null {
  switch (type) {
    case 'cost':
      return wireOf(sums.cost)
    case 'usage':
      return sums.usage === null ? null : roundTo(usageText(sums.usage) ?? '0', USAGE_SCALE)
    case 'unit_cost':
      return unitCost(wireOf(sums.cost), usageText(sums.usage))
    case 'emissions':
      return tonnesOfSums(sums)
  }
}

interface PairedMonth {
  readonly month: CalendarMonth
  readonly previous_month: CalendarMonth
}

/** Pairs the months of both windows, which are of equal length. */
function pairedMonths({ windows }: DashboardFacts): PairedMonth[] {
  const before = monthsOfWindow(windows.previous)
  return monthsOfWindow(windows.current).map((month, place) => ({ month, previous_month: before[place] ?? month }))
}

/** A bill that counts whole in its month leaves no part of the month open. */
function coveragePoint(facts: DashboardFacts, { month, previous_month }: PairedMonth): GraphPoint {
  if (isWholeBills(facts.basis)) return { month, previous_month, current: null, previous: null }
  const of = (one: CalendarMonth) => coverageOf(facts, { first_month: one, last_month: one })
  return { month, previous_month, current: of(month), previous: of(previous_month) }
}
