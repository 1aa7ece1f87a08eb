import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import {
  addDays,
  addMonths,
  addToMonth,
  compareDates,
  dateOfDayNumber,
  dayNumber,
  daysBetween,
  daysInMonth,
  formatDate,
  formatMonth,
  isCalendarDate,
  lastDayOf,
  monthsBetween,
  monthsFrom,
  weekday,
} from './date.ts'
import { parseDate, parseMonth, whyNoDay } from './typed-date.ts'

const dayNumbers = fc.integer({ min: dayNumber('1900-01-01'), max: dayNumber('2199-12-31') })

describe('calendar arithmetic', () => {
  test('every day agrees with the calendar of the runtime, leap years of all kinds included', () => {
    fc.assert(
      fc.property(dayNumbers, (day) => {
        const reference = new Date(day * 86_400_000)
        expect(dateOfDayNumber(day)).toBe(reference.toISOString().slice(0, 10))
        expect(dayNumber(dateOfDayNumber(day))).toBe(day)
        expect(weekday(dateOfDayNumber(day))).toBe(reference.getUTCDay())
      }),
      { numRuns: propertyRuns },
    )
  })

  test('[SBILL-RULE-006] days between reads count the start and not the end', () => {
    expect([
      daysBetween('2026-09-12', '2026-10-14'),
      daysBetween('2026-03-01', '2026-03-01'),
      daysBetween('2026-03-02', '2026-03-01'),
    ]).toEqual([32, 0, -1])
  })

  test('a month later keeps the day or ends with the month', () => {
    expect([addMonths('2026-01-31', 1), addMonths('2024-01-31', 1), addMonths('2026-03-15', -12), addMonths('2026-12-31', 2)]).toEqual([
      '2026-02-28',
      '2024-02-29',
      '2025-03-15',
      '2027-02-28',
    ])
  })

  test('days are added across months and years', () => {
    expect([addDays('2026-12-31', 1), addDays('2026-03-01', -1), addDays('2026-11-21', 14)]).toEqual([
      '2027-01-01',
      '2026-02-28',
      '2026-12-05',
    ])
  })

  test('months count and range', () => {
    expect([addToMonth('2026-01', -1), addToMonth('2026-12', 1), addToMonth('2026-05', -17)]).toEqual(['2025-12', '2027-01', '2024-12'])
    expect([monthsBetween('2025-11', '2026-02'), daysInMonth('2000-02'), daysInMonth('1900-02'), lastDayOf('2026-04')]).toEqual([
      3,
      29,
      28,
      '2026-04-30',
    ])
    expect([monthsFrom('2025-12', '2026-02'), monthsFrom('2026-02', '2026-01')]).toEqual([['2025-12', '2026-01', '2026-02'], []])
  })

  test('the calendar begins with the year 1 and ends with 9999', () => {
    expect(['0000-12-31', '0001-01-01', '9999-12-31', '9999-12-32'].map(isCalendarDate)).toEqual([false, true, true, false])
    expect([daysInMonth('9999-12'), lastDayOf('9999-12')]).toEqual([31, '9999-12-31'])
  })

  test('only days that exist are dates', () => {
    expect(
      ['2026-02-28', '2024-02-29', '2026-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '0000-01-01', ''].map(isCalendarDate),
    ).toEqual([true, true, false, false, false, false, false, false])
    expect(compareDates('2026-01-02', '2026-01-10')).toBe(-1)
    expect(() => dayNumber('01/02/2026')).toThrow(RangeError)
  })
})

describe('typed dates', () => {
  test.each([
    ['MM/DD/YYYY', '04/12/2026'],
    ['MM/DD/YY', '04/12/26'],
    ['MM-DD-YYYY', '04-12-2026'],
    ['MM-DD-YY', '04-12-26'],
    ['MM.DD.YYYY', '04.12.2026'],
    ['MM.DD.YY', '04.12.26'],
    ['M-D-YY', '4-12-26'],
  ])('[BILL-RULE-004] %s is accepted', (_format, typed) => {
    expect(parseDate(typed, '2026-11-21')).toBe('2026-04-12')
  })

  test.each([['04/12/2026'], ['04-12-2026'], ['4/12/26']])('%s of the global batch is sent as YYYY-MM-DD', (typed) => {
    expect(parseDate(typed, '2026-11-21')).toBe('2026-04-12')
  })

  test.each([
    ['2026-04-12', '2026-04-12'],
    ['041226', '2026-04-12'],
    ['04122026', '2026-04-12'],
    ['0412', '2026-04-12'],
    ['4/12', '2026-04-12'],
    ['12/31', '2025-12-31'],
    ['11/21', '2026-11-21'],
    ['11/22', '2025-11-22'],
    ['1/1/69', '2069-01-01'],
    ['1/1/70', '1970-01-01'],
    ['1/1/99', '1999-01-01'],
    [' 1/2/26 ', '2026-01-02'],
  ])('%s means %s', (typed, date) => {
    expect(parseDate(typed, '2026-11-21')).toBe(date)
  })

  test.each(['', '13/01/2026', '2/30/2026', '2/29/26', '4/12-2026', '4/12/026', 'today', '1', '123', '00/10/2026', '2/30', '2/29', '0229'])(
    '%j is no date',
    (typed) => {
      expect(parseDate(typed, '2026-11-21')).toBeNull()
    },
  )

  test('a day without its year lies in the twelve months up to the last one it may mean, so that 2/29 never falls back on an earlier leap year', () => {
    expect(['2/29', '2/28', '3/1'].map((typed) => parseDate(typed, '2028-03-15'))).toEqual(['2028-02-29', '2028-02-28', '2028-03-01'])
    expect(['2/29', '0229'].map((typed) => parseDate(typed, '2027-09-08'))).toEqual([null, null])
    expect(whyNoDay('2/29', '2027-09-08')).toBe('There is no 02/29 in the year up to 09/08/2027: type its year too')
    expect([whyNoDay('2/30', '2027-09-08'), whyNoDay('1305', '2027-09-08')]).toEqual(['There is no 02/30', 'There is no 13/05'])
    expect(['2/28', '2/29/2024', '2/29/26', '', '2', 'x'].map((typed) => whyNoDay(typed, '2027-09-08'))).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ])
  })

  test('[LIST-CONST-007] dates show as MM/DD/YYYY and can be typed back', () => {
    expect([formatDate('2026-04-02'), formatDate(null), formatMonth('2026-04')]).toEqual(['04/02/2026', '', '04/2026'])
    fc.assert(
      fc.property(dayNumbers, (day) => parseDate(formatDate(dateOfDayNumber(day)), '2026-11-21') === dateOfDayNumber(day)),
      { numRuns: propertyRuns },
    )
  })

  test('months are typed with or without a zero', () => {
    expect(['4/2026', '04-26', '2026-04', '13/2026', ''].map(parseMonth)).toEqual(['2026-04', '2026-04', '2026-04', null, null])
  })
})
