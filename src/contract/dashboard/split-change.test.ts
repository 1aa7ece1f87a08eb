import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { splitChange, type CostOfUsage } from './split-change.ts'

const of = (cents: number, units: number): CostOfUsage => ({ cents, usage: BigInt(units) * 1_000_000n })

test('a change is that of the usage at the former unit cost, and that of the unit cost at the present usage', () => {
  // 12,000 kWh at 0.10 and 14,400 kWh at 0.11: 2,400 x 0.10 = 240.00, and 0.01 x 14,400 = 144.00.
  expect(splitChange(of(120_000, 12_000), of(158_400, 14_400))).toEqual({ by_usage: 24_000, by_price: 14_400 })
  // 12,000 at 0.10 and 9,000 at 0.12: less used for 300.00, dearer for 180.00.
  expect(splitChange(of(120_000, 12_000), of(108_000, 9_000))).toEqual({ by_usage: -30_000, by_price: 18_000 })
  // A third of a cent: 1 more unit at 1.00 / 3 is 0.33, and what is left is the price.
  expect(splitChange(of(100, 3), of(134, 4))).toEqual({ by_usage: 33, by_price: 1 })
})

test('what has no unit cost above zero in both periods is not split, and neither is a unit cost of more than ten times the other', () => {
  for (const none of [of(0, 10), of(100, 0), of(-100, 10), of(100, -10)]) {
    expect(splitChange(none, of(100, 10))).toBeNull()
    expect(splitChange(of(100, 10), none)).toBeNull()
  }
  expect(splitChange(of(100, 10), of(1000, 10))).toEqual({ by_usage: 0, by_price: 900 })
  expect(splitChange(of(100, 10), of(1001, 10))).toBeNull()
  expect(splitChange(of(1001, 10), of(100, 10))).toBeNull()
})

const side = fc.record({
  cents: fc.integer({ min: 1, max: 10_000_000_000 }),
  usage: fc.bigInt({ min: 1n, max: 10n ** 15n }),
})

test('both parts add up to the change to the cent, and each is within half a cent of its exact value', () => {
  fc.assert(
    fc.property(side, side, (former, present) => {
      const parts = splitChange(former, present)
      fc.pre(parts !== null)
      if (parts === null) return
      expect(parts.by_usage + parts.by_price).toBe(present.cents - former.cents)
      // Twice the distance from the exact value, times the former usage.
      const distance = (BigInt(parts.by_usage) * former.usage - (present.usage - former.usage) * BigInt(former.cents)) * 2n
      expect(distance <= former.usage && -distance <= former.usage).toBe(true)
    }),
    { numRuns: propertyRuns },
  )
})

test('the same usage leaves all to the price, the same unit cost leaves all to the usage', () => {
  fc.assert(
    fc.property(side, fc.integer({ min: 1, max: 9 }), (former, times) => {
      const dearer = splitChange(former, { cents: former.cents * times, usage: former.usage })
      expect(dearer).toEqual({ by_usage: 0, by_price: former.cents * (times - 1) })
      const more = splitChange(former, { cents: former.cents * times, usage: former.usage * BigInt(times) })
      expect(more).toEqual({ by_usage: former.cents * (times - 1), by_price: 0 })
    }),
    { numRuns: propertyRuns },
  )
})
