import { describe, expect, test } from 'vitest'
import { isCalendarDate } from '#contract/kernel/date.ts'
import { dateRanges } from './date-ranges.ts'

const named = (today: string) => new Map(dateRanges(today).map(({ label, from, to }) => [label, [from, to]]))

describe('the ranges of a date filter', () => {
  test('include both days, and count a week as seven', () => {
    const ranges = named('2026-11-27')
    expect(ranges.get('Today')).toEqual(['2026-11-27', '2026-11-27'])
    expect(ranges.get('Last 7 days')).toEqual(['2026-11-21', '2026-11-27'])
    expect(ranges.get('Next 30 days')).toEqual(['2026-11-27', '2026-12-26'])
    expect(ranges.get('Before today')).toEqual(['', '2026-11-26'])
  })

  test('know the lengths of months and the turn of the year', () => {
    expect(named('2028-03-31').get('Last month')).toEqual(['2028-02-01', '2028-02-29'])
    expect(named('2027-01-05').get('Last month')).toEqual(['2026-12-01', '2026-12-31'])
    expect(named('2027-01-05').get('Last year')).toEqual(['2026-01-01', '2026-12-31'])
    expect(named('2026-12-31').get('This month')).toEqual(['2026-12-01', '2026-12-31'])
  })

  test('are days of the calendar in order, on any day of a leap year', () => {
    for (let day = 0; day < 366; day++) {
      const today = new Date(Date.UTC(2028, 0, 1 + day)).toISOString().slice(0, 10)
      for (const { label, from, to } of dateRanges(today)) {
        expect(isCalendarDate(to), `${label} on ${today}`).toBe(true)
        expect(from === '' || (isCalendarDate(from) && from <= to), `${label} on ${today}`).toBe(true)
      }
    }
  })
})
