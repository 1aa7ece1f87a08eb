import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { addDays } from '../kernel/date.ts'
import { zoneNamed } from '../kernel/zone.ts'
import { datesOn } from './report-dates.ts'
import { nextDue, scheduleText, type ScheduleTimes } from './schedule-times.ts'

const daily: ScheduleTimes = { frequency: 'daily', weekday: 1, month_rule: 'day', month_day: 1, hour: 6, zone: 'America/New_York' }
const dues = (times: Partial<ScheduleTimes>, after: string, count: number): string[] => {
  const found: string[] = []
  for (let at = new Date(after); found.length < count; at = new Date(found.at(-1) ?? at)) found.push(nextDue({ ...daily, ...times }, at))
  return found
}

describe('a scheduled report is due', () => {
  test('every day at its hour in its own zone, and strictly after the last time', () => {
    expect(dues({}, '2026-06-01T10:00:00Z', 2)).toEqual(['2026-06-02T10:00:00.000Z', '2026-06-03T10:00:00.000Z'])
    expect(dues({ zone: 'Asia/Tokyo' }, '2026-06-01T10:00:00Z', 1)).toEqual(['2026-06-01T21:00:00.000Z'])
  })

  test('at the next hour where the clocks skip its hour, and once where they show it twice', () => {
    expect(dues({ hour: 2 }, '2026-03-07T08:00:00Z', 2)).toEqual(['2026-03-08T07:00:00.000Z', '2026-03-09T06:00:00.000Z'])
    expect(dues({ hour: 1 }, '2026-10-31T06:00:00Z', 2)).toEqual(['2026-11-01T05:00:00.000Z', '2026-11-02T06:00:00.000Z'])
    // Half an hour is skipped there, so that two o'clock does not exist.
    expect(dues({ hour: 2, zone: 'Australia/Lord_Howe' }, '2026-10-03T00:00:00Z', 1)).toEqual(['2026-10-03T16:00:00.000Z'])
  })

  test('on its weekday; on a day of the month, or on the last one of a shorter month', () => {
    expect(dues({ frequency: 'weekly', weekday: 0 }, '2026-06-01T00:00:00Z', 2)).toEqual([
      '2026-06-07T10:00:00.000Z',
      '2026-06-14T10:00:00.000Z',
    ])
    const days = (times: Partial<ScheduleTimes>, count = 3) =>
      dues({ frequency: 'monthly', ...times }, '2027-01-15T00:00:00Z', count).map((due) => due.slice(0, 10))
    expect(days({ month_day: 31 })).toEqual(['2027-01-31', '2027-02-28', '2027-03-31'])
    expect(days({ month_rule: 'last_day' })).toEqual(['2027-01-31', '2027-02-28', '2027-03-31'])
    // January 29 and February 26 are Fridays; May 31 is Memorial Day.
    expect(days({ month_rule: 'last_business_day' }, 5)).toEqual(['2027-01-29', '2027-02-26', '2027-03-31', '2027-04-30', '2027-05-28'])
    expect(days({ month_rule: 'first_business_day' }, 3)).toEqual(['2027-02-01', '2027-03-01', '2027-04-01'])
    expect(dues({ frequency: 'monthly', month_rule: 'first_business_day' }, '2026-12-15T00:00:00Z', 1)[0]).toContain('2027-01-04')
  })

  test('by what the clocks of the zone show, in every zone and every night of a change', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    const day = fc.integer({ min: 0, max: 5_000 }).map((days) => addDays('2018-01-01', days))
    fc.assert(
      fc.property(fc.constantFrom(...zones), day, fc.integer({ min: 0, max: 23 }), (zone, date, hour) => {
        const change = nightOfChange(zone, date)
        for (const on of change === null ? [date] : [date, change, addDays(change, -1)]) {
          const from = new Date(firstShown(zone, on, hour) - 1)
          expect(nextDue({ ...daily, zone, hour }, from)).toBe(new Date(firstShown(zone, on, hour)).toISOString())
        }
      }),
      { numRuns: Math.ceil(propertyRuns / 4) },
    )
  })
})

const formats = new Map<string, Intl.DateTimeFormat>()
/** The time on the clocks, by Intl alone: 'YYYY-MM-DD HH:MM'. */
function shown(zone: string, at: number): string {
  const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'short' } as const
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', options)
  formats.set(zone, format)
  return format.format(at)
}

const quarter = 900_000
/** The first quarter of an hour at which the clocks show this full hour or, where they never do, the next full hour that they show. */
function firstShown(zone: string, date: string, hour: number): number {
  const start = Date.parse(`${date}T00:00:00Z`) - 15 * 3_600_000
  for (let hours = hour; ; hours += 1) {
    const wanted = `${addDays(date, Math.floor(hours / 24))} ${String(hours % 24).padStart(2, '0')}:00`
    for (let at = start; at < start + 60 * 3_600_000; at += quarter) if (shown(zone, at) === wanted) return at
  }
}

/** The first day from this one on that has not 24 hours, within half a year. */
function nightOfChange(zone: string, from: string): string | null {
  const offset = (day: string): string => {
    const noon = Date.parse(`${day}T12:00:00Z`)
    return shown(zone, noon).slice(11)
  }
  for (let days = 1, before = offset(from); days < 190; days += 1) {
    const day = addDays(from, days)
    if (offset(day) !== before) return day
  }
  return null
}

test('the dates of a report follow the day of its run', () => {
  const none = { from: null, to: null }
  const on = (choice: Parameters<typeof datesOn>[0], day: string) => Object.values(datesOn(choice, day, none)).join(' ')
  expect(on('yesterday', '2027-03-01')).toBe('2027-02-28 2027-02-28')
  expect(on('last_7_days', '2027-01-03')).toBe('2026-12-27 2027-01-02')
  expect(on('last_week', '2026-11-25')).toBe('2026-11-16 2026-11-22')
  expect(on('last_week', '2026-11-22')).toBe('2026-11-09 2026-11-15')
  expect(on('month_to_date', '2026-11-25')).toBe('2026-11-01 2026-11-25')
  expect(on('last_month', '2028-03-31')).toBe('2028-02-01 2028-02-29')
  expect(on('last_3_months', '2027-01-04')).toBe('2026-10-01 2026-12-31')
  expect(on('last_quarter', '2027-02-28')).toBe('2026-10-01 2026-12-31')
  expect(on('last_quarter', '2026-11-25')).toBe('2026-07-01 2026-09-30')
  expect(on('last_12_months', '2026-11-25')).toBe('2025-11-01 2026-10-31')
  expect(on('year_to_date', '2026-11-25')).toBe('2026-01-01 2026-11-25')
  expect(on('last_year', '2026-11-25')).toBe('2025-01-01 2025-12-31')
  expect(datesOn('as_chosen', '2026-11-25', { from: '2024-01-01', to: null })).toEqual({ from: '2024-01-01', to: null })
})

test('a zone is a name of the IANA list, in its usual spelling', () => {
  expect(zoneNamed('america/new_york')).toBe('America/New_York')
  for (const wrong of ['', '+05:00', 'New York', 'Mars/Olympus', '../etc']) expect(zoneNamed(wrong)).toBeNull()
})

test('a schedule is said in one line', () => {
  expect(scheduleText(daily)).toBe('Every day, 6:00 AM America/New_York')
  expect(scheduleText({ ...daily, frequency: 'weekly', weekday: 5, hour: 18 })).toBe('Every week on Friday, 6:00 PM America/New_York')
  expect(scheduleText({ ...daily, frequency: 'monthly', month_rule: 'last_business_day' })).toBe(
    'Every month on the last business day, 6:00 AM America/New_York',
  )
})
