import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import {
  absolute,
  compareDecimals,
  decimalOfUnits,
  dividedBy,
  evenRatios,
  formatDecimal,
  isDecimal,
  minus,
  parseDecimal,
  plus,
  ratioOf,
  ratiosSumToOne,
  roundTo,
  sumDecimals,
  tenThousandthsOf,
  times,
  unitsOf,
  usageOf,
} from './decimal.ts'

describe('decimals', () => {
  test('sums and products that a float gets wrong are exact', () => {
    expect([plus('0.1', '0.2'), minus('0.3', '0.1'), times('1.1', '1.1'), sumDecimals(['0.1', null, '0.2', ''])]).toEqual([
      '0.3',
      '0.2',
      '1.21',
      '0.3',
    ])
  })

  test.each([
    ['0.0005', 3, '0.001'],
    ['-0.0005', 3, '-0.001'],
    ['0.00049', 3, '0.000'],
    ['-0.0004', 3, '0.000'],
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['1', 3, '1.000'],
  ])('%s at %d decimals rounds half away from zero to %s', (value, scale, rounded) => {
    expect(roundTo(value, scale)).toBe(rounded)
  })

  test.each([
    ['1', '3', 4, '0.3333'],
    ['2', '3', 4, '0.6667'],
    ['1', '8', 2, '0.13'],
    ['-1', '8', 2, '-0.13'],
    ['0.1249999999999', '1', 2, '0.12'],
    ['1', '0.00000003', 2, '33333333.33'],
  ])('%s / %s at %d decimals is %s', (a, b, scale, quotient) => {
    expect(dividedBy(a, b, scale)).toBe(quotient)
  })

  test('dividing by zero has no answer', () => {
    expect(dividedBy('1', '0.000', 2)).toBeNull()
  })

  test('a quotient is rounded once: it equals the exact rational rounded half away from zero', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 1, max: 100_000 }), (a, b) => {
        const magnitude = (BigInt(Math.abs(a)) * 2000n + BigInt(b)) / (2n * BigInt(b))
        expect(dividedBy(String(a), String(b), 3)).toBe(decimalOfUnits(a < 0 ? -magnitude : magnitude, 3))
      }),
      { numRuns: propertyRuns },
    )
  })

  test('values compare by value', () => {
    expect([compareDecimals('9', '10'), compareDecimals('1.0', '1'), absolute('-1.50')]).toEqual([-1, 0, '1.5'])
  })

  test('units and back lose nothing', () => {
    expect([unitsOf('-1.5', 3), unitsOf('0', 2), decimalOfUnits(-5n, 3), decimalOfUnits(7n, 0)]).toEqual([-1500n, 0n, '-0.005', '7'])
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (units) => unitsOf(decimalOfUnits(units, 6), 6) === units),
      { numRuns: propertyRuns },
    )
  })

  test('typed numbers are read with separators and refused when finer than can be kept', () => {
    expect([
      parseDecimal('1,234.5', 3),
      parseDecimal('.25', 2),
      parseDecimal('5.', 0),
      parseDecimal('-3', 1),
      parseDecimal('1.500', 1),
    ]).toEqual(['1234.500', '0.25', '5', '-3.0', '1.5'])
    expect(['', '.', '-', '1.2345', '1e3', '1,2'].map((typed) => parseDecimal(typed, 3))).toEqual([null, null, null, null, null, null])
    expect([isDecimal('1.'), isDecimal('1e3'), isDecimal('')]).toEqual([true, false, false])
  })

  test('usage shows as a whole number with separators', () => {
    expect([formatDecimal('1234567.5', 0), formatDecimal('-1234.499', 0), formatDecimal(null, 0)]).toEqual(['1,234,568', '-1,234', '–'])
  })
})

describe('usage of a service line', () => {
  test.each([
    ['1250.00', '1000.00', '1', '250.000'],
    ['1250.00', '1000.00', null, '250.000'],
    ['105.25', '100.00', '40.1234', '210.648'],
    ['90.00', '100.00', '2', '-20.000'],
  ])('[SBILL-RULE-007] reading %s, previous %s, multiplier %s: usage %s', (reading, previous, multiplier, usage) => {
    expect(usageOf(reading, previous, multiplier)).toBe(usage)
  })
})

describe('share ratios', () => {
  test('[SVC-RULE-005] shares cover the whole only when their ten-thousandths sum to exactly 1', () => {
    expect(ratiosSumToOne(['0.3333', '0.3333', '0.3334'])).toBe(true)
    expect(ratiosSumToOne(['0.3333', '0.3333', '0.3333'])).toBe(false)
    expect(ratiosSumToOne(['0.1', '0.2', '0.7'])).toBe(true)
    expect(ratiosSumToOne(['0.5000', '0.5001'])).toBe(false)
    expect(ratiosSumToOne(Array.from({ length: 10 }, () => '0.1'))).toBe(true)
  })

  test.each(['0.33333', '-0.1', '1.0001'])('%s is no share ratio', (ratio) => {
    expect(() => tenThousandthsOf(ratio)).toThrow(RangeError)
  })

  test('an even spread gives the rest to the last row and always sums to 1', () => {
    expect(evenRatios(3)).toEqual(['0.3333', '0.3333', '0.3334'])
    expect([evenRatios(0), evenRatios(1), ratioOf(5)]).toEqual([[], ['1.0000'], '0.0005'])
    for (let count = 1; count <= 50; count += 1) expect(ratiosSumToOne(evenRatios(count))).toBe(true)
  })
})
