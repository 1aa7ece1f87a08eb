import { expect, test } from 'vitest'
import { readTypedDate, steppedDate } from './typed-date.ts'

const of = { today: '2026-11-25', last: '2026-11-25', from: '2026-11-05' }

test.each([
  ['t', '2026-11-25'],
  ['T', '2026-11-25'],
  ['+7', '2026-11-12'],
  ['+20', '2026-11-25'],
  ['-5', '2026-10-31'],
  ['−5', '2026-10-31'],
  ['+0', '2026-11-05'],
  ['1105', '2026-11-05'],
  ['11/05/25', '2025-11-05'],
])('a date field understands %s', (typed, date) => {
  expect(readTypedDate(typed, of)).toBe(date)
})

test.each(['', 'tt', '+', '+1000', '7', '+7d', '+1.5'])('a date field refuses %j rather than guess', (typed) => {
  expect(readTypedDate(typed, of)).toBeNull()
})

test.each([
  ['2026-02-28', 'ArrowUp', '2026-03-01'],
  ['2026-03-01', 'ArrowDown', '2026-02-28'],
  ['', 'ArrowUp', '2026-11-25'],
  ['', 'ArrowDown', '2026-11-25'],
  ['11/5x', 'ArrowUp', null],
  ['2026-03-01', 'ArrowLeft', null],
])('the date %j becomes by %s %j', (value, key, date) => {
  expect(steppedDate(value, key, of.today)).toBe(date)
})
