/**
 * Computes which bills an account should have by now, month by month. A bill covers the days between its reads. A month with many days that no
 * bill covers waits for one: it is expected, then late, then missing.
 */
import { addDays, addToMonth, daysBetween, firstDayOf, monthOf, monthsFrom, type CalendarDate, type CalendarMonth } from '../kernel/date.ts'

/** Months in the calendar, the current one last. */
export const calendarMonthCount = 13
/** Earlier months whose bills define the account's rhythm. */
export const rhythmMonths = 6
/** A bill this many days past its expected day is missing, no longer only late. */
export const lateDaysMax = 30
/** Days between a read and its bill if no bill shows it. */
export const receiptDaysDefault = 7
/** Bills received later than this after their read are treated as imported history. */
export const receiptDaysMax = 60
/** Bills required for a rhythm; with fewer, the account's billing period applies. */
export const rhythmBillsMin = 3
/** Longer periods are typing errors. */
export const periodDaysMax = 400
/** Bills whose amounts predict the next one. */
export const usualBillsCount = 3
/** Days allowed between two bills without a bill missing. */
export const toleranceDaysMax = 7
/** Share of a month's days, in percent, that counts as a gap. */
export const gapPercent = 45

const weeklyDays = 7
const biWeeklyDays = 14
const quarterlyDays = 91

export type CellState = 'billed' | 'expected' | 'late' | 'missing' | 'none'

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

export interface CalendarCell<Bill> {
  readonly month: CalendarMonth
  readonly state: CellState
  /** The day on which the month's missing bill is expected; null if it waits for none. */
  readonly expected_on: CalendarDate | null
  /** The bills of the month: those that are mostly in it, or else those that reach into it. */
  readonly bills: readonly Bill[]
}

/** The days from the first up to, but not including, the last. */
interface Span {
  readonly from: CalendarDate
  readonly to: CalendarDate
}

/** Returns the months of the calendar as of this day. */
export function calendarMonthsAt(today: CalendarDate): CalendarMonth[] {
  const last = monthOf(today)
  return monthsFrom(addToMonth(last, 1 - calendarMonthCount), last)
}

/** Returns the first day whose bills are read. */
export function calendarSince(today: CalendarDate): CalendarDate {
  return firstDayOf(addToMonth(monthOf(today), 1 - calendarMonthCount - rhythmMonths))
}

/** Returns the calendar of one account, from its bills dated `calendarSince` or later. */
export function billCalendar<Bill extends CalendarBill>(
  account: CalendarAccount,
  bills: readonly Bill[],
  today: CalendarDate,
): CalendarCell<Bill>[] {
  const usual = usualDays(account)
  const periods = bills.map((bill) => ({ bill, ...periodOf(bill, usual) }))
  const days = rhythmOf(bills) ?? usual
  const wait = receiptDays(bills)
  const covered = merged(periods)
  const [first] = covered
  const start = account.effective_from ?? startOf(account, first, today)
  return calendarMonthsAt(today).map((month) => {
    const span = { from: firstDayOf(month), to: firstDayOf(addToMonth(month, 1)) }
    const inForce = account.active ? within(span, start, account.effective_to) : null
    const gaps = inForce ? without(inForce, covered) : []
    const inside = periods.filter((period) => period.from < span.to && period.to > span.from)
    const home = inside.filter((period) => monthOf(middleOf(period)) === month)
    const shown = (home.length > 0 ? home : inside).map(({ bill }) => bill)
    if (!inForce || !isGap(gaps, inForce, days))
      return { month, state: inside.length > 0 ? 'billed' : 'none', expected_on: null, bills: shown }
    const due = expectedOn(gaps, covered, { start, days, wait })
    return { month, state: stateAt(due, today), expected_on: due, bills: shown }
  })
}

/** Returns the days of the account's billing period. */
function usualDays({ billing_period, billing_cycle }: CalendarAccount): number {
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
function periodOf(bill: CalendarBill, usual: number): Span {
  const { previous_read_date: from, read_date: to } = bill
  return hasPlainReads(bill) && from !== null && to !== null ? { from, to } : { from: addDays(bill.date, -usual), to: bill.date }
}

function hasPlainReads({ previous_read_date: from, read_date: to }: CalendarBill): boolean {
  return from !== null && to !== null && from < to && daysBetween(from, to) <= periodDaysMax
}

function rhythmOf(bills: readonly CalendarBill[]): number | null {
  const lengths = bills
    .filter(hasPlainReads)
    .map(({ previous_read_date, read_date }) => daysBetween(previous_read_date ?? '', read_date ?? ''))
  return lengths.length < rhythmBillsMin ? null : median(lengths)
}

/** Returns the median of the days between a read and the bill's arrival; for imported history, the bill's date counts as its arrival. */
function receiptDays(bills: readonly CalendarBill[]): number {
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

/** Without an effective date, an account expects bills from its first one on, or from the day on which it was entered. */
function startOf({ billed_before, created_on }: CalendarAccount, first: Span | undefined, today: CalendarDate): CalendarDate {
  if (billed_before) return calendarSince(today)
  return first?.from ?? created_on
}

/** Returns the part of a span in which the account is active. */
function within({ from, to }: Span, start: CalendarDate, lastDay: CalendarDate | null): Span | null {
  const end = lastDay === null ? to : earlier(to, addDays(lastDay, 1))
  const begin = later(from, start)
  return begin < end ? { from: begin, to: end } : null
}

/** Merges the spans into as few as possible, in order. */
function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const { from, to } of spans.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = all.at(-1)
    if (last && from <= last.to) all.splice(-1, 1, { from: last.from, to: later(last.to, to) })
    else all.push({ from, to })
  }
  return all
}

/** Returns what is left of a span outside the covered ones. */
function without({ from, to }: Span, covered: readonly Span[]): Span[] {
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
function isGap(gaps: readonly Span[], inForce: Span, days: number): boolean {
  const open = gaps.reduce((sum, { from, to }) => sum + daysBetween(from, to), 0)
  const isLong = open * 100 >= gapPercent * daysBetween(inForce.from, inForce.to) || open * 2 >= days
  return open >= Math.min(toleranceDaysMax, Math.ceil(days / 2)) && isLong
}

/** The month is complete once the bill for its last open day has arrived: that many periods after the last billed day, plus the waiting time. */
function expectedOn(
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

function stateAt(due: CalendarDate, today: CalendarDate): CellState {
  const behind = daysBetween(due, today)
  if (behind <= 0) return 'expected'
  return behind <= lateDaysMax ? 'late' : 'missing'
}

function middleOf({ from, to }: Span): CalendarDate {
  return addDays(from, Math.floor(daysBetween(from, to) / 2))
}

function earlier(one: CalendarDate, other: CalendarDate): CalendarDate {
  return one < other ? one : other
}

function later(one: CalendarDate, other: CalendarDate): CalendarDate {
  return one > other ? one : other
}
