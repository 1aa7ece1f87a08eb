import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { addDays, daysBetween, monthsFrom } from '../kernel/date.ts'
import { degreeDayBook } from './degree-day-book.ts'

const monthly = (year: number, heating: string, cooling = '0') =>
  monthsFrom(`${year}-01`, `${year}-12`).map((period) => ({ period, heating, cooling }))

test('a month is spread over its days so that they add up to it, and a day of its own takes no part of its month', () => {
  fc.assert(
    fc.property(fc.nat(300_000), (hundredths) => {
      const book = degreeDayBook([{ period: '2025-01', heating: (hundredths / 100).toFixed(2), cooling: '0' }])
      const days = Array.from({ length: 31 }, (_, place) => addDays('2025-01-01', place))
      const each = days.map((day) => book.between(day, addDays(day, 1))?.heating ?? -1)
      expect(each.reduce((sum, one) => sum + one, 0)).toBe(hundredths)
      expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(1)
      expect(book.between('2025-01-01', '2025-02-01')).toEqual({ heating: hundredths, cooling: 0 })
    }),
    { numRuns: propertyRuns },
  )
  const both = degreeDayBook([
    { period: '2025-01', heating: '31', cooling: '0' },
    { period: '2025-01-02', heating: '9.5', cooling: '2' },
  ])
  expect(both.between('2025-01-01', '2025-01-04')).toEqual({ heating: 1_150, cooling: 200 })
})

test('days that are not all stored have no degree days; the end of a period does not count', () => {
  const book = degreeDayBook([
    { period: '2025-01-01', heating: '10', cooling: '0' },
    { period: '2025-01-02', heating: '20', cooling: '1.25' },
  ])
  expect(book.between('2025-01-01', '2025-01-03')).toEqual({ heating: 3_000, cooling: 125 })
  expect(book.between('2025-01-01', '2025-01-04')).toBe(null)
  expect(book.between('2024-12-31', '2025-01-02')).toBe(null)
  expect(book.ofMask('2025-01', 0b10)).toEqual({ heating: 2_000, cooling: 125 })
  expect(book.ofMask('2025-01', 0b100)).toBe(null)
  expect(degreeDayBook([]).isEmpty).toBe(true)
})

test('the normal year is the mean of the years that are stored whole, day for day, leap years too', () => {
  const book = degreeDayBook([...monthly(2023, '280'), ...monthly(2024, '580'), ...monthly(2025, '9000').slice(0, 11)])
  expect(book.years).toEqual([2023, 2024])
  // February: 280 of 28 days and 580 of 29 days are 860 of 57 days.
  expect(book.normal('2025-02', 28)?.heating).toBe(Math.round((86_000 * 28) / 57))
  expect(book.normal('2025-01', 31)?.heating).toBe(43_000)
  expect(book.normal('2025-01', 10)?.heating).toBe(Math.round(430_000 / 31))
  expect(degreeDayBook(monthly(2025, '1').slice(1)).normal('2025-06', 30)).toBe(null)
  const daily = Array.from({ length: daysBetween('2024-01-01', '2025-01-01') }, (_, place) => ({
    period: addDays('2024-01-01', place),
    heating: '1',
    cooling: '0.5',
  }))
  expect(degreeDayBook(daily).years).toEqual([2024])
  expect(degreeDayBook(daily.slice(0, -1)).years).toEqual([])
})
