/** Tests the rule of the expected-bill calendar: by examples that can be counted by hand, and over random histories. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { billCalendar, calendarMonthsAt, calendarSince } from './calendar-rule.ts'
import type { CalendarAccount, CalendarBill } from './calendar-months.ts'
import { addDays, addMonths, daysBetween, firstDayOf, monthOf } from '../kernel/date.ts'

const today = '2026-11-21'
const account: CalendarAccount = {
  active: true,
  effective_from: null,
  effective_to: null,
  billing_period: 2,
  billing_cycle: 30,
  created_on: '2024-01-01',
  billed_before: false,
}
const bill = (from: string, to: string, wait = 5): CalendarBill => ({
  date: addDays(to, 2),
  previous_read_date: from,
  read_date: to,
  received_on: addDays(to, wait),
})
/** Returns consecutive bills, each beginning where the previous one ended. */
const chain = (...days: readonly string[]): CalendarBill[] => days.slice(1).map((day, at) => bill(days[at] ?? '', day))
/** Reads on the same day of each month. */
const monthly = (first: string, count: number): string[] => Array.from({ length: count + 1 }, (_, at) => addMonths(first, at))
const statesOf = (bills: readonly CalendarBill[], changes: Partial<CalendarAccount> = {}, day = today) =>
  billCalendar({ ...account, ...changes }, bills, day)
    .map(({ month, state }) => (state === 'billed' ? '' : `${month} ${state}`))
    .filter(Boolean)

describe('the months of an account', () => {
  it('are the last thirteen, the present one last', () => {
    const months = calendarMonthsAt(today)
    expect([months.length, months[0], months.at(-1)]).toEqual([13, '2025-11', '2026-11'])
    expect(calendarSince(today)).toBe('2025-05-01')
  })

  it('are billed while bills follow one another, whatever day the meter is read on', () => {
    for (const first of ['2025-09-01', '2025-09-15', '2025-09-28', '2025-08-31'])
      expect(statesOf(chain(...monthly(first, 15))), first).toEqual([])
  })

  it('wait for the bill of this month, which is not due yet', () => {
    const bills = chain(...monthly('2025-09-11', 14))
    expect(bills.at(-1)?.read_date).toBe('2026-11-11')
    const cells = billCalendar(account, bills, today)
    // 30 or 31 days after the last read, and 5 until it arrives.
    expect(cells.at(-1)).toMatchObject({ month: '2026-11', state: 'expected', expected_on: '2026-12-17' })
  })

  it('are late from the day after the bill should be there, and missing after thirty more', () => {
    const bills = chain(...monthly('2025-09-11', 13))
    const stateOn = (day: string) => billCalendar(account, bills, day).find(({ month }) => month === '2026-10')
    expect(bills.at(-1)?.read_date).toBe('2026-10-11')
    const due = stateOn(today)?.expected_on ?? ''
    expect(due).toBe('2026-11-16')
    expect(stateOn(due)?.state).toBe('expected')
    expect(stateOn(addDays(due, 1))?.state).toBe('late')
    expect(stateOn(addDays(due, 30))?.state).toBe('late')
    expect(stateOn(addDays(due, 31))?.state).toBe('missing')
  })

  it('show one bill that never came between others', () => {
    const days = monthly('2025-09-05', 14)
    const bills = chain(...days).filter(({ read_date }) => read_date !== '2026-03-05')
    expect(statesOf(bills)).toEqual(['2026-02 missing', '2026-11 expected'])
  })

  it('do not miss a bill that two months share evenly', () => {
    const bills = [
      ...chain(...monthly('2025-09-16', 10)).filter(({ read_date }) => (read_date ?? '') <= '2026-07-16'),
      ...chain('2026-08-15', '2026-09-16', '2026-10-16', '2026-11-16', '2026-12-16'),
    ]
    expect(statesOf(bills).length).toBeGreaterThan(0)
    expect(statesOf(bills).every((cell) => /^2026-0[78] missing$/.test(cell))).toBe(true)
  })

  it('expect nothing before the account came into force, after it ended, and while it is inactive', () => {
    const bills = chain(...monthly('2026-05-01', 6))
    expect(statesOf(bills).filter((cell) => cell.endsWith('none'))).toHaveLength(6)
    expect(statesOf(bills, { effective_from: '2026-03-01' })).toContain('2026-03 missing')
    expect(statesOf(bills, { effective_from: '2026-03-01' })).not.toContain('2026-02 missing')
    expect(statesOf(chain(...monthly('2025-09-01', 9)), { effective_to: '2026-05-31' })).toEqual(
      ['06', '07', '08', '09', '10', '11'].map((month) => `2026-${month} none`),
    )
    expect(statesOf([], { active: false, effective_from: '2020-01-01' })).toEqual(calendarMonthsAt(today).map((month) => `${month} none`))
  })

  it('wait for the first bill of a new account from the day on which it was entered', () => {
    const cells = billCalendar({ ...account, created_on: '2026-09-10' }, [], today)
    expect(cells.slice(-4).map(({ state, expected_on }) => [state, expected_on])).toEqual([
      ['none', null],
      ['missing', '2026-10-17'],
      ['late', '2026-11-16'],
      ['expected', '2026-12-16'],
    ])
  })

  it('follow the rhythm that the account has: quarters, weeks, and what its bills say', () => {
    const quarters = chain('2025-09-01', '2025-12-01', '2026-03-01', '2026-06-01', '2026-09-01')
    expect(statesOf(quarters, { billing_period: 3 })).toEqual(['2026-09 expected', '2026-10 expected', '2026-11 expected'])
    // The account says monthly; four quarterly bills show otherwise.
    expect(statesOf(quarters)).toEqual(['2026-09 expected', '2026-10 expected', '2026-11 expected'])
    const weeks = Array.from({ length: 62 }, (_, at) => addDays('2025-09-15', at * 7))
    const one = chain(...weeks).filter(({ read_date }) => read_date !== '2026-06-22')
    expect(statesOf(one, { billing_period: 0 })).toContain('2026-06 missing')
  })

  it('take a bill without reads for the days before its date', () => {
    const undated = monthly('2025-10-28', 13).map((date): CalendarBill => ({
      date,
      previous_read_date: null,
      read_date: null,
      received_on: date,
    }))
    expect(statesOf(undated)).toEqual([])
    expect(statesOf(undated.filter(({ date }) => date !== '2026-04-28'))).toEqual(['2026-04 missing'])
  })

  it('show a bill in the month in which most of it lies', () => {
    const cells = billCalendar(account, chain(...monthly('2025-09-20', 14)), today)
    const january = cells.find(({ month }) => month === '2026-01')
    expect(january?.bills.map(({ read_date }) => read_date)).toEqual(['2026-01-20'])
  })
})

const day = fc.integer({ min: 0, max: 620 }).map((days) => addDays('2025-03-01', days))
const randomBill = fc
  .tuple(day, fc.integer({ min: -5, max: 120 }), fc.integer({ min: 0, max: 90 }), fc.boolean())
  .map(([from, length, wait, hasReads]): CalendarBill => ({
    date: addDays(from, Math.max(length, 0) + 3),
    previous_read_date: hasReads ? from : null,
    read_date: hasReads ? addDays(from, length) : null,
    received_on: addDays(from, Math.max(length, 0) + wait),
  }))
const randomAccount = fc.record<CalendarAccount>({
  active: fc.boolean(),
  effective_from: fc.option(day),
  effective_to: fc.option(day),
  billing_period: fc.option(fc.constantFrom(0, 1, 2, 3)),
  billing_cycle: fc.integer({ min: 1, max: 120 }),
  created_on: day,
  billed_before: fc.boolean(),
})
const history = fc.array(randomBill, { maxLength: 30 })

describe('over random histories', () => {
  it('a month that waits has a day on which its bill should be there, and its state follows from that day', () => {
    fc.assert(
      fc.property(randomAccount, history, (of, bills) => {
        for (const { month, state, expected_on } of billCalendar(of, bills, today)) {
          expect(expected_on === null).toBe(state === 'billed' || state === 'none')
          if (expected_on === null) continue
          const behind = daysBetween(expected_on, today)
          expect(state).toBe(behind <= 0 ? 'expected' : behind <= 30 ? 'late' : 'missing')
          expect(of.active).toBe(true)
          expect(expected_on > firstDayOf(month)).toBe(true)
          if (of.effective_to !== null) expect(month <= monthOf(of.effective_to)).toBe(true)
          if (of.effective_from !== null) expect(month >= monthOf(of.effective_from)).toBe(true)
        }
      }),
      { numRuns: propertyRuns },
    )
  })

  it('the order in which bills are given does not matter, and a bill for the whole time leaves nothing open', () => {
    fc.assert(
      fc.property(randomAccount, history, (of, bills) => {
        const cells = (given: readonly CalendarBill[]) =>
          billCalendar(of, given, today).map(({ month, state, expected_on }) => ({ month, state, expected_on }))
        expect(cells(bills.toReversed())).toEqual(cells(bills))
        const whole = [bill('2025-10-20', '2026-07-20'), bill('2026-07-20', '2026-12-20')]
        expect(cells([...bills, ...whole]).every(({ expected_on }) => expected_on === null)).toBe(true)
      }),
      { numRuns: propertyRuns },
    )
  })

  it('every bill whose days lie in these months is shown in at least one of them', () => {
    fc.assert(
      fc.property(randomAccount, fc.array(day, { minLength: 1, maxLength: 12 }), (of, days) => {
        const bills = days.filter((from) => from >= '2025-12-01' && from <= '2026-10-01').map((from) => bill(from, addDays(from, 30)))
        const shown = new Set(billCalendar(of, bills, today).flatMap((cell) => cell.bills))
        expect(bills.filter((one) => !shown.has(one))).toEqual([])
      }),
      { numRuns: propertyRuns },
    )
  })
})
