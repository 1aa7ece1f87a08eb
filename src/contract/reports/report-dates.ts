/** The dates of a scheduled report, relative to the day of its run. */
import { addDays, addMonths, addToMonth, firstDayOf, lastDayOf, monthOf, weekday, type CalendarDate } from '../kernel/date.ts'

export const relativeDates = [
  { value: 'as_chosen', label: 'The dates of the choices' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: 'last_7_days', label: 'Last 7 days' },
  { value: 'last_week', label: 'Last week, Monday to Sunday' },
  { value: 'month_to_date', label: 'This month to date' },
  { value: 'last_month', label: 'Last month' },
  { value: 'last_3_months', label: 'Last 3 months' },
  { value: 'last_quarter', label: 'Last quarter' },
  { value: 'last_12_months', label: 'Last 12 months' },
  { value: 'year_to_date', label: 'This year to date' },
  { value: 'last_year', label: 'Last year' },
] as const
export type RelativeDates = (typeof relativeDates)[number]['value']

export interface DateRange {
  readonly from: CalendarDate | null
  readonly to: CalendarDate | null
}

/** Returns the first and the last day that the choice means on this day. Months, quarters and years that are not over are left out, except to date. */
export function datesOn(choice: RelativeDates, day: CalendarDate, chosen: DateRange): DateRange {
  const month = monthOf(day)
  switch (choice) {
    case 'as_chosen':
      return chosen
    case 'yesterday':
      return { from: addDays(day, -1), to: addDays(day, -1) }
    case 'last_7_days':
      return { from: addDays(day, -7), to: addDays(day, -1) }
    case 'last_week':
      return weekBefore(day)
    case 'month_to_date':
      return { from: firstDayOf(month), to: day }
    case 'last_month':
      return monthsBefore(month, 1)
    case 'last_3_months':
      return monthsBefore(month, 3)
    case 'last_quarter':
      return monthsBefore(quarterOf(day), 3)
    case 'last_12_months':
      return monthsBefore(month, 12)
    case 'year_to_date':
      return { from: `${day.slice(0, 4)}-01-01`, to: day }
    case 'last_year':
      return monthsBefore(`${day.slice(0, 4)}-01`, 12)
  }
}

/** The complete months before this one. */
function monthsBefore(month: string, count: number): DateRange {
  return { from: firstDayOf(addToMonth(month, -count)), to: lastDayOf(addToMonth(month, -1)) }
}

/** The first month of the quarter. */
function quarterOf(day: CalendarDate): string {
  const first = Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3
  return monthOf(addMonths(`${day.slice(0, 4)}-01-01`, first))
}

function weekBefore(day: CalendarDate): DateRange {
  const monday = addDays(day, -((weekday(day) + 6) % 7))
  return { from: addDays(monday, -7), to: addDays(monday, -1) }
}
