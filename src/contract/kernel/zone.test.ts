import { describe, expect, test } from 'vitest'
import { endOfDayIn, formatClock, formatInstant, formatTime, NEW_YORK, startOfDayIn, todayIn, wallTimeIn } from './zone.ts'

describe('New York wall time', () => {
  test.each([
    ['2026-07-01T12:00:00Z', '2026-07-01', '08:00:00'],
    ['2026-01-15T12:00:00Z', '2026-01-15', '07:00:00'],
    ['2026-03-08T06:59:59Z', '2026-03-08', '01:59:59'],
    ['2026-03-08T07:00:00Z', '2026-03-08', '03:00:00'],
    ['2026-11-01T05:59:59Z', '2026-11-01', '01:59:59'],
    ['2026-11-01T06:00:00Z', '2026-11-01', '01:00:00'],
    ['2026-11-01T07:00:00Z', '2026-11-01', '02:00:00'],
    ['2026-12-01T04:59:59Z', '2026-11-30', '23:59:59'],
    ['2026-12-01T05:00:00Z', '2026-12-01', '00:00:00'],
  ])('%s is %s %s: 4 hours back in summer, 5 in winter', (instant, date, time) => {
    expect(wallTimeIn(NEW_YORK, instant)).toEqual({ date, time })
  })

  test('[GB-RULE-037] today changes at midnight in New York and not in UTC or where the server stands', () => {
    expect(todayIn(NEW_YORK, '2026-06-15T03:59:59.999Z')).toBe('2026-06-14')
    expect(todayIn(NEW_YORK, '2026-06-15T04:00:00.000Z')).toBe('2026-06-15')
    expect(todayIn('Asia/Tokyo', '2026-06-14T15:00:00Z')).toBe('2026-06-15')
  })

  test('text, milliseconds and Date mean the same instant', () => {
    const text = '2026-06-15T12:00:00Z'
    expect(wallTimeIn(NEW_YORK, Date.parse(text))).toEqual(wallTimeIn(NEW_YORK, text))
    expect(wallTimeIn(NEW_YORK, new Date(text))).toEqual(wallTimeIn(NEW_YORK, text))
  })

  test.each([
    ['2026-07-01', 24, '2026-07-01T04:00:00.000Z'],
    ['2026-03-08', 23, '2026-03-08T05:00:00.000Z'],
    ['2026-11-01', 25, '2026-11-01T04:00:00.000Z'],
    ['2026-01-01', 24, '2026-01-01T05:00:00.000Z'],
  ])('the day %s lasts %d hours and begins at %s', (date, hours, start) => {
    expect(startOfDayIn(NEW_YORK, date)).toBe(start)
    expect(Date.parse(endOfDayIn(NEW_YORK, date)) - Date.parse(start)).toBe(hours * 3_600_000)
  })

  test('every day of years around now begins when its date first shows on the wall', () => {
    for (let day = Date.parse('2024-01-01T00:00:00Z'); day < Date.parse('2030-01-01T00:00:00Z'); day += 86_400_000) {
      const date = new Date(day).toISOString().slice(0, 10)
      const start = Date.parse(startOfDayIn(NEW_YORK, date))
      expect(wallTimeIn(NEW_YORK, start)).toEqual({ date, time: '00:00:00' })
      expect(todayIn(NEW_YORK, start - 1) < date).toBe(true)
    }
  })

  test('an instant names its zone, in winter and in summer', () => {
    expect(['2026-11-22T10:37:00Z', '2026-07-01T03:05:09Z'].map((at) => formatInstant(at))).toEqual([
      '11/22/2026 5:37 AM ET',
      '06/30/2026 11:05 PM ET',
    ])
    expect(formatClock('2026-07-01T03:05:09Z')).toBe('11:05 PM ET')
  })

  test('times show on a 12-hour clock', () => {
    expect(['00:05:00', '09:30:00', '12:00:00', '15:05:59'].map(formatTime)).toEqual(['12:05 AM', '9:30 AM', '12:00 PM', '3:05 PM'])
  })
})
