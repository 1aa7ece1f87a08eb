/** The windows of dashboards: whole months only, so that a month is never compared with a part of one. */
import {
  addDays,
  addToMonth,
  type CalendarDate,
  type CalendarMonth,
  daysBetween,
  firstDayOf,
  isCalendarMonth,
  lastDayOf,
  monthOf,
  monthsBetween,
  monthsFrom,
} from '../kernel/date.ts'

export const dateRanges = ['last_12_months', 'last_6_months', 'last_3_months', 'year_to_date', 'fiscal_year'] as const
export type DateRange = (typeof dateRanges)[number]
export const DEFAULT_DATE_RANGE = 'last_12_months' satisfies DateRange

export const dateRangeLabels: Readonly<Record<DateRange, string>> = {
  last_12_months: 'Last 12 Months',
  last_6_months: 'Last 6 Months',
  last_3_months: 'Last 3 Months',
  year_to_date: 'Year to Date',
  fiscal_year: 'Fiscal Year',
}

const MONTHS_IN: Readonly<Record<Exclude<DateRange, 'year_to_date'>, number>> = {
  last_12_months: 12,
  last_6_months: 6,
  last_3_months: 3,
  // The specification treats a fiscal year as the last 12 months. The client's first fiscal month is stored for when that changes.
  fiscal_year: 12,
}

/** Months of a range of one's own at most. */
export const customMonthsMax = 36

export interface MonthWindow {
  readonly first_month: CalendarMonth
  readonly last_month: CalendarMonth
  /** First and last day, both included. */
  readonly from: CalendarDate
  readonly to: CalendarDate
}

export interface ComparedWindows {
  readonly current: MonthWindow
  readonly previous: MonthWindow
}

/** Returns the window of a range as of `asOf` (today unless looking back), and the window it is compared with. */
export function windowsOf(range: DateRange, asOf: CalendarDate, compareToLastYear: boolean): ComparedWindows {
  const current = windowOf(range, asOf)
  return { current, previous: previousWindow(current, compareToLastYear) }
}

/**
 * Returns the window of these months, and the same months a year before. A range longer than a year is compared with the same months as many
 * whole years before as it reaches into, because the two windows share no month.
 */
export function customWindows(first: CalendarMonth, last: CalendarMonth): ComparedWindows {
  const current = monthWindow(first, last)
  const shift = -12 * Math.ceil(monthCount(current) / 12)
  return { current, previous: monthWindow(addToMonth(first, shift), addToMonth(last, shift)) }
}

/** Returns why the months are no range, by field; nothing where they are one, or where neither is given. */
export function customRangeFaults(
  from: string | undefined,
  to: string | undefined,
): { field: 'from_month' | 'to_month'; message: string }[] {
  if (!from && !to) return []
  const faults = [
    { field: 'from_month' as const, label: 'From Month', value: from ?? '' },
    { field: 'to_month' as const, label: 'To Month', value: to ?? '' },
  ].flatMap(({ field, label, value }) => {
    if (value === '') return [{ field, message: `${label} is required` }]
    return isCalendarMonth(value) && value >= '1990-01' && value <= '2199-12'
      ? []
      : [{ field, message: `${label} must be a month as YYYY-MM from 1990 to 2199` }]
  })
  if (faults.length > 0 || !from || !to) return faults
  if (to < from) return [{ field: 'to_month', message: 'To Month must not be before From Month' }]
  return monthCount(monthWindow(from, to)) > customMonthsMax
    ? [{ field: 'to_month', message: `The range must have at most ${customMonthsMax} months` }]
    : []
}

/** Returns whole months up to the last complete one; year to date in January is all of last year. */
export function windowOf(range: DateRange, asOf: CalendarDate): MonthWindow {
  const last = addToMonth(monthOf(asOf), -1)
  const first = range === 'year_to_date' ? `${last.slice(0, 4)}-01` : addToMonth(last, 1 - MONTHS_IN[range])
  return monthWindow(first, last)
}

/** Returns the same months a year earlier, or the same number of months just before. */
export function previousWindow(window: MonthWindow, compareToLastYear: boolean): MonthWindow {
  const shift = compareToLastYear ? 12 : monthCount(window)
  return monthWindow(addToMonth(window.first_month, -shift), addToMonth(window.last_month, -shift))
}

export function monthWindow(first: CalendarMonth, last: CalendarMonth): MonthWindow {
  return { first_month: first, last_month: last, from: firstDayOf(first), to: lastDayOf(last) }
}

export function monthCount(window: MonthWindow): number {
  return monthsBetween(window.first_month, window.last_month) + 1
}

export function monthsOfWindow(window: MonthWindow): CalendarMonth[] {
  return monthsFrom(window.first_month, window.last_month)
}

export function isWithin(month: CalendarMonth, { first_month, last_month }: Pick<MonthWindow, 'first_month' | 'last_month'>): boolean {
  return month >= first_month && month <= last_month
}

/** For a range of a year, last year and the months just before are the same window. */
export function isYearLong(range: DateRange, asOf: CalendarDate): boolean {
  return monthCount(windowOf(range, asOf)) === 12
}

export function daysInWindow(window: MonthWindow): number {
  return daysBetween(window.from, addDays(window.to, 1))
}
