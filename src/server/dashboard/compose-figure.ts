/** A figure of a dashboard: its values in both windows, and its change over the meters and days that both cover. Pure. */
import type { Comparison, Metric, WindowPair } from '#contract/dashboard/dashboard.ts'
import { isWithin, type ComparedWindows } from '#contract/dashboard/date-range.ts'
import { percentChange } from '#contract/dashboard/metrics.ts'
import { addSums, chosen, comparisonOf, coverageOfBoth, coveredDays, type DashboardFacts } from './compose-sums.ts'
import type { UsageBasis } from './compose-usage.ts'
import type { MonthSums, Sums } from './read-sums.ts'

/** The input of a figure: the sums of a window, either the whole window or the part that both windows cover. */
export interface WindowTotals extends Omit<Sums, 'usage'> {
  readonly rows: readonly MonthSums[]
  /** Amounts that supply accounts bill for the same meters. */
  readonly linked: readonly MonthSums[]
  readonly usage: string | null
  readonly cost_usage: string | null
  readonly covered_days: number
}

export type Figure = (of: (totals: WindowTotals) => string | null, note?: string | null) => Metric

export const nothingAlike: WindowPair = { current: null, previous: null }

/** If the windows have nothing in common, there is no change, not a change of zero. */
export function figureOf(facts: DashboardFacts, basis: UsageBasis): Figure {
  const now = totalsOf(facts, basis, 'months', 'current')
  const before = totalsOf(facts, basis, 'months', 'previous')
  const likeNow = totalsOf(facts, basis, 'comparable', 'current')
  const likeBefore = totalsOf(facts, basis, 'comparable', 'previous')
  const covered = coverageOfBoth(facts)
  const comparison = comparisonOf(facts, covered)
  return (of, note = null) => {
    const like = likeNow.rows.length === 0 ? nothingAlike : { current: of(likeNow), previous: of(likeBefore) }
    return {
      current: of(now),
      previous: of(before),
      ...changeOf(like, comparison),
      coverage: covered.current,
      previous_coverage: covered.previous,
      note,
    }
  }
}

export function changeOf(like: WindowPair, { state }: Comparison): Pick<Metric, 'change' | 'like_for_like'> {
  return { change: state === 'withheld' ? null : percentChange(like.current, like.previous), like_for_like: like }
}

export function totalsOf(
  facts: DashboardFacts,
  basis: UsageBasis,
  kind: 'months' | 'comparable',
  side: keyof ComparedWindows,
): WindowTotals {
  const isChosen = chosen(facts)
  const window = facts.windows[side]
  const ofWindow = (months: readonly MonthSums[]) => months.filter((row) => isChosen(row) && isWithin(row.month, window))
  const rows = ofWindow(facts[kind])
  const linked = ofWindow(facts.linked?.[kind] ?? [])
  return {
    ...addSums(rows),
    rows,
    linked,
    usage: basis.usage(rows),
    cost_usage: basis.cost_usage(rows),
    covered_days: facts.billed_days?.[kind][side] ?? coveredDays(rows),
  }
}
