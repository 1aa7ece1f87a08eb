import { afterEach, describe, expect, test } from 'vitest'
import { dayOf, now, setClock, today } from './clock.ts'

afterEach(() => setClock())

describe('today is the calendar day of New York', () => {
  test.each([
    ['2026-07-01T03:59:59.999Z', '2026-06-30', 'summer midnight is 04:00 UTC'],
    ['2026-07-01T04:00:00.000Z', '2026-07-01', 'summer midnight is 04:00 UTC'],
    ['2026-01-01T04:59:59.999Z', '2025-12-31', 'winter midnight is 05:00 UTC'],
    ['2026-01-01T05:00:00.000Z', '2026-01-01', 'winter midnight is 05:00 UTC'],
    ['2026-03-08T04:59:59.000Z', '2026-03-07', 'the day that loses an hour begins in winter time'],
    ['2026-03-08T06:59:59.000Z', '2026-03-08', '01:59:59 before the jump to 03:00'],
    ['2026-03-09T03:59:59.000Z', '2026-03-08', 'and ends in summer time, 23 hours later'],
    ['2026-03-09T04:00:00.000Z', '2026-03-09', 'and ends in summer time, 23 hours later'],
    ['2026-11-01T04:00:00.000Z', '2026-11-01', 'the day that gains an hour begins in summer time'],
    ['2026-11-02T04:59:59.000Z', '2026-11-01', 'and ends in winter time, 25 hours later'],
    ['2026-11-02T05:00:00.000Z', '2026-11-02', 'and ends in winter time, 25 hours later'],
    ['2028-02-29T12:00:00.000Z', '2028-02-29', 'a leap day'],
  ])('%s is %s: %s', (instant, day) => {
    setClock(instant)
    expect(today()).toBe(day)
    expect(dayOf(new Date(instant))).toBe(day)
  })
})

test('the clock can stand still, follow a function, and go back to the system’s time', () => {
  setClock('2026-02-03T04:05:06.007Z')
  expect(now().toISOString()).toBe('2026-02-03T04:05:06.007Z')
  let seconds = 0
  setClock(() => new Date(1_000 * (seconds += 1)))
  expect([now().getTime(), now().getTime()]).toEqual([1_000, 2_000])
  setClock()
  expect(Math.abs(now().getTime() - Date.now())).toBeLessThan(1_000)
})

test('an instant handed out is the caller’s own: changing it does not change the clock', () => {
  setClock(new Date('2026-02-03T00:00:00Z'))
  now().setFullYear(1999)
  expect(now().getUTCFullYear()).toBe(2026)
})
