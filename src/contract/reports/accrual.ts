/**
 * Computes a meter's unbilled usage at the end of a period from its lines. Pure: the report, its test against known bills and the score of each
 * method use it. Days are half-open, as everywhere: the day of a reading belongs to the next line.
 */
import { closeOneDayGaps } from '../bill-figures/calendarize.ts'
import { addDays, type CalendarDate, type CalendarMonth, daysBetween, firstDayOf, addToMonth, monthOf, monthsFrom } from '../kernel/date.ts'
import { compareDecimals, dividedBy, isZero, plus, roundTo, times } from '../kernel/decimal.ts'
import { type Cents, centsOf, sumCents, wireOf } from '../kernel/money.ts'
import type { AccrualMethod } from './report-form-data.ts'

/** A line that covers at least one day, with its share of the account's charges. */
export interface AccrualLine {
  /** The first day, and the day after the last. */
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly bill_date: CalendarDate
  /** The parts of its cost that are spread over days each by itself, as the monthly facts do: utility, supply and other charges. */
  readonly charges: readonly Cents[]
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
const SCALE = 12

export const accrualHow: Readonly<Record<Accrual['how'], string>> = {
  seasonal: 'Same months of earlier years',
  last_usage: 'Usage of the last bill',
  last_cost: 'Cost of the last bill',
  trailing: 'Last twelve months',
}

/** The first and the last day on which a meter is in use; null where it is open. */
export interface InUse {
  readonly from: CalendarDate | null
  readonly to: CalendarDate | null
}

const always: InUse = { from: null, to: null }

interface SettledLine extends AccrualLine {
  readonly cost: Cents
}

/** Returns the accrual up to and including `periodEnd`; null if everything is billed, or nothing ever was. Lines in any order. */
export function accrue(
  lines: readonly AccrualLine[],
  periodEnd: CalendarDate,
  method: AccrualMethod,
  inUse: InUse = always,
): Accrual | null {
  const sorted = settledLines(lines)
  const last = sorted.at(-1)
  if (last === undefined) return null
  const until = addDays(inUse.to !== null && inUse.to < periodEnd ? inUse.to : periodEnd, 1)
  const from = inUse.from !== null && inUse.from > last.to ? inUse.from : last.to
  if (from >= until) return null
  const window = { from, until, days: daysBetween(from, until) }
  const usual = sorted.filter((line) => !line.outlier)
  if (method === 'trailing') return trailing(usual, last, window)
  if (method === 'last_bill' || last.usage === null || isZero(last.usage)) return byLastCost(last, window, method, usual.length)
  return seasonal(usual, last, window)
}

/**
 * Returns the lines in order, with the days that the monthly facts count. Lines of the same days are one: a bill and its correction. A line
 * that ends a day before the next one begins reaches to it, because its vendor prints first and last days; so does the last line, when the one
 * before it did.
 */
function settledLines(lines: readonly AccrualLine[]): SettledLine[] {
  const merged = [...Map.groupBy(lines, ({ from, to }) => `${from} ${to}`).values()].flatMap(asOne)
  const closed = closeOneDayGaps(merged.map((line) => ({ ...line, previous_read_date: line.from, read_date: line.to })))
  const before = closed.at(-2)
  const isMoved = before !== undefined && before.read_date !== before.to
  return closed.map(({ previous_read_date: from, read_date: to, ...line }, place) => ({
    ...line,
    from,
    to: isMoved && place === closed.length - 1 ? addDays(to, 1) : to,
  }))
}

/** A correction is no unusual line by itself: the sum is one only if each part of it was found to be. */
function asOne(lines: readonly AccrualLine[]): SettledLine[] {
  return lines.slice(0, 1).map((first) => ({
    ...first,
    cost: sumCents(lines.flatMap(({ charges }) => charges)),
    charges: lines.flatMap(({ charges }) => charges),
    usage: lines.reduce<string | null>((sum, { usage }) => (usage === null ? sum : plus(sum ?? '0', usage)), null),
    outlier: lines.every(({ outlier }) => outlier),
  }))
}

interface Window {
  readonly from: CalendarDate
  readonly until: CalendarDate
  readonly days: number
}

function byLastCost(last: SettledLine, window: Window, method: AccrualMethod, lines: number): Accrual {
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
function seasonal(usual: readonly SettledLine[], last: SettledLine, window: Window): Accrual {
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

function trailing(usual: readonly SettledLine[], last: SettledLine, window: Window): Accrual {
  const since = firstDayOf(addToMonth(monthOf(window.from), -MONTHS_TRAILING))
  const recent = usual.filter((line) => line.to > since)
  const lines = recent.length === 0 ? [last] : recent
  const days = daysOfAll(lines)
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

/** Returns the days that at least one line covers. */
function daysOfAll(lines: readonly AccrualLine[]): number {
  let days = 0
  let reached = ''
  for (const { from, to } of lines.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    const start = from > reached ? from : reached
    if (to <= start) continue
    days += daysBetween(start, to)
    reached = to
  }
  return days
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

function unitCostOf({ cost, usage }: SettledLine): string | null {
  return usage === null || compareDecimals(usage, '0') === 0 ? null : dividedBy(wireOf(cost), usage, 6)
}

/** Returns the share of `cents` over `n` days for `days` of them, half away from zero. */
function shareOf(cents: Cents, days: number, n: number): Cents {
  return centsOf(dividedBy(times(wireOf(cents), String(days)), String(n), 2) ?? '0')
}

/** Returns the cost of lines on the days [from, until); null if they do not cover all of them. */
export function actualCost(billed: readonly AccrualLine[], from: CalendarDate, until: CalendarDate): Cents | null {
  const lines = settledLines(billed)
  if (coveredTo(lines, from) < until) return null
  return lines.reduce((cost, line) => {
    const start = line.from > from ? line.from : from
    const end = line.to < until ? line.to : until
    if (start >= end) return cost
    const n = daysBetween(line.from, line.to)
    // Rounded like the days of a line everywhere: the share up to the end minus the share before.
    const upTo = (day: CalendarDate): Cents => sumCents(line.charges.map((charge) => shareOf(charge, daysBetween(line.from, day), n)))
    return cost + upTo(end) - upTo(start)
  }, 0)
}

/** Returns the first day from `from` on that no line covers. */
function coveredTo(lines: readonly AccrualLine[], from: CalendarDate): CalendarDate {
  let reached = from
  for (const line of lines.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    if (line.to > reached && line.from <= reached) reached = line.to
  }
  return reached
}
