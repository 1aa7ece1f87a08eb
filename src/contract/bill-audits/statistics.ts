/** Baselines and outliers. Floats are fine here: none of it is money, and nothing is stored. */
import { addToMonth, type CalendarMonth } from '../kernel/date.ts'
import type { AuditSettings } from './settings.ts'

/** Makes the median absolute deviation of normally distributed values equal their standard deviation. */
const MAD_TO_SIGMA = 1.4826
const MONTHS_A_YEAR = 12

export interface Point {
  readonly month: CalendarMonth
  readonly value: number
}

export interface Baseline {
  readonly median: number
  readonly spread: number
  readonly points: number
  /** Based on the same months of earlier years, or on the latest bills. */
  readonly basis: 'season' | 'recent'
}

export interface Outlier {
  readonly direction: 'high' | 'low'
  /** Distance from the median in percent of it; negative for low. */
  readonly percent: number
}

/**
 * Returns the expected value of a month: the median over the same calendar month and its neighbours in the two previous years, given enough
 * points; else over the latest lines; else none. Points are in time order.
 */
export function baselineFor(
  month: CalendarMonth,
  points: readonly Point[],
  settings: AuditSettings,
  recentMinimum = settings.recent_min_points,
): Baseline | null {
  const season = new Set([1, 2].flatMap((years) => [-1, 0, 1].map((shift) => addToMonth(month, shift - years * MONTHS_A_YEAR))))
  const seasonal = points.filter((point) => season.has(point.month)).map((point) => point.value)
  if (seasonal.length >= settings.seasonal_min_points) return { ...centre(seasonal), basis: 'season' }
  const recent = points.slice(-settings.recent_lines).map((point) => point.value)
  return recent.length >= recentMinimum ? { ...centre(recent), basis: 'recent' } : null
}

/** Returns an outlier if a value is beyond both the percentage and the spread; a median that is not above zero has no percentage. */
export function outlierOf(value: number, baseline: Baseline, limits: { high: number; low: number; spreads: number }): Outlier | null {
  const { median, spread } = baseline
  if (median <= 0) return null
  const percent = ((value - median) / median) * 100
  if (value > median * (1 + limits.high / 100) && value > median + limits.spreads * spread) return { direction: 'high', percent }
  if (value < median * (1 - limits.low / 100) && value < median - limits.spreads * spread) return { direction: 'low', percent }
  return null
}

/** Returns the middle value, or the mean of the two middle ones. Zero for no values. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

function centre(values: readonly number[]): { median: number; spread: number; points: number } {
  const median = medianOf(values)
  return { median, spread: MAD_TO_SIGMA * medianOf(values.map((value) => Math.abs(value - median))), points: values.length }
}
