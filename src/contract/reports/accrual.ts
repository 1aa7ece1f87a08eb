/**
 * Computes a meter's unbilled usage at the end of a period from its lines. Pure: the report, its test against known bills and the score of each
 * method use it. Days are half-open, as everywhere: the day of a reading belongs to the next line.
 */
import { addDays, type CalendarDate, type CalendarMonth, daysBetween, firstDayOf, addToMonth, monthOf, monthsFrom } from '../kernel/date.ts'
import { compareDecimals, dividedBy, isZero, plus, roundTo, times } from '../kernel/decimal.ts'
import { type Cents, centsOf, wireOf } from '../kernel/money.ts'
import type { AccrualMethod } from './report-form-data.ts'

/** A line that covers at least one day, with its share of the account's charges. */
export interface AccrualLine {
  /** The first day, and the day after the last. */
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly bill_date: CalendarDate
  readonly cost: Cents
  /** In the standard unit; null if there is none that can be added. */
  readonly usage: string | null
  /** True if the audits flagged it as unusual and no user has confirmed it: averages leave it out. */
  readonly outlier: boolean
}

export interface Accrual {
  readonly from: CalendarDate
  /** The day after the last one. */
  readonly until: CalendarDate
  readonly days: number
  /** 6 decimals; null if only money is accrued. */
  readonly usage_per_day: string | null
  /** 6 decimals; null if only money is accrued. */
  readonly unit_cost: string | null
  /** 3 decimals. */
  readonly usage: string | null
  readonly cost: Cents
  readonly method: AccrualMethod
  /** The method used in the end: a method falls back if the history does not support it. */
  readonly how: 'seasonal' | 'last_usage' | 'last_cost' | 'trailing'
  readonly confidence: 'high' | 'medium' | 'low'
}

const YEARS_BACK = 3
const MONTHS_TRAILING = 12
/** A longer unbilled time is no usual wait for a bill. */
const LONG_DAYS = 62
/** Days between two lines that count as covered. */
const SINGLE_DAY = 1
const SCALE = 12

export const accrualHow: Readonly<Record<Accrual['how'], string>> = {
  seasonal: 'Same months of earlier years',
  last_usage: 'Usage of the last bill',
  last_cost: 'Cost of the last bill',
  trailing: 'Last twelve months',
}

/** Returns the accrual up to and including `periodEnd`; null if everything is billed, or nothing ever was. Lines in any order. */
export function accrue(lines: readonly AccrualLine[], periodEnd: CalendarDate, method: AccrualMethod): Accrual | null {
  const sorted = lines.toSorted((a, b) => (a.to < b.to ? -1 : a.to > b.to ? 1 : 0))
  const last = sorted.at(-1)
  const until = addDays(periodEnd, 1)
  if (last === undefined || last.to >= until) return null
  const window = { from: last.to, until, days: daysBetween(last.to, until) }
  const usual = sorted.filter((line) => !line.outlier)
  if (method === 'trailing') return trailing(usual, last, window)
  if (method === 'last_bill' || last.usage === null || isZero(last.usage)) return byLastCost(last, window, method, usual.length)
  return seasonal(usual, last, window)
}

interface Window {
  readonly from: CalendarDate
  readonly until: CalendarDate
  readonly days: number
}

function byLastCost(last: AccrualLine, window: Window, method: AccrualMethod, lines: number): Accrual {
  const n = daysBetween(last.from, last.to)
  const perDay = last.usage === null ? null : dividedBy(last.usage, String(n), SCALE)
  return {
    ...window,
    usage_per_day: perDay === null ? null : roundTo(perDay, 6),
    unit_cost: unitCostOf(last),
    usage: perDay === null ? null : roundTo(times(perDay, String(window.days)), 3),
    cost: shareOf(last.cost, window.days, n),
    method,
    how: 'last_cost',
    confidence: window.days > LONG_DAYS || lines < 3 ? 'low' : 'medium',
  }
}

/** Each day is like those of the same month in up to three earlier years, or like the last line if there are none; at the last unit cost. */
function seasonal(usual: readonly AccrualLine[], last: AccrualLine, window: Window): Accrual {
  const months = monthsFrom(monthOf(window.from), monthOf(addDays(window.until, -1)))
  const lastPerDay = perDayOf(last) ?? '0'
  const parts = months.map((month) => ({ days: daysIn(month, window), like: likeMonths(usual, month) }))
  const usage = parts.reduce((sum, { days, like }) => plus(sum, times(like?.perDay ?? lastPerDay, String(days))), '0')
  const years = parts.map(({ like }) => like?.years ?? 0)
  const isBacked = years.some((count) => count > 0)
  const least = Math.min(...years)
  const unitCost = dividedBy(wireOf(last.cost), last.usage ?? '0', SCALE) ?? '0'
  return {
    ...window,
    usage_per_day: dividedBy(usage, String(window.days), 6),
    unit_cost: roundTo(unitCost, 6),
    usage: roundTo(usage, 3),
    cost: centsOf(roundTo(times(usage, unitCost), 2)),
    method: 'seasonal',
    how: isBacked ? 'seasonal' : 'last_usage',
    confidence: window.days > LONG_DAYS || least === 0 ? 'low' : least >= 2 ? 'high' : 'medium',
  }
}

function trailing(usual: readonly AccrualLine[], last: AccrualLine, window: Window): Accrual {
  const since = firstDayOf(addToMonth(monthOf(window.from), -MONTHS_TRAILING))
  const recent = usual.filter((line) => line.to > since)
  const lines = recent.length === 0 ? [last] : recent
  const days = lines.reduce((sum, line) => sum + daysBetween(line.from, line.to), 0)
  const cost = lines.reduce((sum, line) => sum + line.cost, 0)
  const used = lines.flatMap((line) => line.usage ?? [])
  const usage = used.length < lines.length ? null : used.reduce((sum, one) => plus(sum, one), '0')
  const perDay = usage === null ? null : dividedBy(usage, String(days), SCALE)
  return {
    ...window,
    usage_per_day: perDay === null ? null : roundTo(perDay, 6),
    unit_cost: usage === null || isZero(usage) ? null : dividedBy(wireOf(cost), usage, 6),
    usage: perDay === null ? null : roundTo(times(perDay, String(window.days)), 3),
    cost: shareOf(cost, window.days, days),
    method: 'trailing',
    how: 'trailing',
    confidence: window.days > LONG_DAYS || days < 90 ? 'low' : days >= 300 ? 'high' : 'medium',
  }
}

/** Returns the window's days in a month. */
function daysIn(month: CalendarMonth, { from, until }: Window): number {
  const first = firstDayOf(month)
  const next = firstDayOf(addToMonth(month, 1))
  return daysBetween(from > first ? from : first, until < next ? until : next)
}

/** Returns the mean usage per day of lines that overlap the month in earlier years, and the number of years with one. */
function likeMonths(usual: readonly AccrualLine[], month: CalendarMonth): { perDay: string; years: number } | null {
  const found = Array.from({ length: YEARS_BACK }, (_, back) => {
    const earlier = addToMonth(month, -12 * (back + 1))
    const [first, next] = [firstDayOf(earlier), firstDayOf(addToMonth(earlier, 1))]
    return usual.flatMap((line) => (line.from < next && line.to > first ? (perDayOf(line) ?? []) : []))
  })
  const all = found.flat()
  if (all.length === 0) return null
  const sum = all.reduce((total, one) => plus(total, one), '0')
  return { perDay: dividedBy(sum, String(all.length), SCALE) ?? '0', years: found.filter((year) => year.length > 0).length }
}

function perDayOf({ from, to, usage }: AccrualLine): string | null {
  return usage === null ? null : dividedBy(usage, String(daysBetween(from, to)), SCALE)
}

function unitCostOf({ cost, usage }: AccrualLine): string | null {
  return usage === null || compareDecimals(usage, '0') === 0 ? null : dividedBy(wireOf(cost), usage, 6)
}

/** Returns the share of `cents` over `n` days for `days` of them, half away from zero. */
function shareOf(cents: Cents, days: number, n: number): Cents {
  return centsOf(dividedBy(times(wireOf(cents), String(days)), String(n), 2) ?? '0')
}

/** Returns the cost of lines on the days [from, until); null if they do not cover all of them. */
export function actualCost(lines: readonly AccrualLine[], from: CalendarDate, until: CalendarDate): Cents | null {
  if (coveredTo(lines, from) < until) return null
  return lines.reduce((cost, line) => {
    const start = line.from > from ? line.from : from
    const end = line.to < until ? line.to : until
    if (start >= end) return cost
    const n = daysBetween(line.from, line.to)
    // Rounded like the days of a line everywhere: the share up to the end minus the share before.
    return cost + shareOf(line.cost, daysBetween(line.from, end), n) - shareOf(line.cost, daysBetween(line.from, start), n)
  }, 0)
}

/**
 * Returns the first day from `from` on that no line covers. A single day between two lines counts as covered: vendors that print the first
 * day of a bill instead of the last reading leave one before each line.
 */
function coveredTo(lines: readonly AccrualLine[], from: CalendarDate): CalendarDate {
  let reached = from
  for (const line of lines.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    if (line.to > reached && line.from <= addDays(reached, SINGLE_DAY)) reached = line.to
  }
  return reached
}
