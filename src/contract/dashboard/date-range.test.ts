import { describe, expect, test } from 'vitest'
import {
  type DateRange,
  DEFAULT_DATE_RANGE,
  dateRanges,
  daysInWindow,
  monthCount,
  monthsOfWindow,
  windowOf,
  windowsOf,
} from './date-range.ts'

const asOf = '2026-11-21'

describe('windows', () => {
  test('[DASH-CONST-001] the five ranges, last_12_months by default', () => {
    expect([...dateRanges]).toEqual(['last_12_months', 'last_6_months', 'last_3_months', 'year_to_date', 'fiscal_year'])
    expect(DEFAULT_DATE_RANGE).toBe('last_12_months')
  })

  test.each([
    ['last_12_months', '2025-11-01', '2026-10-31'],
    ['last_6_months', '2026-05-01', '2026-10-31'],
    ['last_3_months', '2026-08-01', '2026-10-31'],
    ['year_to_date', '2026-01-01', '2026-10-31'],
  ] satisfies [DateRange, string, string][])(
    '%s on 21 November 2026 is %s to %s: whole months, the last complete one at the end',
    (range, from, to) => {
      expect(windowOf(range, asOf)).toMatchObject({ from, to })
    },
  )

  test('[DASH-CONST-002] fiscal_year is treated like 12 months', () => {
    expect(windowOf('fiscal_year', asOf)).toEqual(windowOf('last_12_months', asOf))
  })

  test('year to date in January is all of last year, in February it is January', () => {
    expect(windowOf('year_to_date', '2026-01-31')).toMatchObject({ from: '2025-01-01', to: '2025-12-31' })
    expect(windowOf('year_to_date', '2026-02-01')).toMatchObject({ from: '2026-01-01', to: '2026-01-31' })
  })

  test('the month of the day is never part of the window, not even on its last day', () => {
    expect(windowOf('last_3_months', '2026-10-31').to).toBe('2026-09-30')
    expect(windowOf('last_3_months', '2026-11-01').to).toBe('2026-10-31')
  })

  test('[DASH-CONST-003] comparing to last year shifts the window back 12 months', () => {
    expect(windowsOf('last_3_months', asOf, true).previous).toMatchObject({ from: '2025-08-01', to: '2025-10-31' })
    expect(windowsOf('year_to_date', asOf, true).previous).toMatchObject({ from: '2025-01-01', to: '2025-10-31' })
  })

  test('otherwise the window before is as many months just before', () => {
    expect(windowsOf('last_3_months', asOf, false).previous).toMatchObject({ from: '2026-05-01', to: '2026-07-31' })
    expect(windowsOf('year_to_date', asOf, false).previous).toMatchObject({ from: '2025-03-01', to: '2025-12-31' })
  })

  test('months and days of a window', () => {
    const window = windowOf('last_3_months', asOf)
    expect([monthsOfWindow(window), monthCount(window), daysInWindow(window)]).toEqual([['2026-08', '2026-09', '2026-10'], 3, 92])
  })
})
