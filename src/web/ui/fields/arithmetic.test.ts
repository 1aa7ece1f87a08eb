import { expect, test } from 'vitest'
import { evaluate } from './arithmetic.ts'

test.each([
  ['120+35.5', 2, '155.50'],
  ['120 + 35.5', 2, '155.50'],
  ['1,200-0.01', 2, '1199.99'],
  ['2*3.25+1', 2, '7.50'],
  ['-5+2', 0, '-3'],
  ['0.1+0.2', 2, '0.30'],
  ['10--2', 0, '12'],
  ['1234.5', 3, '1234.500'],
])('a number field understands %s', (typed, scale, wire) => {
  expect(evaluate(typed, scale)).toBe(wire)
})

test.each(['', 'abc', '1+', '1++', '1/3', '1.234', '2*', '1..2'])(
  'a number field of two decimals refuses %j rather than guess',
  (typed) => {
    expect(evaluate(typed, 2)).toBeNull()
  },
)
