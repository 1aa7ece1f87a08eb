/** Ranks the facilities of a table among each other, and says why one is not ranked. Pure. */
import { benchmarkedCoverage, standingsOf, type Standing } from '#contract/dashboard/benchmark.ts'
import { isWholeBills, type DashboardBasis } from '#contract/dashboard/basis.ts'
import {
  type Benchmark,
  type BenchmarkMeasure,
  type ChildKind,
  type ChildRow,
  type RowBenchmark,
} from '#contract/dashboard/dashboard-children.ts'
import { formatCoverage } from '#contract/dashboard/metrics.ts'
import { compareDecimals } from '#contract/kernel/decimal.ts'

export type UnrankedRow = Omit<ChildRow, 'benchmark'>

interface Asked {
  readonly kind: ChildKind
  readonly basis: DashboardBasis
  /** Months of the period. */
  readonly monthsNow: number
}

export function benchmarked(rows: readonly UnrankedRow[], asked: Asked): { rows: readonly ChildRow[]; benchmark: Benchmark | null } {
  if (asked.kind !== 'facilities') return { rows: rows.map((row) => ({ ...row, benchmark: null })), benchmark: null }
  const reasons = new Map(rows.map((row) => [row, unrankedReason(row, asked)]))
  const compared = rows.filter((row) => reasons.get(row) === null)
  const [cost, energy, usage] = [
    measured(compared, 'cost_per_sqft'),
    measured(compared, 'energy_per_sqft'),
    measured(compared, 'usage_per_sqft'),
  ]
  const standing = (row: UnrankedRow): RowBenchmark => ({
    unranked: reasons.get(row) ?? null,
    cost_per_sqft: cost.standings.get(row) ?? null,
    energy_per_sqft: energy.standings.get(row) ?? null,
    usage_per_sqft: usage.standings.get(row) ?? null,
  })
  return {
    rows: rows.map((row) => ({ ...row, benchmark: standing(row) })),
    benchmark: {
      cost_per_sqft: cost.quartiles,
      energy_per_sqft: energy.quartiles,
      usage_per_sqft: usage.quartiles,
      unranked: rows.length - compared.length,
    },
  }
}

function measured(rows: readonly UnrankedRow[], measure: BenchmarkMeasure) {
  const known = rows.flatMap((row) => {
    const figure = row[measure].current
    return figure === null ? [] : [{ row, figure }]
  })
  const found = standingsOf(known.map(({ figure }) => figure))
  const standings = new Map<UnrankedRow, Standing>()
  for (const [place, standing] of (found?.standings ?? []).entries()) {
    const row = known[place]?.row
    if (row) standings.set(row, standing)
  }
  return { quartiles: found?.quartiles ?? null, standings }
}

/**
 * A facility without an area has no figure. One whose bills leave days or months out would look thrifty: its coverage counts only the days on which
 * meters are expected, so that a store that opened in the period is found by its months.
 */
function unrankedReason(row: UnrankedRow, { basis, monthsNow }: Asked): string | null {
  if (row.id === null) return 'not named'
  if (row.area === null) return 'no area'
  const { current } = row.coverage
  if (current === null) return 'no meters'
  if (compareDecimals(current, benchmarkedCoverage) < 0) return `${formatCoverage(current)} billed`
  const months = row.spark.slice(-monthsNow)
  const billed = months.filter((cost) => cost !== null).length
  return isWholeBills(basis) || billed === months.length ? null : `${billed} of ${months.length} months billed`
}
