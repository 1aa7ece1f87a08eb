import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import {
  addMoney,
  allocate,
  centsOf,
  centsOrZero,
  compareMoney,
  formatAmount,
  formatMoney,
  parseMoney,
  spreadEvenly,
  subtractMoney,
  sumCents,
  sumMoney,
  wireOf,
} from './money.ts'

const amounts = fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 })
const weights = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 50 })

describe('amounts on the wire', () => {
  test.each([
    ['0.00', 0],
    ['12.50', 1250],
    ['-0.05', -5],
    ['7', 700],
    ['7.5', 750],
    ['-0.00', 0],
    ['1.2300', 123],
    ['999999999999.99', 99_999_999_999_999],
  ])('%s is %d cents', (wire, cents) => {
    expect(centsOf(wire)).toBe(cents)
  })

  test.each(['', '1,000.00', '1.005', 'abc', '1e3', '.5', 'NaN', '99999999999999999.00'])('%j is refused, never rounded', (wire) => {
    expect(() => centsOf(wire)).toThrow(RangeError)
  })

  test('[BILL-CONST-003] money always has two decimals on the wire, whatever its size', () => {
    expect([0, 5, -5, 50, 100, -123_456].map(wireOf)).toEqual(['0.00', '0.05', '-0.05', '0.50', '1.00', '-1234.56'])
    fc.assert(
      fc.property(amounts, (cents) => centsOf(wireOf(cents)) === cents && /^-?\d+\.\d\d$/.test(wireOf(cents))),
      { numRuns: propertyRuns },
    )
  })

  test('a fraction of a cent and what is not safe never become an amount', () => {
    expect(() => wireOf(0.5)).toThrow(RangeError)
    expect(() => wireOf(Number.NaN)).toThrow(RangeError)
    expect(() => sumCents([Number.MAX_SAFE_INTEGER, 1])).toThrow(RangeError)
  })

  test('an absent amount counts as nothing in a sum', () => {
    expect(centsOrZero(null)).toBe(0)
    expect(addMoney('1.10', null, '2.20', undefined)).toBe('3.30')
    expect(sumMoney([])).toBe('0.00')
  })

  test('a sum that a float would get wrong is exact', () => {
    expect(addMoney('0.10', '0.20')).toBe('0.30')
    expect(subtractMoney('0.30', '0.10')).toBe('0.20')
  })

  test('amounts compare by value and not by text', () => {
    expect([compareMoney('9.00', '10.00'), compareMoney('-1.00', '-2.00'), compareMoney('1.0', '1.00')]).toEqual([-1, 1, 0])
  })
})

describe('typed amounts', () => {
  test.each([
    ['1,234.50', '1234.50'],
    ['$1,234.50', '1234.50'],
    ['(12.00)', '-12.00'],
    ['($1,200)', '-1200.00'],
    ['-5', '-5.00'],
    ['-$5', '-5.00'],
    ['$-5', '-5.00'],
    ['5-', '-5.00'],
    ['\u22125.1', '-5.10'],
    ['.5', '0.50'],
    ['5.', '5.00'],
    [' 7 ', '7.00'],
    ['-0', '0.00'],
    ['0012', '12.00'],
  ])('%j reads as %s', (typed, wire) => {
    expect(parseMoney(typed)).toBe(wire)
  })

  test.each(['', '.', '$', '-', '()', '1.005', '12,34', '1,2345', '(-5)', '--5', '-5-', '1 000', '1e3', 'five', '1000000000000'])(
    '%j is refused',
    (typed) => {
      expect(parseMoney(typed)).toBeNull()
    },
  )

  test('whatever is shown can be typed back', () => {
    fc.assert(
      fc.property(amounts, (cents) => {
        const wire = wireOf(cents)
        return parseMoney(formatMoney(wire)) === wire && parseMoney(formatAmount(wire)) === wire
      }),
      { numRuns: propertyRuns },
    )
  })

  test('people see separators, the sign before the dollar, and a dash for nothing', () => {
    expect(['1234567.8', '-5.00', '0.00', null].map(formatMoney)).toEqual(['$1,234,567.80', '-$5.00', '$0.00', '–'])
    expect(formatAmount('-1234.5')).toBe('-1,234.50')
  })
})

describe('splits', () => {
  test.each([
    [10_001, [3333, 3333, 3334], [3333, 3333, 3335]],
    [1001, [5000, 5000], [501, 500]],
    [-1001, [5000, 5000], [-501, -500]],
    [12_345, [6000, 2500, 1500], [7407, 3086, 1852]],
    [1, [1, 3, 3], [0, 1, 0]],
    [-1, [1, 3, 3], [0, -1, 0]],
    [0, [1, 2], [0, 0]],
    [1000, [0, 0, 0], [334, 333, 333]],
    [500, [0, 7], [0, 500]],
  ])('%d over %j is %j', (cents, shares, parts) => {
    expect(allocate(cents, shares)).toEqual(parts)
  })

  test('the parts sum to the amount, none is a cent or more from its true share, none has the other sign', () => {
    fc.assert(
      fc.property(amounts, weights, (cents, shares) => {
        const parts = allocate(cents, shares)
        const total = shares.reduce((sum, share) => sum + share, 0)
        expect(sumCents(parts)).toBe(cents)
        for (const [place, part] of parts.entries()) {
          expect(part === 0 || Math.sign(part) === Math.sign(cents)).toBe(true)
          if (total === 0) continue
          const apart = BigInt(part) * BigInt(total) - BigInt(cents) * BigInt(shares[place] ?? 0)
          expect(apart < BigInt(total) && apart > -BigInt(total)).toBe(true)
        }
      }),
      { numRuns: propertyRuns },
    )
  })

  test('a credit splits as the mirror image of the charge', () => {
    fc.assert(
      fc.property(amounts, weights, (cents, shares) => {
        expect(allocate(-cents, shares)).toEqual(allocate(cents, shares).map((part) => (part === 0 ? 0 : -part)))
      }),
      { numRuns: propertyRuns },
    )
  })

  test('an even spread differs by one cent at most, the earlier parts first', () => {
    expect(spreadEvenly(1000, 3)).toEqual([334, 333, 333])
    expect(spreadEvenly(-2, 3)).toEqual([-1, -1, 0])
  })

  test('nothing to split over, and weights that are negative or broken, are refused', () => {
    expect(() => allocate(1, [])).toThrow(RangeError)
    expect(() => allocate(1, [-1, 2])).toThrow(RangeError)
    expect(() => allocate(1, [0.5])).toThrow(RangeError)
  })
})
