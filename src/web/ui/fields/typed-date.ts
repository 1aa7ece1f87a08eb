import { addDays, isCalendarDate, type CalendarDate } from '#contract/kernel/date.ts'
import { parseDate } from '#contract/kernel/typed-date.ts'

/** Days from a date, such as +7 or -30; four digits would be a month and a day. */
const DAYS = /^([+\-−])(\d{1,3})$/

export interface DateOfForm {
  readonly today: CalendarDate
  /** The last day that a date without a year may mean. */
  readonly last: CalendarDate
  /** The day that +7 counts from. */
  readonly from: CalendarDate
}

/** Parses a typed date: `t` is today, +7 and -30 count days from another date of the form, and the rest is a date as it is written. */
export function readTypedDate(typed: string, { today, last, from }: DateOfForm): CalendarDate | null {
  const text = typed.trim()
  if (text.toLowerCase() === 't') return today
  const [, sign, days] = DAYS.exec(text) ?? []
  if (days === undefined) return parseDate(text, last)
  return addDays(from, sign === '+' ? Number(days) : -Number(days))
}

/** Returns the day after the value for the up arrow and the day before for the down arrow; an empty field gets today, unreadable text stays. */
export function steppedDate(value: string, key: string, today: CalendarDate): CalendarDate | null {
  const days = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0
  if (days === 0 || (value !== '' && !isCalendarDate(value))) return null
  return value === '' ? today : addDays(value, days)
}
