/** The degree days of one station, looked up by days. Pure; all amounts are whole hundredths of a degree day. */
import { dateOfDayNumber, dayNumber, daysInMonth, firstDayOf, monthOf, type CalendarDate, type CalendarMonth } from '../kernel/date.ts'
import { unitsOf } from '../kernel/decimal.ts'

/** A stored row: of a day (YYYY-MM-DD), or of a month (YYYY-MM). */
export interface StoredDegreeDays {
  readonly period: string
  readonly heating: string
  readonly cooling: string
}

export interface DegreeDays {
  readonly heating: number
  readonly cooling: number
}

export interface DegreeDayBook {
  readonly isEmpty: boolean
  /** The calendar years of which every day is stored. */
  readonly years: readonly number[]
  /** The degree days of [from, to); null where a day is not stored. */
  readonly between: (from: CalendarDate, to: CalendarDate) => DegreeDays | null
  /** The degree days of the days of a month that the mask names, bit 0 being the first; null where a day is not stored. */
  readonly ofMask: (month: CalendarMonth, mask: number) => DegreeDays | null
  /** The degree days that so many days of this month have on average over the stored years; null where no year is stored whole. */
  readonly normal: (month: CalendarMonth, days: number) => DegreeDays | null
}

export function degreeDayBook(rows: readonly StoredDegreeDays[]): DegreeDayBook {
  const byDay = daysOf(rows)
  const years = wholeYears(byDay)
  const normals = normalMonths(byDay, years)
  return {
    isEmpty: byDay.size === 0,
    years,
    between: (from, to) => sumOf(byDay, numbersFrom(dayNumber(from), dayNumber(to))),
    ofMask: (month, mask) => {
      const first = dayNumber(firstDayOf(month))
      const covered = numbersFrom(first, first + daysInMonth(month)).filter((day) => (mask & (1 << (day - first))) !== 0)
      return sumOf(byDay, covered)
    },
    normal: (month, days) => {
      const sums = normals.get(month.slice(5))
      if (!sums || sums.days === 0) return null
      return { heating: Math.round((sums.heating * days) / sums.days), cooling: Math.round((sums.cooling * days) / sums.days) }
    },
  }
}

const HUNDREDTHS = 2
const isOfDay = ({ period }: StoredDegreeDays): boolean => period.length > 'YYYY-MM'.length

/** Months are spread evenly over their days, and a day's own row goes before the part of its month. */
function daysOf(rows: readonly StoredDegreeDays[]): Map<number, DegreeDays> {
  const byDay = new Map<number, DegreeDays>()
  for (const { period, heating, cooling } of rows.filter((row) => !isOfDay(row))) {
    const [first, count] = [dayNumber(firstDayOf(period)), daysInMonth(period)]
    const [hot, cold] = [spread(cooling, count), spread(heating, count)]
    for (let day = 0; day < count; day += 1) byDay.set(first + day, { heating: cold[day] ?? 0, cooling: hot[day] ?? 0 })
  }
  for (const { period, heating, cooling } of rows.filter(isOfDay))
    byDay.set(dayNumber(period), { heating: hundredths(heating), cooling: hundredths(cooling) })
  return byDay
}

/** Cumulative rounding, so that the days add up to the month. */
function spread(value: string, count: number): number[] {
  const whole = hundredths(value)
  const upTo = (days: number) => Math.round((whole * days) / count)
  return Array.from({ length: count }, (_, day) => upTo(day + 1) - upTo(day))
}

function hundredths(value: string): number {
  return Number(unitsOf(value, HUNDREDTHS))
}

function sumOf(byDay: ReadonlyMap<number, DegreeDays>, days: readonly number[]): DegreeDays | null {
  let [heating, cooling] = [0, 0]
  for (const day of days) {
    const found = byDay.get(day)
    if (!found) return null
    heating += found.heating
    cooling += found.cooling
  }
  return { heating, cooling }
}

function numbersFrom(first: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, place) => first + place)
}

function wholeYears(byDay: ReadonlyMap<number, DegreeDays>): number[] {
  const stored = Map.groupBy(byDay.keys(), yearOf)
  return [...stored]
    .filter(([year, days]) => days.length === dayNumber(`${year + 1}-01-01`) - dayNumber(`${year}-01-01`))
    .map(([year]) => year)
    .toSorted((a, b) => a - b)
}

/** The sums of each calendar month over the whole years, by its two digits. */
function normalMonths(byDay: ReadonlyMap<number, DegreeDays>, years: readonly number[]): Map<string, DegreeDays & { days: number }> {
  const kept = new Set(years)
  const months = Map.groupBy(
    [...byDay].filter(([day]) => kept.has(yearOf(day))),
    ([day]) => monthOf(dateOfDayNumber(day)).slice(5),
  )
  return new Map(
    [...months].map(([month, days]) => {
      const sum = (key: keyof DegreeDays) => days.reduce((total, [, one]) => total + one[key], 0)
      return [month, { heating: sum('heating'), cooling: sum('cooling'), days: days.length }]
    }),
  )
}

function yearOf(day: number): number {
  return Number(dateOfDayNumber(day).slice(0, 4))
}
