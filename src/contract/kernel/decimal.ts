/**
 * Decimals other than money: readings, multipliers, usage, factors and ratios. They are text on the wire and stay text here; arithmetic is
 * exact. If a result is rounded, the function gives the number of decimals, and it always rounds half away from zero, as meter bills do.
 */
import { Big } from 'big.js'

/** big.js calls it "half up"; it rounds away from zero on both sides. */
const HALF_AWAY_FROM_ZERO = 1
const TOWARD_ZERO = 0
const PLAIN = /^-?(\d+\.?\d*|\.\d+)$/
/** A share ratio has four decimals: it is a whole number of ten-thousandths. */
const RATIO_SCALE = 4
export const WHOLE_RATIO = 10_000
/** Decimals of usage on a service line. */
export const USAGE_SCALE = 3

/** True for plain decimal text; exponents, blanks and separators are not. */
export function isDecimal(text: string): boolean {
  return PLAIN.test(text)
}

/** a + b, exact. */
export function plus(a: string, b: string): string {
  return exact(new Big(a).plus(b))
}

/** a − b, exact. */
export function minus(a: string, b: string): string {
  return exact(new Big(a).minus(b))
}

/** a × b, exact: as many decimals as both have together. */
export function times(a: string, b: string): string {
  return exact(new Big(a).times(b))
}

/** a ÷ b, rounded half away from zero to `scale` decimals; null if b is zero. */
export function dividedBy(a: string, b: string, scale: number): string | null {
  const divisor = new Big(b)
  if (divisor.eq(0)) return null
  // Truncated toward zero with extra decimals, then rounded once: truncating cannot move a value across a half, rounding twice could.
  const Cut = Big()
  Cut.DP = scale + 2
  Cut.RM = TOWARD_ZERO
  return fixed(new Cut(a).div(new Cut(divisor)), scale)
}

/** Sum of decimals, exact; missing ones count as zero. */
export function sumDecimals(values: Iterable<string | null | undefined>): string {
  let sum = new Big(0)
  for (const value of values) if (value !== null && value !== undefined && value !== '') sum = sum.plus(value)
  return exact(sum)
}

/** Rounds half away from zero to exactly `scale` decimals. */
export function roundTo(value: string, scale: number): string {
  return fixed(new Big(value), scale)
}

/** The value without its sign. */
export function absolute(value: string): string {
  return exact(new Big(value).abs())
}

/** −1, 0 or 1, by value and not by text. */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  return new Big(a).cmp(b)
}

export function isZero(value: string): boolean {
  return new Big(value).eq(0)
}

/**
 * Parses a typed number into wire text with exactly `scale` decimals: '1,234.5', '-3', '.25'. Null if it cannot be read or has too many
 * decimals.
 */
export function parseDecimal(typed: string, scale: number): string | null {
  const text = typed.trim().replace(/\u2212/g, '-')
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text) ? text.replaceAll(',', '') : text
  if (!PLAIN.test(plain)) return null
  const value = new Big(plain.replace(/\.$/, ''))
  const kept = fixed(value, scale)
  return value.eq(kept) ? kept : null
}

/** Formats with thousands separators, rounded half away from zero to `scale` decimals; a missing value is a dash. */
export function formatDecimal(value: string | null | undefined, scale: number): string {
  if (value === null || value === undefined || value === '') return '–'
  const [whole = '', fraction] = roundTo(value, scale).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** Usage of a service line, 3 decimals: (reading − previous reading) × multiplier; a missing multiplier is 1. */
export function usageOf(meterReading: string, previousReading: string, multiplier: string | null | undefined): string {
  const difference = new Big(meterReading).minus(previousReading)
  return fixed(difference.times(multiplier === null || multiplier === undefined || multiplier === '' ? 1 : multiplier), USAGE_SCALE)
}

/** Returns the value as a whole number of 10^-scale units, rounded half away from zero if it is finer. */
export function unitsOf(value: string, scale: number): bigint {
  return BigInt(fixed(new Big(value), scale).replace('.', ''))
}

/** The inverse of `unitsOf`. */
export function decimalOfUnits(units: bigint, scale: number): string {
  if (scale === 0) return String(units)
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/**
 * A float for statistics and charts only (medians, percentages, axis values); never for money and never written back. The one place
 * where a decimal turns into a float.
 */
export function approximately(value: string): number {
  return Number(value)
}

/** Returns a share ratio as whole ten-thousandths. Throws a RangeError if it is finer or outside 0 to 1. */
export function tenThousandthsOf(ratio: string): number {
  const scaled = new Big(ratio).times(WHOLE_RATIO)
  if (!scaled.eq(scaled.round(0, 0)) || scaled.lt(0) || scaled.gt(WHOLE_RATIO)) throw new RangeError(`not a share ratio: ${ratio}`)
  return scaled.toNumber()
}

/** The wire text of a share ratio, 4 decimals. */
export function ratioOf(tenThousandths: number): string {
  return decimalOfUnits(BigInt(tenThousandths), RATIO_SCALE)
}

/** Whether shares add up to exactly 1, counted in ten-thousandths and not in floats. */
export function ratiosSumToOne(ratios: readonly string[]): boolean {
  return ratios.reduce((sum, ratio) => sum + tenThousandthsOf(ratio), 0) === WHOLE_RATIO
}

/** "Spread evenly": equal shares, with the rest in the last one: 0.3333, 0.3333, 0.3334. Empty for a count below one. */
export function evenRatios(count: number): string[] {
  if (count < 1) return []
  const each = Math.floor(WHOLE_RATIO / count)
  const last = WHOLE_RATIO - each * (count - 1)
  return Array.from({ length: count }, (_, place) => ratioOf(place === count - 1 ? last : each))
}

function exact(value: Big): string {
  return withoutMinusZero(value.toFixed())
}

function fixed(value: Big, scale: number): string {
  return withoutMinusZero(value.toFixed(scale, HALF_AWAY_FROM_ZERO))
}

function withoutMinusZero(text: string): string {
  return text.startsWith('-') && !/[1-9]/.test(text) ? text.slice(1) : text
}
