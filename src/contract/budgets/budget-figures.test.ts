import { expect, test } from 'vitest'
import {
  fiscalYearOf,
  forecastOf,
  isComplete,
  shareOf,
  together,
  yearRatio,
  type BilledMonth,
  type PlannedMonth,
} from './budget-figures.ts'

const billed = (actual: number, more: Partial<BilledMonth> = {}): BilledMonth => ({
  actual,
  covered: 30,
  expected: 30,
  billed: true,
  open: true,
  whole: true,
  complete: true,
  ...more,
})
const open = billed(0, { covered: 0, billed: false, complete: false })
const month = (now: BilledMonth, before: BilledMonth, budget: number | null = null): PlannedMonth => ({
  month: '2026-05',
  budget,
  now,
  before,
})

test('a fiscal year is the one that the day lies in', () => {
  expect([
    fiscalYearOf('2026-11-27', 1),
    fiscalYearOf('2026-11-27', 7),
    fiscalYearOf('2026-06-30', 7),
    fiscalYearOf('2026-12-01', 12),
  ]).toEqual(['2026-01', '2026-07', '2025-07', '2026-12'])
})

test('a month is complete when it is over and all days of its meters are billed; without meters when a later month is billed', () => {
  const known = { ...billed(1), over: true, passed: true }
  expect(isComplete(known)).toBe(true)
  expect(isComplete({ ...known, over: false })).toBe(false)
  expect(isComplete({ ...known, covered: 29 })).toBe(false)
  const bare = { ...known, covered: 0, expected: 0 }
  expect([isComplete(bare), isComplete({ ...bare, passed: false }), isComplete({ ...bare, billed: false })]).toEqual([true, false, false])
  expect(isComplete({ ...bare, billed: false, open: false })).toBe(true)
})

test('a group is complete by its own bill or by all of its subaccounts, and is never both sums', () => {
  const part = billed(100)
  expect(together(open, [part, part])).toMatchObject({ actual: 200, complete: true })
  expect(together(open, [part, open])).toMatchObject({ actual: 100, complete: false })
  expect(together(billed(250), [open, open])).toMatchObject({ actual: 250, complete: true })
  expect(together(open, []).complete).toBe(false)
})

test('the forecast: the actual, else last year scaled from three shared months on, else the budget, never less than what is billed', () => {
  const shared = [100, 200, 300].map((cents) => month(billed(cents * 2), billed(cents)))
  const ratio = yearRatio(shared)
  expect(ratio).toEqual({ now: 1200, before: 600 })
  expect(yearRatio(shared.slice(0, 2))).toBeNull()
  expect(forecastOf(month(billed(7), billed(9), 5), ratio)).toEqual({ cents: 7, basis: 'actual' })
  expect(forecastOf(month(open, billed(150), 5), ratio)).toEqual({ cents: 300, basis: 'last_year_scaled' })
  expect(forecastOf(month(open, billed(150), 5), null)).toEqual({ cents: 150, basis: 'last_year' })
  expect(forecastOf(month(open, billed(150, { whole: false }), 5), ratio)).toEqual({ cents: 5, basis: 'budget' })
  expect(forecastOf(month(open, open, 5), ratio)).toEqual({ cents: 5, basis: 'budget' })
  expect(forecastOf(month({ ...open, actual: 9, billed: true }, open, 5), ratio)).toEqual({ cents: 9, basis: 'budget' })
  expect(forecastOf(month(open, open), ratio)).toEqual({ cents: null, basis: null })
  expect(forecastOf(month({ ...open, open: false }, billed(150), 5), ratio)).toEqual({ cents: 0, basis: 'closed' })
})

test('shares are rounded half away from zero, exactly beyond the safe whole numbers', () => {
  expect([shareOf(1, 1, 2), shareOf(-1, 1, 2), shareOf(10, 1, 3), shareOf(900_000_000_000, 10_300, 10_000)]).toEqual([
    1, -1, 3, 927_000_000_000,
  ])
})
