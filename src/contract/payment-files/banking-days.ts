/** The settlement days of the Federal Reserve by rule, and the day on which a file settles. */
import { addDays, lastDayOf, weekday, type CalendarDate } from '../kernel/date.ts'

const sunday = 0
const monday = 1
const thursday = 4
const saturday = 6

/** Fixed holidays as MM-DD. A Sunday moves to Monday; a Saturday does not move. */
const fixedHolidays = ['01-01', '06-19', '07-04', '11-11', '12-25']
/** Month, weekday, and which one of the month. */
const floatingHolidays: readonly (readonly [month: string, day: number, nth: number])[] = [
  ['01', monday, 3],
  ['02', monday, 3],
  ['09', monday, 1],
  ['10', monday, 2],
  ['11', thursday, 4],
]

/** Whether banks settle on this day: no Saturday, no Sunday, no holiday of the Federal Reserve. */
export function isBankingDay(date: CalendarDate): boolean {
  const day = weekday(date)
  return day !== saturday && day !== sunday && !isHoliday(date)
}

/** Returns the day `count` banking days later; the day itself is not counted and need not be one. */
export function bankingDaysAfter(date: CalendarDate, count: number): CalendarDate {
  let day = date
  for (let left = count; left > 0;) {
    day = addDays(day, 1)
    if (isBankingDay(day)) left -= 1
  }
  return day
}

/** Returns the banking day on which the bank accepts a file created at this time in New York: today until the cutoff, else the next one. */
export function processingDay(date: CalendarDate, time: string, cutoff: string): CalendarDate {
  return isBankingDay(date) && time <= cutoff ? date : bankingDaysAfter(date, 1)
}

/** Returns the day on which a file settles: this many banking days after the bank accepts it. */
export function effectiveDate(
  moment: { readonly date: CalendarDate; readonly time: string },
  { cutoff_time, lead_days }: { readonly cutoff_time: string; readonly lead_days: number },
): CalendarDate {
  return bankingDaysAfter(processingDay(moment.date, moment.time, cutoff_time), lead_days)
}

function isHoliday(date: CalendarDate): boolean {
  if (fixedHolidays.includes(date.slice(5))) return true
  const day = weekday(date)
  if (day === monday && fixedHolidays.includes(addDays(date, -1).slice(5))) return true
  const ofMonth = Number(date.slice(8))
  const month = date.slice(5, 7)
  if (month === '05' && day === monday) return ofMonth + 7 > Number(lastDayOf(date.slice(0, 7)).slice(8))
  return floatingHolidays.some(([of, on, nth]) => of === month && on === day && Math.ceil(ofMonth / 7) === nth)
}
