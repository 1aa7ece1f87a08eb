/** The cost that a budget is compared with, and the forecast of a month that is not complete. Pure; the rules are in docs/decisions/budgets.md. */
import { type CalendarMonth, addToMonth, monthOf, monthsFrom, type CalendarDate } from '../kernel/date.ts'
import type { Cents } from '../kernel/money.ts'

export const MONTHS_A_YEAR = 12
/** Complete months that this year and last year share, from which on last year's months are scaled. */
export const SCALED_FROM_MONTHS = 3

/** What an account, or a group with its subaccounts, was billed for a month. */
export interface BilledMonth {
  readonly actual: Cents
  readonly covered: number
  readonly expected: number
  /** Something was billed for the month. */
  readonly billed: boolean
  /** The account is in use on a day of the month. */
  readonly open: boolean
  /** The account is in use on every day of the month. */
  readonly whole: boolean
  /** The month is over, and all that is expected of it is billed. */
  readonly complete: boolean
}

export interface PlannedMonth {
  readonly month: CalendarMonth
  readonly budget: Cents | null
  readonly now: BilledMonth
  /** The same month of last year. */
  readonly before: BilledMonth
}

export const forecastBases = ['actual', 'last_year_scaled', 'last_year', 'budget', 'closed'] as const
export type ForecastBasis = (typeof forecastBases)[number]
export const forecastLabels: Readonly<Record<ForecastBasis | 'mixed', string>> = {
  actual: 'Actual',
  last_year_scaled: 'Last year, scaled',
  last_year: 'Last year',
  budget: 'Budget',
  closed: 'Not in use',
  mixed: 'By account',
}

export interface Forecast {
  readonly cents: Cents | null
  /** Null where nothing says what the month will cost. */
  readonly basis: ForecastBasis | null
}

/** This year over last year, of the months that are complete in both; null below three of them. */
export interface YearRatio {
  readonly now: Cents
  readonly before: Cents
}

/** Returns the first month of the fiscal year that a day lies in. `start` is its first month, 1 to 12. */
export function fiscalYearOf(day: CalendarDate, start: number): CalendarMonth {
  const month = monthOf(day)
  const first = `${month.slice(0, 4)}-${String(start).padStart(2, '0')}`
  return first <= month ? first : addToMonth(first, -MONTHS_A_YEAR)
}

export function monthsOfYear(first: CalendarMonth): CalendarMonth[] {
  return monthsFrom(first, addToMonth(first, MONTHS_A_YEAR - 1))
}

export interface MonthKnown extends Omit<BilledMonth, 'complete'> {
  /** The month is over. */
  readonly over: boolean
  /** A later month is billed too. */
  readonly passed: boolean
}

/**
 * Without meters nobody knows which days a bill leaves out: the month is complete when a later one is billed. An account that is not in use
 * is billed for nothing more.
 */
export function isComplete({ covered, expected, billed, open, over, passed }: MonthKnown): boolean {
  return over && (!open || (expected > 0 ? covered >= expected : billed && passed))
}

/**
 * Returns a group and its subaccounts as one. The bill of the group names the cost of all of them, so that the month is complete with it; or
 * it is with those of all subaccounts.
 */
export function together(group: BilledMonth, subaccounts: readonly BilledMonth[]): BilledMonth {
  const all = [group, ...subaccounts]
  const sum = (of: 'actual' | 'covered' | 'expected'): number => all.reduce((total, one) => total + one[of], 0)
  const isCarried = subaccounts.some(({ billed }) => billed) && subaccounts.every(({ complete }) => complete)
  return {
    actual: sum('actual'),
    covered: sum('covered'),
    expected: sum('expected'),
    billed: all.some(({ billed }) => billed),
    open: group.open,
    whole: group.whole,
    complete: (group.complete && (group.billed || !group.open)) || isCarried,
  }
}

/** Whether a month says what the same month of another year will cost. */
export function isUsual({ open, whole, complete }: BilledMonth): boolean {
  return open && whole && complete
}

export function yearRatio(months: readonly PlannedMonth[]): YearRatio | null {
  const shared = months.filter(({ now, before }) => isUsual(now) && isUsual(before))
  const sum = (of: 'now' | 'before'): Cents => shared.reduce((cents, month) => cents + month[of].actual, 0)
  const ratio = { now: sum('now'), before: sum('before') }
  return shared.length < SCALED_FROM_MONTHS || ratio.before <= 0 || ratio.now < 0 ? null : ratio
}

/** A month that is not complete never costs less than what is billed of it already. */
export function forecastOf({ budget, now, before }: PlannedMonth, ratio: YearRatio | null): Forecast {
  if (now.complete) return { cents: now.actual, basis: 'actual' }
  if (!now.open) return { cents: now.actual, basis: 'closed' }
  const known = (cents: Cents, basis: ForecastBasis): Forecast => ({ cents: Math.max(cents, now.actual), basis })
  if (isUsual(before))
    return ratio ? known(shareOf(before.actual, ratio.now, ratio.before), 'last_year_scaled') : known(before.actual, 'last_year')
  return budget === null ? { cents: null, basis: null } : known(budget, 'budget')
}

/** Returns cents × part ÷ whole, rounded half away from zero. The whole is above zero. */
export function shareOf(cents: Cents, part: number, whole: number): Cents {
  const [product, divisor] = [BigInt(cents) * BigInt(part), BigInt(whole)]
  const size = product < 0n ? -product : product
  const rounded = (size * 2n + divisor) / (divisor * 2n)
  return Number(product < 0n ? -rounded : rounded)
}
