/** Compares facilities of different sizes with each other: quartiles of a figure, the rank of each, and outliers by one stated rule. */
import { decimalOfUnits, unitsOf } from '../kernel/decimal.ts'

/** Decimals of the figures that are compared. */
const FIGURE_SCALE = 6
/** A quarter of a unit needs two decimals more, half of that another one. */
const RESULT_SCALE = FIGURE_SCALE + 3
/** Below this number a quarter of the facilities is about one facility. */
export const benchmarkedMin = 5
/** A facility is compared where bills cover at least this share of its meters' days. */
export const benchmarkedCoverage = '0.95'

export const bands = ['low_outlier', 'lowest', 'second', 'third', 'highest', 'high_outlier'] as const
export type Band = (typeof bands)[number]
export const bandLabels: Readonly<Record<Band, string>> = {
  low_outlier: 'low outlier',
  lowest: 'lowest quarter',
  second: 'second quarter',
  third: 'third quarter',
  highest: 'highest quarter',
  high_outlier: 'high outlier',
}

/** `low` and `high` are the fences: what lies outside them is an outlier. */
export interface Quartiles {
  readonly count: number
  readonly q1: string
  readonly median: string
  readonly q3: string
  readonly low: string
  readonly high: string
}

/** Rank 1 is the highest figure; equal figures have the same rank. */
export interface Standing {
  readonly rank: number
  readonly band: Band
}

/**
 * Quartiles by linear interpolation between the neighbouring figures, as `percentile_cont` of SQL computes them, and the fences 1.5 times the distance
 * of the quartiles below the first and above the third. All are exact. Null below five figures.
 */
export function quartilesOf(figures: readonly string[]): Quartiles | null {
  if (figures.length < benchmarkedMin) return null
  const sorted = figures.map((figure) => unitsOf(figure, FIGURE_SCALE)).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  // Each in quarters of a unit.
  const [q1, median, q3] = [quarterAt(sorted, 1), quarterAt(sorted, 2), quarterAt(sorted, 3)]
  const eighths = (value: bigint) => decimalOfUnits(value * 125n, RESULT_SCALE)
  return {
    count: sorted.length,
    q1: eighths(q1 * 2n),
    median: eighths(median * 2n),
    q3: eighths(q3 * 2n),
    low: eighths(q1 * 2n - 3n * (q3 - q1)),
    high: eighths(q3 * 2n + 3n * (q3 - q1)),
  }
}

function quarterAt(sorted: readonly bigint[], quarter: number): bigint {
  const place = (sorted.length - 1) * quarter
  const below = sorted[Math.floor(place / 4)] ?? 0n
  const above = sorted[Math.floor(place / 4) + 1] ?? below
  return below * 4n + (above - below) * BigInt(place % 4)
}

/** The standing of each figure among all; in their order. Null below five figures. */
export function standingsOf(figures: readonly string[]): { quartiles: Quartiles; standings: readonly Standing[] } | null {
  const quartiles = quartilesOf(figures)
  if (quartiles === null) return null
  const units = figures.map((figure) => unitsOf(figure, FIGURE_SCALE))
  const falling = units.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0))
  const rankOf = new Map<bigint, number>()
  for (const [place, unit] of falling.entries()) if (!rankOf.has(unit)) rankOf.set(unit, place + 1)
  return {
    quartiles,
    standings: figures.map((figure, place) => ({ rank: rankOf.get(units[place] ?? 0n) ?? 0, band: bandOf(figure, quartiles) })),
  }
}

function bandOf(figure: string, { low, q1, median, q3, high }: Quartiles): Band {
  const isAbove = (limit: string) => unitsOf(figure, RESULT_SCALE) > unitsOf(limit, RESULT_SCALE)
  if (isAbove(high)) return 'high_outlier'
  if (isAbove(q3)) return 'highest'
  if (isAbove(median)) return 'third'
  if (isAbove(q1)) return 'second'
  return unitsOf(figure, RESULT_SCALE) < unitsOf(low, RESULT_SCALE) ? 'low_outlier' : 'lowest'
}
