/** Reads dates and months as people type them. */
import {
  type CalendarDate,
  ISO_DATE,
  existingDate,
  padded,
  formatDate,
  type CalendarMonth,
  isCalendarMonth,
  monthOf,
  addMonths,
} from './date.ts'

const TYPED_DATE = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/
const TYPED_DIGITS = /^(\d{2})(\d{2})(\d{4}|\d{2})?$/
const TYPED_MONTH_AND_DAY = /^(\d{1,2})[/.-](\d{1,2})$/
const TYPED_MONTH = /^(\d{1,2})[/.-](\d{4}|\d{2})$/
/** Two-digit years below it are in this century, the others in the last. */
const CENTURY_PIVOT = 70

const LEAP_YEAR = 2000

/**
 * Parses a typed date: the seven formats of the bill form, M/D/YY, ISO, digits only (0412, 041226, 04122026) and month with day (4/12), which
 * means that day within the year that ends with `last`. Two-digit years pivot at 70. Null if there is no such day; 2/29 without a leap day in
 * that year does not fall back to an earlier year.
 */
export function parseDate(typed: string, last: CalendarDate): CalendarDate | null {
  const text = typed.trim()
  const iso = ISO_DATE.exec(text)
  if (iso) return existingDate(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const full = TYPED_DATE.exec(text)
  if (full) return existingDate(fullYear(full[4] ?? ''), Number(full[1]), Number(full[3]))
  const digits = TYPED_DIGITS.exec(text)
  if (digits?.[3]) return existingDate(fullYear(digits[3]), Number(digits[1]), Number(digits[2]))
  const short = digits ?? TYPED_MONTH_AND_DAY.exec(text)
  return short ? dayOfYearTo(last, Number(short[1]), Number(short[2])) : null
}

/** Explains to the user why 2/29 or 2/30 without its year is no date; null for anything else. */
export function whyNoDay(typed: string, last: CalendarDate): string | null {
  const text = typed.trim()
  const [, month, day] = TYPED_MONTH_AND_DAY.exec(text) ?? (text.length === 4 ? TYPED_DIGITS.exec(text) : null) ?? []
  if (month === undefined || day === undefined || dayOfYearTo(last, Number(month), Number(day)) !== null) return null
  const named = `${padded(Number(month), 2)}/${padded(Number(day), 2)}`
  const isInLeapYears = existingDate(LEAP_YEAR, Number(month), Number(day)) !== null
  return isInLeapYears ? `There is no ${named} in the year up to ${formatDate(last)}: type its year too` : `There is no ${named}`
}

/** Parses a typed month: 4/2026, 04-26, 2026-04. Null if it cannot be read. */
export function parseMonth(typed: string): CalendarMonth | null {
  const text = typed.trim()
  if (isCalendarMonth(text)) return text
  const match = TYPED_MONTH.exec(text)
  const date = match ? existingDate(fullYear(match[2] ?? ''), Number(match[1]), 1) : null
  return date === null ? null : monthOf(date)
}

function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length > 2) return year
  return year < CENTURY_PIVOT ? 2000 + year : 1900 + year
}

/** Returns that day within the twelve months that end with `last`; not every such year has a February 29. */
function dayOfYearTo(last: CalendarDate, month: number, day: number): CalendarDate | null {
  const year = Number(last.slice(0, 4))
  const found = [year, year - 1].map((one) => existingDate(one, month, day)).find((date) => date !== null && date <= last)
  return found !== undefined && found !== null && found > addMonths(last, -12) ? found : null
}
