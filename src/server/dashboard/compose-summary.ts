/** The summary of a dashboard: one row per utility service. Pure. */
import type { Compared, SummaryRow } from '#contract/dashboard/dashboard.ts'
import { isWithin } from '#contract/dashboard/date-range.ts'
import { roundTo, USAGE_SCALE } from '#contract/kernel/decimal.ts'
import { compareMoney, wireOf } from '#contract/kernel/money.ts'
import { unitCost } from '#contract/dashboard/metrics.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { changeOf, nothingAlike } from './compose-figure.ts'
import { addSums, chosen, comparisonOf, coverageOfBoth, serviceName, tonnesOfSums, usageText, type DashboardFacts } from './compose-sums.ts'
import type { MonthSums, Sums } from './read-sums.ts'

export function composeSummary(facts: DashboardFacts): SummaryRow[] {
  const ids = [...new Set(facts.months.filter(chosen(facts)).map((row) => row.service_id))]
  const rows = ids.map((id) => summaryRow(facts, id))
  return rows.toSorted((a, b) => compareMoney(b.cost.current ?? '0', a.cost.current ?? '0') || naturalOrder(a.name, b.name))
}

function summaryRow(facts: DashboardFacts, id: number | null): SummaryRow {
  const isOwn = (row: { readonly service_id: number | null }) => row.service_id === id
  const covered = coverageOfBoth(facts, isOwn)
  const comparison = comparisonOf(facts, covered, isOwn)
  const whole = sumsOfBoth(facts, facts.months.filter(isOwn))
  const comparable = facts.comparable.filter(isOwn)
  const like = sumsOfBoth(facts, comparable)
  const both = (of: (sums: Sums) => string | null): Compared => ({
    current: of(whole.current),
    previous: of(whole.previous),
    ...changeOf(comparable.length === 0 ? nothingAlike : { current: of(like.current), previous: of(like.previous) }, comparison),
  })
  const service = id === null ? undefined : facts.services.get(id)
  return {
    service_id: id,
    name: serviceName(facts, id),
    service_code: service?.code ?? null,
    unit_symbol: service?.unit_symbol ?? null,
    cost: both((sums) => wireOf(sums.cost)),
    usage: both((sums) => (sums.usage === null ? null : roundTo(usageText(sums.usage) ?? '0', USAGE_SCALE))),
    unit_cost: both((sums) => unitCost(wireOf(sums.cost), usageText(sums.usage))),
    mtc02e: both(tonnesOfSums),
    coverage: covered,
    comparison,
  }
}

function sumsOfBoth({ windows }: DashboardFacts, rows: readonly MonthSums[]): { current: Sums; previous: Sums } {
  return {
    current: addSums(rows.filter((row) => isWithin(row.month, windows.current))),
    previous: addSums(rows.filter((row) => isWithin(row.month, windows.previous))),
  }
}
