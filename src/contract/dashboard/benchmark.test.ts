import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { approximately, compareDecimals } from '../kernel/decimal.ts'
import { quartilesOf, standingsOf } from './benchmark.ts'

test('quartiles lie between the neighbouring figures, and the fences 1.5 of their distance outside', () => {
  // The values are 1, 2, 4, 8, 16 and 32. The first quartile lies at place 1.25: 2 + 0.25 x 2. The median is 4 + 0.5 x 4, the third quartile 8 + 0.75 x 8.
  expect(quartilesOf(['32', '1', '16', '2', '8', '4'])).toEqual({
    count: 6,
    q1: '2.500000000',
    median: '6.000000000',
    q3: '14.000000000',
    low: '-14.750000000',
    high: '31.250000000',
  })
  expect(quartilesOf(['1', '2', '3', '4'])).toBeNull()
  expect(quartilesOf(['5', '5', '5', '5', '5'])).toMatchObject({ q1: '5.000000000', low: '5.000000000', high: '5.000000000' })
})

test('a figure outside the fences is an outlier, on a fence it is none, and equal figures share their rank', () => {
  const found = standingsOf(['32', '1', '16', '2', '8', '4'])
  expect(found?.standings).toEqual([
    { rank: 1, band: 'high_outlier' },
    { rank: 6, band: 'lowest' },
    { rank: 2, band: 'highest' },
    { rank: 5, band: 'lowest' },
    { rank: 3, band: 'third' },
    { rank: 4, band: 'second' },
  ])
  // Quartiles 10 and 12, fences 7 and 15.
  const fenced = standingsOf(['10', '10', '11', '12', '12', '15', '7', '10', '12'])
  expect(fenced?.standings.map(({ rank }) => rank)).toEqual([6, 6, 5, 2, 2, 1, 9, 6, 2])
  expect(fenced?.standings.map(({ band }) => band)).not.toContain('high_outlier')
  const beyond = standingsOf(['10', '10', '11', '12', '12', '15.000001', '6.999999', '10', '12'])
  expect(beyond?.standings.slice(5, 7).map(({ band }) => band)).toEqual(['high_outlier', 'low_outlier'])
})

test('the quartiles are in order, a quarter of the figures is at most as large as the first, and the order of the figures does not matter', () => {
  const figures = fc.array(
    fc.integer({ min: 0, max: 10_000_000 }).map((cents) => (cents / 10_000).toFixed(4)),
    { minLength: 5, maxLength: 60 },
  )
  fc.assert(
    fc.property(figures, (all) => {
      const found = quartilesOf(all)
      if (found === null) throw new Error('no quartiles')
      const { low, q1, median, q3, high } = found
      const [lowest, first, middle, third, highest] = [low, q1, median, q3, high].map(approximately)
      expect([lowest, first, middle, third, highest]).toEqual(
        [lowest, first, middle, third, highest].toSorted((a, b) => (a ?? 0) - (b ?? 0)),
      )
      expect(all.filter((one) => compareDecimals(one, q1) <= 0).length).toBeGreaterThanOrEqual(all.length / 4)
      expect(all.filter((one) => compareDecimals(one, q3) >= 0).length).toBeGreaterThanOrEqual(all.length / 4)
      expect(quartilesOf(all.toReversed())).toEqual(found)
    }),
    { numRuns: propertyRuns },
  )
})
