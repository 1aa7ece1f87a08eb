/** The days and periods from which the calendar of bills is computed. */
import { addDays, daysBetween, type CalendarDate } from '../kernel/date.ts'

/** Days between a read and its bill if no bill shows it. */
export const receiptDaysDefault = 7
/** Bills received later than this after their read are treated as imported history. */
export const receiptDaysMax = 60
/** Bills required for a rhythm; with fewer, the account's billing period applies. */
export const rhythmBillsMin = 3
/** Longer periods are typing errors. */
export const periodDaysMax = 400

/** Days allowed between two bills without a bill missing. */
export const toleranceDaysMax = 7
/** Share of a month's days, in percent, that counts as a gap. */
export const gapPercent = 45

const weeklyDays = 7
const biWeeklyDays = 14
const quarterlyDays = 91

export interface CalendarBill {
  readonly date: CalendarDate
  readonly previous_read_date: CalendarDate | null
  readonly read_date: CalendarDate | null
  /** The New York day on which it was entered. */
  readonly received_on: CalendarDate
}

export interface CalendarAccount {
  readonly active: boolean
  readonly effective_from: CalendarDate | null
  readonly effective_to: CalendarDate | null
  /** 0 Weekly, 1 Bi-Weekly, 2 Monthly, 3 Quarterly; null counts as Monthly. */
  readonly billing_period: number | null
  readonly billing_cycle: number
  readonly created_on: CalendarDate
  /** Whether there are bills before the calendar's period. */
  readonly billed_before: boolean
}

/** The days from the first up to, but not including, the last. */
export interface Span {
  readonly from: CalendarDate
  readonly to: CalendarDate
}

/** Returns the days of the account's billing period. */
export function usualDays({ billing_period, billing_cycle }: CalendarAccount): number {
  switch (billing_period) {
    case 0:
      return weeklyDays
    case 1:
      return biWeeklyDays
    case 3:
      return quarterlyDays
    default:
      return billing_cycle
  }
}

/** Returns the days that a bill covers; without plain reads, the usual number of days before its date. */
export function periodOf(bill: CalendarBill, usual: number): Span {
  const { previous_read_date: from, read_date: to } = bill
  return hasPlainReads(bill) && from !== null && to !== null ? { from, to } : { from: addDays(bill.date, -usual), to: bill.date }
}

function hasPlainReads({ previous_read_date: from, read_date: to }: CalendarBill): boolean {
  return from !== null && to !== null && from < to && daysBetween(from, to) <= periodDaysMax
}

export function rhythmOf(bills: readonly CalendarBill[]): number | null {
  const lengths = bills
    .filter(hasPlainReads)
    .map(({ previous_read_date, read_date }) => daysBetween(previous_read_date ?? '', read_date ?? ''))
  return lengths.length < rhythmBillsMin ? null : median(lengths)
}

/** Returns the median of the days between a read and the bill's arrival; for imported history, the bill's date counts as its arrival. */
export function receiptDays(bills: readonly CalendarBill[]): number {
  const waits = bills.filter(hasPlainReads).flatMap(({ read_date, received_on, date }) => {
    const candidates = [daysBetween(read_date ?? '', received_on), daysBetween(read_date ?? '', date)]
    return candidates.find((wait) => wait >= 0 && wait <= receiptDaysMax) ?? []
  })
  return median(waits) ?? receiptDaysDefault
}

/** Returns the median, the lower of two middle values; null for none. */
function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? null
}

/** Returns the part of a span in which the account is active. */
export function within({ from, to }: Span, start: CalendarDate, lastDay: CalendarDate | null): Span | null {
  const end = lastDay === null ? to : earlier(to, addDays(lastDay, 1))
  const begin = later(from, start)
  return begin < end ? { from: begin, to: end } : null
}

/** Merges the spans into as few as possible, in order. */
export function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const { from, to } of spans.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = all.at(-1)
    if (last && from <= last.to) all.splice(-1, 1, { from: last.from, to: later(last.to, to) })
    else all.push({ from, to })
  }
  return all
}

/** Returns what is left of a span outside the covered ones. */
export function without({ from, to }: Span, covered: readonly Span[]): Span[] {
  const gaps: Span[] = []
  let at = from
  for (const one of covered) {
    if (one.from > at) gaps.push({ from: at, to: earlier(one.from, to) })
    at = later(at, one.to)
  }
  if (at < to) gaps.push({ from: at, to })
  return gaps.filter((gap) => gap.from < gap.to && gap.from < to)
}

/** A few days between two reads are no gap. */
export function isGap(gaps: readonly Span[], inForce: Span, days: number): boolean {
  const open = gaps.reduce((sum, { from, to }) => sum + daysBetween(from, to), 0)
  const isLong = open * 100 >= gapPercent * daysBetween(inForce.from, inForce.to) || open * 2 >= days
  return open >= Math.min(toleranceDaysMax, Math.ceil(days / 2)) && isLong
}

/** The month is complete once the bill for its last open day has arrived: that many periods after the last billed day, plus the waiting time. */
export function expectedOn(
  gaps: readonly Span[],
  covered: readonly Span[],
  { start, days, wait }: { start: CalendarDate; days: number; wait: number },
): CalendarDate {
  const lastDay = addDays(gaps.at(-1)?.to ?? start, -1)
  const before = covered.findLast(({ to }) => to <= lastDay)?.to
  const since = before === undefined ? start : later(before, start)
  const periods = Math.floor(daysBetween(since, lastDay) / days) + 1
  return addDays(since, periods * days + wait)
}

export function middleOf({ from, to }: Span): CalendarDate {
  return addDays(from, Math.floor(daysBetween(from, to) / 2))
}

function earlier(one: CalendarDate, other: CalendarDate): CalendarDate {
  return one < other ? one : other
}

function later(one: CalendarDate, other: CalendarDate): CalendarDate {
  return one > other ? one : other
}
