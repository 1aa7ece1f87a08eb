/**
 * Figures that dashboards and reports compute from sums, and their formats. Values are decimal text; null means that there is no such number.
 */
import { compareDecimals, decimalOfUnits, dividedBy, formatDecimal, isZero, minus, times, unitsOf } from '../kernel/decimal.ts'
import { type Cents, wireOf } from '../kernel/money.ts'

const UNIT_COST_SCALE = 4
const PERCENT_SCALE = 2
const COVERAGE_SCALE = 4
/** Coverage is stored in hundredths of a percent and shown in tenths. */
const HUNDREDTHS_IN_TENTH = 10n
/** 100.00% in hundredths of a percent. */
const ALL_HUNDREDTHS = 10_000n
const KILOGRAMS_A_TONNE = '1000'
const THOUSAND = '1000'
const MILLION = '1000000'

/** Returns the cost per unit, 4 decimals; null without usage. */
export function unitCost(cost: string, usage: string | null): string | null {
  return usage === null ? null : dividedBy(cost, usage, UNIT_COST_SCALE)
}

/** Returns the cost per covered day, 2 decimals; null if no day is covered. */
export function costPerDay(cost: string, coveredDays: number): string | null {
  return dividedBy(cost, String(coveredDays), 2)
}

/** Returns (current − previous) ÷ previous in percent, 2 decimals; null if either is missing or the previous is zero. */
export function percentChange(current: string | null, previous: string | null): string | null {
  if (current === null || previous === null) return null
  return dividedBy(times(minus(current, previous), '100'), previous, PERCENT_SCALE)
}

/** Returns a part of a whole in percent, 2 decimals; null if the whole is zero. */
export function percentOf(part: string, whole: string): string | null {
  return dividedBy(times(part, '100'), whole, PERCENT_SCALE)
}

/**
 * Returns the parts of a total in percent, 2 decimals, which add up to exactly 100.00: each is rounded down, then hundredths go to the largest
 * remainders, ties to the earlier position. Credits have a negative part. Null if the total is not above zero, since there are no meaningful
 * parts.
 */
export function percentBreakdown(parts: readonly Cents[]): string[] | null {
  const total = parts.reduce((sum, part) => sum + BigInt(part), 0n)
  if (total <= 0n) return null
  const shares = parts.map((part, place) => ({ place, ...flooredShare(BigInt(part) * ALL_HUNDREDTHS, total) }))
  const left = ALL_HUNDREDTHS - shares.reduce((sum, share) => sum + share.whole, 0n)
  const lucky = new Set(
    shares
      .toSorted(byRemainder)
      .slice(0, Number(left))
      .map((share) => share.place),
  )
  return shares.map((share) => wireOf(Number(share.whole) + (lucky.has(share.place) ? 1 : 0)))
}

/** Returns covered meter-days divided by expected ones, 4 decimals; null if none are expected. */
export function coverage(coveredMeterDays: number, expectedMeterDays: number): string | null {
  return dividedBy(String(coveredMeterDays), String(expectedMeterDays), COVERAGE_SCALE)
}

/** A change is marked if bills cover less than this of either window, and withheld below the second value. */
const MARKED_BELOW = '0.95'
const WITHHELD_BELOW = '0.5'

/** Returns whether windows with this coverage can be compared; null if no meter is expected, so there is nothing to cover. */
export function comparisonState(covered: readonly (string | null)[]): 'complete' | 'partial' | 'withheld' {
  const isBelow = (limit: string) => covered.some((share) => share !== null && compareDecimals(share, limit) < 0)
  if (isBelow(WITHHELD_BELOW)) return 'withheld'
  return isBelow(MARKED_BELOW) ? 'partial' : 'complete'
}

/** Returns '98.5%' for a ratio such as '0.9850'. Rounded down, so that only full coverage shows as 100%. */
export function formatCoverage(ratio: string | null): string {
  if (ratio === null) return '–'
  const tenths = unitsOf(ratio, COVERAGE_SCALE) / HUNDREDTHS_IN_TENTH
  return `${formatDecimal(decimalOfUnits(tenths, 1), 1)}%`
}

/** Converts kilograms to metric tonnes, 2 decimals. */
export function tonnesOf(kilograms: string): string {
  return dividedBy(kilograms, KILOGRAMS_A_TONNE, 2) ?? '0.00'
}

/** Formats with two decimals; above 1,000 in thousands with K, above 1,000,000 in millions with m; a dash for no value. */
export function formatMetric(value: string | null): string {
  if (value === null) return '–'
  const size = value.startsWith('-') ? value.slice(1) : value
  if (compareDecimals(size, MILLION) > 0) return `${formatDecimal(dividedBy(value, MILLION, 2), 2)}m`
  if (compareDecimals(size, THOUSAND) > 0) return `${formatDecimal(dividedBy(value, THOUSAND, 2), 2)}K`
  return formatDecimal(value, 2)
}

/** The same for US dollars: '$1.23K', '-$5.00'. */
export function formatMoneyMetric(value: string | null): string {
  const text = formatMetric(value)
  if (text === '–') return text
  return text.startsWith('-') ? `-$${text.slice(1)}` : `$${text}`
}

/** Formats a change with its arrow: '▲ 12.50%', '▼ 3.00%', '0.00%'; a dash for no value. */
export function formatPercentChange(change: string | null): string {
  if (change === null) return '–'
  if (isZero(change)) return '0.00%'
  return change.startsWith('-') ? `▼ ${formatDecimal(change.slice(1), 2)}%` : `▲ ${formatDecimal(change, 2)}%`
}

interface Share {
  place: number
  whole: bigint
  remainder: bigint
}

/** Floor division: the remainder of a negative part is positive too, so that every part is at most one hundredth too low. */
function flooredShare(numerator: bigint, denominator: bigint): { whole: bigint; remainder: bigint } {
  const remainder = ((numerator % denominator) + denominator) % denominator
  return { whole: (numerator - remainder) / denominator, remainder }
}

function byRemainder(a: Share, b: Share): number {
  if (a.remainder !== b.remainder) return a.remainder > b.remainder ? -1 : 1
  return a.place - b.place
}
