import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { costAt, costsAt, hasPrice } from './avoided-cost.ts'

test('a cost is the usage at the price, rounded half away from zero: $12.34 for 100 kWh', () => {
  const price = { cents: 1_234, usage: 100_000_000n }
  expect(costAt(price, 50_000_000n)).toBe(617)
  expect(costAt(price, -50_000_000n)).toBe(-617)
  expect(costAt({ cents: 1, usage: 2n }, 1n)).toBe(1)
  expect(costAt({ cents: 1, usage: 2n }, -1n)).toBe(-1)
  expect(costsAt({ cents: 100, usage: 3n }, [1n, 1n, 1n])).toEqual([34, 33, 33])
})

test('there is no price without usage or cost', () => {
  expect(hasPrice({ cents: 100, usage: 0n })).toBe(false)
  expect(hasPrice({ cents: 0, usage: 5n })).toBe(false)
  expect(() => costAt({ cents: 100, usage: 0n }, 1n)).toThrow(RangeError)
})

test('the costs of parts add up to the cost of the whole, each less than a cent from its exact value, avoided or not', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000_000 }),
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      fc.array(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), { minLength: 1, maxLength: 36 }),
      (cents, usage, parts) => {
        const price = { cents, usage }
        // The exact cost of a year stays far below what a number holds.
        const small = parts.map((part) => part % (usage * 1_000n))
        const costs = costsAt(price, small)
        const whole = small.reduce((sum, part) => sum + part, 0n)
        expect(costs.reduce((sum, one) => sum + one, 0)).toBe(costAt(price, whole))
        for (const [place, part] of small.entries()) {
          const off = BigInt(costs[place] ?? 0) * usage - part * BigInt(cents)
          expect(off < usage && off > -usage).toBe(true)
        }
      },
    ),
    { numRuns: propertyRuns },
  )
})
