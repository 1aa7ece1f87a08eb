import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import {
  calendarBases,
  type CalendarBasis,
  calendarize,
  type CalendarLine,
  closeOneDayGaps,
  daysInMask,
  monthDays,
  spreadOverDays,
} from './calendarize.ts'
import { addDays, dateOfDayNumber, dayNumber, daysBetween, monthOf } from '../kernel/date.ts'
import { decimalOfUnits, sumDecimals, unitsOf } from '../kernel/decimal.ts'

function lineOf(some: Partial<CalendarLine> = {}): CalendarLine {
  return {
    previous_read_date: '2026-09-12',
    read_date: '2026-10-14',
    bill_date: '2026-10-20',
    fiscal_month: null,
    cost: { utility: 32_000, supply: 0, other: 0 },
    standard_usage: '3200.000000',
    ...some,
  }
}

const cents = fc.integer({ min: -99_999_999, max: 99_999_999 })
const anyLine: fc.Arbitrary<CalendarLine> = fc
  .record({
    previous_read_date: fc.integer({ min: dayNumber('2015-01-01'), max: dayNumber('2030-12-31') }).map(dateOfDayNumber),
    days: fc.integer({ min: 1, max: 800 }),
    cost: fc.record({ utility: cents, supply: cents, other: cents }),
    standard_usage: fc.option(fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }).map((units) => decimalOfUnits(units, 6))),
  })
  .map(({ days, ...line }) => ({
    ...line,
    read_date: addDays(line.previous_read_date, days),
    bill_date: addDays(line.previous_read_date, days + 6),
    fiscal_month: null,
  }))

describe('prorated by day', () => {
  test('12 September to 14 October is 32 days: 19 in September and 13 in October', () => {
    expect(calendarize(lineOf())).toEqual([
      {
        month: '2026-09',
        days: 19,
        days_mask: (2 ** 19 - 1) * 2 ** 11,
        cost: 19_000,
        utility_cost: 19_000,
        supply_cost: 0,
        other_cost: 0,
        usage: '1900.000000',
      },
      {
        month: '2026-10',
        days: 13,
        days_mask: 2 ** 13 - 1,
        cost: 13_000,
        utility_cost: 13_000,
        supply_cost: 0,
        other_cost: 0,
        usage: '1300.000000',
      },
    ])
  })

  test('310.00 over 31 days is 10.00 a day (Envizi), read from 15 March to 15 April', () => {
    const months = calendarize(
      lineOf({ previous_read_date: '2026-03-15', read_date: '2026-04-15', cost: { utility: 31_000, supply: 0, other: 0 } }),
    )
    expect(months.map(({ month, days, cost }) => [month, days, cost])).toEqual([
      ['2026-03', 17, 17_000],
      ['2026-04', 14, 14_000],
    ])
  })

  test('a whole month that is read on the first covers no day of the next', () => {
    expect(monthDays('2026-02-01', '2026-03-01')).toEqual([{ month: '2026-02', days: 28, days_mask: 2 ** 28 - 1 }])
    expect(monthDays('2026-01-01', '2026-02-01')).toEqual([{ month: '2026-01', days: 31, days_mask: 2 ** 31 - 1 }])
  })

  test('a month gets the rounded sum so far minus what came before, so no cent is lost', () => {
    expect(spreadOverDays(100, [1, 1, 1])).toEqual([33, 34, 33])
    expect(spreadOverDays(-100, [1, 1, 1])).toEqual([-33, -34, -33])
    expect(spreadOverDays(1, [10, 10, 11])).toEqual([0, 1, 0])
    expect(() => spreadOverDays(1, [0])).toThrow(RangeError)
  })

  test('months sum to the line in every part, cover each day once, and follow each other', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const months = calendarize(line)
        for (const part of ['utility', 'supply', 'other'] as const)
          expect(months.reduce((sum, month) => sum + month[`${part}_cost`], 0)).toBe(line.cost[part])
        for (const month of months) expect(month.cost).toBe(month.utility_cost + month.supply_cost + month.other_cost)
        expect(months.reduce((sum, month) => sum + month.days, 0)).toBe(daysBetween(line.previous_read_date ?? '', line.read_date ?? ''))
        for (const month of months) expect(daysInMask(month.days_mask)).toBe(month.days)
        if (line.standard_usage === null) expect(months.every((month) => month.usage === null)).toBe(true)
        else expect(unitsOf(sumDecimals(months.map((month) => month.usage)), 6)).toBe(unitsOf(line.standard_usage, 6))
      }),
      { numRuns: propertyRuns },
    )
  })

  test('the mask names exactly the days of the period', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const days: string[] = []
        for (const { month, days_mask } of calendarize(line)) {
          for (let day = 1; day <= 31; day += 1)
            if (Math.floor(days_mask / 2 ** (day - 1)) % 2 === 1) days.push(`${month}-${String(day).padStart(2, '0')}`)
        }
        expect([days[0], days.at(-1)]).toEqual([line.previous_read_date, addDays(line.read_date ?? '', -1)])
      }),
      { numRuns: Math.min(propertyRuns, 5_000) },
    )
  })

  test('two lines that meet on a day do not count it twice', () => {
    const [first] = monthDays('2026-05-03', '2026-05-20')
    const [second] = monthDays('2026-05-20', '2026-05-31')
    expect((first?.days_mask ?? 0) & (second?.days_mask ?? 0)).toBe(0)
  })
})

describe('lines without days', () => {
  test.each([
    [null, '2026-10-14'],
    ['2026-09-12', null],
    ['2026-10-14', '2026-10-14'],
    ['2026-10-15', '2026-10-14'],
  ])('from %s to %s: all of it on the month of the bill, 0 days', (previous_read_date, read_date) => {
    expect(calendarize(lineOf({ previous_read_date, read_date, bill_date: '2026-11-02' }))).toEqual([
      { month: '2026-11', days: 0, days_mask: 0, cost: 32_000, utility_cost: 32_000, supply_cost: 0, other_cost: 0, usage: '3200.000000' },
    ])
  })
})

describe('the other bases', () => {
  test.each([
    ['majority_month', '2026-09'],
    ['start_date', '2026-09'],
    ['end_date', '2026-10'],
    ['bill_date', '2026-11'],
    ['fiscal_month', '2026-12'],
  ] satisfies [CalendarBasis, string][])('%s puts the whole line into %s and leaves the days where they are', (basis, month) => {
    const months = calendarize(lineOf({ bill_date: '2026-11-02', fiscal_month: '2026-12' }), basis)
    expect(months.filter((one) => one.cost !== 0)).toMatchObject([{ month, cost: 32_000, usage: '3200.000000' }])
    expect(months.filter((one) => one.days > 0).map((one) => [one.month, one.days])).toEqual([
      ['2026-09', 19],
      ['2026-10', 13],
    ])
  })

  test('without a fiscal month the bill date decides; a read on the first belongs to the month before', () => {
    expect(calendarize(lineOf({ bill_date: '2026-10-20' }), 'fiscal_month').find((month) => month.cost !== 0)?.month).toBe('2026-10')
    expect(calendarize(lineOf({ previous_read_date: '2026-09-01', read_date: '2026-10-01' }), 'end_date')).toMatchObject([
      { month: '2026-09', cost: 32_000 },
    ])
  })

  test('whatever the basis, the money is all there', () => {
    fc.assert(
      fc.property(anyLine, fc.constantFrom(...calendarBases), (line, basis) => {
        const months = calendarize(line, basis)
        expect(months.reduce((sum, month) => sum + month.cost, 0)).toBe(line.cost.utility + line.cost.supply + line.cost.other)
        expect(months.map((month) => month.month)).toEqual([...new Set(months.map((month) => month.month))].toSorted())
      }),
      { numRuns: propertyRuns },
    )
  })
})

describe('inclusive dates', () => {
  test('a gap of exactly one day is closed by moving the end; larger gaps and overlaps stay', () => {
    const lines = [
      { previous_read_date: '2026-10-01', read_date: '2026-10-31' },
      { previous_read_date: '2026-11-01', read_date: '2026-11-30' },
      { previous_read_date: '2026-12-02', read_date: '2026-12-31' },
    ]
    expect(closeOneDayGaps(lines.toReversed()).map((line) => line.read_date)).toEqual(['2026-11-01', '2026-11-30', '2026-12-31'])
    expect(monthOf('2026-11-30')).toBe('2026-11')
  })
})
