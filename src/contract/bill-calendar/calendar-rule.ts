/**
 * Computes which bills an account should have by now, month by month. A bill covers the days between its reads. A month with many days that no
 * bill covers waits for one: it is expected, then late, then missing.
 */
import { addToMonth, daysBetween, firstDayOf, monthOf, monthsFrom, type CalendarDate, type CalendarMonth } from '../kernel/date.ts'
import {
  type CalendarBill,
  type CalendarAccount,
  usualDays,
  periodOf,
  rhythmOf,
  receiptDays,
  merged,
  within,
  without,
  middleOf,
  isGap,
  expectedOn,
  type Span,
} from './calendar-months.ts'

/** Months in the calendar, the current one last. */
export const calendarMonthCount = 13
/** Earlier months whose bills define the account's rhythm. */
export const rhythmMonths = 6
/** A bill this many days past its expected day is missing, no longer only late. */
export const lateDaysMax = 30

/** Bills whose amounts predict the next one. */
export const usualBillsCount = 3

export type CellState = 'billed' | 'expected' | 'late' | 'missing' | 'none'

export interface CalendarCell<Bill> {
  readonly month: CalendarMonth
  readonly state: CellState
  /** The day on which the month's missing bill is expected; null if it waits for none. */
  readonly expected_on: CalendarDate | null
  /** The bills of the month: those that are mostly in it, or else those that reach into it. */
  readonly bills: readonly Bill[]
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

/** Without an effective date, an account expects bills from its first one on, or from the day on which it was entered. */
function startOf({ billed_before, created_on }: CalendarAccount, first: Span | undefined, today: CalendarDate): CalendarDate {
  if (billed_before) return calendarSince(today)
  return first?.from ?? created_on
}

function stateAt(due: CalendarDate, today: CalendarDate): CellState {
  const behind = daysBetween(due, today)
  if (behind <= 0) return 'expected'
  return behind <= lateDaysMax ? 'late' : 'missing'
}
