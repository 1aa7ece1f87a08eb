/**
 * A service line covers the half-open days [previous read date, read date): the start counts, the end belongs to the next line. Its cost and
 * usage are spread evenly over those days and summed by month, with cumulative rounding: each month gets the rounded sum so far minus the sum of
 * the previous months, so the months always add up to the line, to the cent and to the millionth of a unit.
 */
import { addDays, addToMonth, type CalendarDate, type CalendarMonth, daysBetween, firstDayOf, monthOf, monthsFrom } from '../kernel/date.ts'
import { decimalOfUnits, unitsOf } from '../kernel/decimal.ts'
import type { Cents } from '../kernel/money.ts'
import { type ChargeSplit, STANDARD_USAGE_SCALE } from './bill-totals.ts'

/** Prorated splits by day; the others assign the whole line to one month. `fiscal_month` is the bill's own, or else the month of its date. */
export const calendarBases = ['prorated', 'majority_month', 'start_date', 'end_date', 'bill_date', 'fiscal_month'] as const
export type CalendarBasis = (typeof calendarBases)[number]

export interface CalendarLine {
  readonly previous_read_date: CalendarDate | null
  readonly read_date: CalendarDate | null
  /** The date of the bill, used for a line without days. */
  readonly bill_date: CalendarDate
  readonly fiscal_month: CalendarMonth | null
  /** Cost of the line with its share of the account-level charges. */
  readonly cost: ChargeSplit
  /** Adjusted usage in the standard unit; null if the line has none that can be added. */
  readonly standard_usage: string | null
}

export interface MonthDays {
  readonly month: CalendarMonth
  readonly days: number
  /** Bit d − 1 is set when day d is covered; 31 bits, so it fits a PostgreSQL int. */
  readonly days_mask: number
}

export interface MonthShare extends MonthDays {
  readonly cost: Cents
  readonly utility_cost: Cents
  readonly supply_cost: Cents
  readonly other_cost: Cents
  /** 6 decimals. */
  readonly usage: string | null
}

/**
 * Returns the months of a line with its covered days, cost and usage in each. A line without both dates, or with a read date not after the
 * previous one, covers no day: all of it is in the month of the bill date, with 0 days. In the bases other than prorated, the days stay and only
 * cost and usage move.
 */
export function calendarize(line: CalendarLine, basis: CalendarBasis = 'prorated'): MonthShare[] {
  const covered = monthDays(line.previous_read_date, line.read_date)
  if (covered.length === 0) return [wholeLine(line, { month: undatedMonth(line, basis), days: 0, days_mask: 0 })]
  if (basis === 'prorated') return prorated(line, covered)
  const target = targetMonth(line, covered, basis)
  const months = covered.some(({ month }) => month === target) ? covered : [...covered, { month: target, days: 0, days_mask: 0 }]
  return months
    .toSorted((a, b) => (a.month < b.month ? -1 : 1))
    .map((days) => (days.month === target ? wholeLine(line, days) : emptyMonth(line, days)))
}

/** Returns the months that [previous read date, read date) touches; none if a date is missing or the order is wrong. */
export function monthDays(previousReadDate: CalendarDate | null, readDate: CalendarDate | null): MonthDays[] {
  if (!previousReadDate || !readDate || readDate <= previousReadDate) return []
  const lastDay = addDays(readDate, -1)
  return monthsFrom(monthOf(previousReadDate), monthOf(lastDay)).map((month) => {
    const next = firstDayOf(addToMonth(month, 1))
    const from = previousReadDate > firstDayOf(month) ? previousReadDate : firstDayOf(month)
    const days = daysBetween(from, readDate < next ? readDate : next)
    return { month, days, days_mask: (2 ** days - 1) * 2 ** (Number(from.slice(8)) - 1) }
  })
}

/** Returns the number of days in a mask. */
export function daysInMask(mask: number): number {
  let days = 0
  for (let rest = mask; rest > 0; rest = Math.floor(rest / 2)) days += rest % 2
  return days
}

/** Spreads cents over consecutive spans of days, rounded cumulatively half away from zero; the parts add up to the amount. */
export function spreadOverDays(cents: Cents, days: readonly number[]): Cents[] {
  return spreadUnits(BigInt(cents), days).map(Number)
}

/**
 * Returns the lines of one service in order. A line that ends one day before the next begins is extended to it: utilities that print inclusive
 * dates write November 1 after October 31. Larger gaps and overlaps stay.
 */
export function closeOneDayGaps<Line extends { readonly previous_read_date: CalendarDate | null; readonly read_date: CalendarDate | null }>(
  lines: readonly Line[],
): Line[] {
  const sorted = lines.toSorted((a, b) =>
    (a.read_date ?? '') < (b.read_date ?? '') ? -1 : (a.read_date ?? '') > (b.read_date ?? '') ? 1 : 0,
  )
  return sorted.map((line, place) => {
    const start = sorted[place + 1]?.previous_read_date
    return line.read_date && start && daysBetween(line.read_date, start) === 1 ? { ...line, read_date: start } : line
  })
}

function prorated(line: CalendarLine, covered: readonly MonthDays[]): MonthShare[] {
  const days = covered.map((month) => month.days)
  const utility = spreadOverDays(line.cost.utility, days)
  const supply = spreadOverDays(line.cost.supply, days)
  const other = spreadOverDays(line.cost.other, days)
  const usage = line.standard_usage === null ? null : spreadUnits(unitsOf(line.standard_usage, STANDARD_USAGE_SCALE), days)
  return covered.map((month, place) => {
    const split = { utility: utility[place] ?? 0, supply: supply[place] ?? 0, other: other[place] ?? 0 }
    return monthShare(month, split, usage === null ? null : decimalOfUnits(usage[place] ?? 0n, STANDARD_USAGE_SCALE))
  })
}

function spreadUnits(total: bigint, days: readonly number[]): bigint[] {
  const allDays = days.reduce((sum, count) => sum + count, 0)
  if (allDays <= 0) throw new RangeError('an amount cannot be spread over no days')
  let passed = 0
  let given = 0n
  return days.map((count) => {
    passed += count
    const soFar = ratioHalfAway(total * BigInt(passed), BigInt(allDays))
    const part = soFar - given
    given = soFar
    return part
  })
}

function ratioHalfAway(numerator: bigint, denominator: bigint): bigint {
  const magnitude = ((numerator < 0n ? -numerator : numerator) * 2n + denominator) / (denominator * 2n)
  return numerator < 0n ? -magnitude : magnitude
}

function targetMonth(line: CalendarLine, covered: readonly MonthDays[], basis: Exclude<CalendarBasis, 'prorated'>): CalendarMonth {
  const months = covered.map(({ month }) => month)
  switch (basis) {
    case 'majority_month':
      // Equal halves go to the earlier month: the sort is stable.
      return covered.toSorted((a, b) => b.days - a.days)[0]?.month ?? undatedMonth(line, basis)
    case 'start_date':
      return months[0] ?? undatedMonth(line, basis)
    case 'end_date':
      // The last day that counts: a line read on the first of a month was used in the previous month.
      return months.at(-1) ?? undatedMonth(line, basis)
    case 'bill_date':
    case 'fiscal_month':
      return undatedMonth(line, basis)
  }
}

function undatedMonth(line: CalendarLine, basis: CalendarBasis): CalendarMonth {
  return basis === 'fiscal_month' && line.fiscal_month ? line.fiscal_month : monthOf(line.bill_date)
}

function wholeLine(line: CalendarLine, days: MonthDays): MonthShare {
  return monthShare(
    days,
    line.cost,
    line.standard_usage === null ? null : decimalOfUnits(unitsOf(line.standard_usage, STANDARD_USAGE_SCALE), STANDARD_USAGE_SCALE),
  )
}

function emptyMonth(line: CalendarLine, days: MonthDays): MonthShare {
  return monthShare(
    days,
    { utility: 0, supply: 0, other: 0 },
    line.standard_usage === null ? null : decimalOfUnits(0n, STANDARD_USAGE_SCALE),
  )
}

function monthShare({ month, days, days_mask }: MonthDays, { utility, supply, other }: ChargeSplit, usage: string | null): MonthShare {
  return { month, days, days_mask, cost: utility + supply + other, utility_cost: utility, supply_cost: supply, other_cost: other, usage }
}
