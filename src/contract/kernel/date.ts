/**
 * Calendar dates as text, YYYY-MM-DD, and months as YYYY-MM. They never pass through an instant, so no zone can move them to the day
 * before. The arithmetic counts days of the Gregorian calendar in whole numbers.
 */

/** YYYY-MM-DD. */
export type CalendarDate = string
/** YYYY-MM. */
export type CalendarMonth = string

export const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const ISO_MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/

const DAYS_IN_400_YEARS = 146_097

/** True for text that is an existing day. */
export function isCalendarDate(text: string): boolean {
  const match = ISO_DATE.exec(text)
  return match !== null && existingDate(Number(match[1]), Number(match[2]), Number(match[3])) !== null
}

export function isCalendarMonth(text: string): boolean {
  return ISO_MONTH.test(text)
}

/** Formats as MM/DD/YYYY; empty if there is no date. */
export function formatDate(date: CalendarDate | null | undefined): string {
  if (!date) return ''
  const [year, month, day] = date.split('-')
  return `${month}/${day}/${year}`
}

/** Formats as MM/YYYY; empty if there is no month. */
export function formatMonth(month: CalendarMonth | null | undefined): string {
  if (!month) return ''
  const [year, ofYear] = month.split('-')
  return `${ofYear}/${year}`
}

const monthNames = 'January February March April May June July August September October November December'.split(' ')

/** A month inside a sentence: 'October 2026'. */
export function nameOfMonth(month: CalendarMonth): string {
  return `${monthNames[Number(month.slice(5)) - 1] ?? ''} ${month.slice(0, 4)}`
}

/** Days from `from` to `to`; the end day does not count, so a period from a read to the next one counts each day once. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return dayNumber(to) - dayNumber(from)
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return dateOfDayNumber(dayNumber(date) + days)
}

/** Returns the same day `months` later, or the last day of a shorter month: January 31 plus a month is the end of February. */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  const month = addToMonth(monthOf(date), months)
  const day = Math.min(Number(date.slice(8)), daysInMonth(month))
  return `${month}-${padded(day, 2)}`
}

/** −1, 0 or 1. Text of equal length sorts like the calendar. */
export function compareDates(a: CalendarDate, b: CalendarDate): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0
}

/** 0 Sunday to 6 Saturday. */
export function weekday(date: CalendarDate): number {
  return (((dayNumber(date) + 4) % 7) + 7) % 7
}

export function monthOf(date: CalendarDate): CalendarMonth {
  return date.slice(0, 7)
}

export function firstDayOf(month: CalendarMonth): CalendarDate {
  return `${month}-01`
}

export function lastDayOf(month: CalendarMonth): CalendarDate {
  return `${month}-${padded(daysInMonth(month), 2)}`
}

export function daysInMonth(month: CalendarMonth): number {
  // The last representable December has no month after it.
  if (month.endsWith('-12')) return 31
  return daysBetween(firstDayOf(month), firstDayOf(addToMonth(month, 1)))
}

export function addToMonth(month: CalendarMonth, months: number): CalendarMonth {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + months
  return `${padded(Math.floor(count / 12), 4)}-${padded((((count % 12) + 12) % 12) + 1, 2)}`
}

/** Whole months from one month to another; negative if `to` is earlier. */
export function monthsBetween(from: CalendarMonth, to: CalendarMonth): number {
  return (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7))
}

/** Returns all months from the first to the last, both included; empty if the last is earlier. */
export function monthsFrom(first: CalendarMonth, last: CalendarMonth): CalendarMonth[] {
  return Array.from({ length: Math.max(0, monthsBetween(first, last) + 1) }, (_, place) => addToMonth(first, place))
}

/** Days since 1970-01-01 in the calendar. Throws a RangeError for text that is no date. */
export function dayNumber(date: CalendarDate): number {
  const match = ISO_DATE.exec(date)
  if (!match) throw new RangeError(`not a calendar date: ${date}`)
  const month = Number(match[2])
  // Years start in March here, so that the leap day is the last of its year.
  const year = Number(match[1]) - (month <= 2 ? 1 : 0)
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + Number(match[3]) - 1
  return era * DAYS_IN_400_YEARS + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

/** The inverse of `dayNumber`. */
export function dateOfDayNumber(number: number): CalendarDate {
  const shifted = number + 719_468
  const era = Math.floor(shifted / DAYS_IN_400_YEARS)
  const day = shifted - era * DAYS_IN_400_YEARS
  const yearOfEra = Math.floor((day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365)
  const dayOfYear = day - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth + (marchMonth < 10 ? 3 : -9)
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1, 2)}`
}

export function existingDate(year: number, month: number, day: number): CalendarDate | null {
  if (year < 1 || month < 1 || month > 12 || day < 1) return null
  const ofYear = `${padded(year, 4)}-${padded(month, 2)}`
  return day <= daysInMonth(ofYear) ? `${ofYear}-${padded(day, 2)}` : null
}

export function padded(number: number, length: number): string {
  return String(number).padStart(length, '0')
}
