/** When a scheduled report is due: its days by rule, its hour in its own time zone. */
import { addDays, daysInMonth, firstDayOf, lastDayOf, monthOf, weekday, type CalendarDate } from '../kernel/date.ts'
import { formatTime, instantOfHour, todayIn } from '../kernel/zone.ts'
import { isBankingDay } from '../payment-files/banking-days.ts'

export const frequencies = [
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every month' },
] as const
export type Frequency = (typeof frequencies)[number]['value']

export const weekdays = [
  { value: 1, label: 'Monday' },
  { value: 2, label: 'Tuesday' },
  { value: 3, label: 'Wednesday' },
  { value: 4, label: 'Thursday' },
  { value: 5, label: 'Friday' },
  { value: 6, label: 'Saturday' },
  { value: 0, label: 'Sunday' },
] as const
export type Weekday = (typeof weekdays)[number]['value']

export const monthRules = [
  { value: 'day', label: 'On a day of the month' },
  { value: 'last_day', label: 'On the last day' },
  { value: 'first_business_day', label: 'On the first business day' },
  { value: 'last_business_day', label: 'On the last business day' },
] as const
export type MonthRule = (typeof monthRules)[number]['value']

export interface ScheduleTimes {
  readonly frequency: Frequency
  readonly weekday: Weekday
  readonly month_rule: MonthRule
  /** A month that has no such day is due on its last day. */
  readonly month_day: number
  /** 0 to 23. */
  readonly hour: number
  /** IANA name. */
  readonly zone: string
}

/** Two due days are never farther apart than this. */
const daysApartMax = 70

/** Returns the first due time after an instant, as ISO text in UTC. */
export function nextDue(times: ScheduleTimes, after: Date): string {
  // An hour that a night skips may be due on the next day, so the search begins a day early.
  let day = addDays(todayIn(times.zone, after), -1)
  for (let looked = 0; looked < daysApartMax; looked += 1) {
    if (isDueOn(times, day)) {
      const due = instantOfHour(times.zone, day, times.hour)
      if (Date.parse(due) > after.getTime()) return due
    }
    day = addDays(day, 1)
  }
  throw new Error('a schedule has no due day')
}

export function isDueOn(times: ScheduleTimes, day: CalendarDate): boolean {
  switch (times.frequency) {
    case 'daily':
      return true
    case 'weekly':
      return weekday(day) === times.weekday
    case 'monthly':
      return day === dueDayOf(times, monthOf(day))
  }
}

function dueDayOf({ month_rule, month_day }: ScheduleTimes, month: string): CalendarDate {
  switch (month_rule) {
    case 'day':
      return `${month}-${String(Math.min(month_day, daysInMonth(month))).padStart(2, '0')}`
    case 'last_day':
      return lastDayOf(month)
    case 'first_business_day':
      return businessDay(firstDayOf(month), 1)
    case 'last_business_day':
      return businessDay(lastDayOf(month), -1)
  }
}

/** The nearest business day in this direction: no weekend, no holiday of the Federal Reserve. */
function businessDay(from: CalendarDate, step: 1 | -1): CalendarDate {
  let day = from
  while (!isBankingDay(day)) day = addDays(day, step)
  return day
}

/** Returns the schedule in words: 'Every month on the last business day, 6:00 AM America/New_York'. */
export function scheduleText(times: ScheduleTimes): string {
  return `${daysText(times)}, ${hourText(times.hour)} ${times.zone}`
}

export function hourText(hour: number): string {
  return formatTime(`${String(hour).padStart(2, '0')}:00`)
}

function daysText({ frequency, weekday: on, month_rule, month_day }: ScheduleTimes): string {
  const every = frequencies.find(({ value }) => value === frequency)?.label ?? ''
  if (frequency === 'daily') return every
  if (frequency === 'weekly') return `${every} on ${weekdays.find(({ value }) => value === on)?.label ?? ''}`
  if (month_rule === 'day') return `${every} on day ${month_day}`
  const rule = monthRules.find(({ value }) => value === month_rule)?.label ?? ''
  return `${every} ${rule.charAt(0).toLowerCase()}${rule.slice(1)}`
}
