import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { sumMoney } from '../kernel/money.ts'
import {
  comparisonState,
  costPerDay,
  coverage,
  formatCoverage,
  formatMetric,
  formatMoneyMetric,
  formatPercentChange,
  percentBreakdown,
  percentChange,
  percentOf,
  tonnesOf,
  unitCost,
} from './metrics.ts'

describe('display', () => {
  test.each([
    ['1000.00', '1,000.00'],
    ['1000.01', '1.00K'],
    ['1234.56', '1.23K'],
    ['-1234.56', '-1.23K'],
    ['999.99', '999.99'],
    ['1000000.00', '1,000.00K'],
  ])('[DASH-CONST-004] %s shows as %s: K strictly above 1,000, 2 decimals', (value, shown) => {
    expect(formatMetric(value)).toBe(shown)
  })

  test.each([
    ['1000000.00', '1,000.00K'],
    ['1000000.01', '1.00m'],
    ['1234567.89', '1.23m'],
    ['-2500000', '-2.50m'],
    ['1234567890', '1,234.57m'],
  ])('[DASH-CONST-005] %s shows as %s: m strictly above 1,000,000, 2 decimals', (value, shown) => {
    expect(formatMetric(value)).toBe(shown)
  })

  test('dollars, changes and nothing', () => {
    expect([formatMoneyMetric('1234.56'), formatMoneyMetric('-5'), formatMoneyMetric(null), formatMetric(null)]).toEqual([
      '$1.23K',
      '-$5.00',
      '–',
      '–',
    ])
    expect([formatPercentChange('12.50'), formatPercentChange('-3.00'), formatPercentChange('0.00'), formatPercentChange(null)]).toEqual([
      '▲ 12.50%',
      '▼ 3.00%',
      '0.00%',
      '–',
    ])
  })
})

describe('coverage', () => {
  test('is a percentage of one decimal, cut down: nothing short of everything reads as 100%', () => {
    expect(['1.0000', '0.9999', '0.9849', '0.0000', null].map(formatCoverage)).toEqual(['100.0%', '99.9%', '98.4%', '0.0%', '–'])
  })

  test('below 95% of either window a change is marked, below 50% withheld; where no meter is expected there is nothing to cover', () => {
    expect(
      [
        ['1.0000', '0.9500'],
        ['0.9499', '1.0000'],
        ['1.0000', '0.5000'],
        ['0.4999', '1.0000'],
        ['1.0000', '0.0000'],
        [null, null],
      ].map(comparisonState),
    ).toEqual(['complete', 'partial', 'partial', 'withheld', 'withheld', 'complete'])
  })
})

describe('formulas', () => {
  test('nothing is divided by zero', () => {
    expect([
      unitCost('10.00', '0.000000'),
      unitCost('10.00', null),
      costPerDay('10.00', 0),
      percentChange('5.00', '0.00'),
      percentOf('1', '0'),
      coverage(3, 0),
    ]).toEqual([null, null, null, null, null, null])
  })

  test('unit cost has 4 decimals, the others 2', () => {
    expect([
      unitCost('310.00', '3200'),
      costPerDay('310.00', 31),
      percentChange('110.00', '100.00'),
      percentChange('90.00', '120.00'),
      percentOf('1', '3'),
      coverage(29, 30),
      tonnesOf('349700'),
    ]).toEqual(['0.0969', '10.00', '10.00', '-25.00', '33.33', '0.9667', '349.70'])
  })

  test('a breakdown sums to 100.00 by largest remainder', () => {
    expect(percentBreakdown([1, 1, 1])).toEqual(['33.34', '33.33', '33.33'])
    expect(percentBreakdown([200, 100, -50])).toEqual(['80.00', '40.00', '-20.00'])
    expect(percentBreakdown([0, 0])).toBeNull()
    expect(percentBreakdown([])).toBeNull()
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1_000_000_000, max: 9_000_000_000 }), { minLength: 1, maxLength: 30 }), (parts) => {
        const shares = percentBreakdown(parts)
        if (shares !== null) expect(sumMoney(shares)).toBe('100.00')
      }),
      { numRuns: propertyRuns },
    )
  })
})
