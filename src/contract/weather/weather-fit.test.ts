/** The fit of usage to degree days: known coefficients come back, by hand and for random weather; which model is taken, and when none is. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { addDays } from '../kernel/date.ts'
import { faultOfFit, fitWeather, usageIn, USE_PERIODS_MIN, type UsePeriod } from './weather-fit.ts'

type Coefficients = { readonly base: number; readonly heating: number; readonly cooling: number }
type Month = { readonly days: number; readonly heating: number; readonly cooling: number; readonly noise?: number }

/** Periods one after the other, with the usage that the coefficients give: usage in millionths, degree days in hundredths. */
function periodsOf({ base, heating, cooling }: Coefficients, months: readonly Month[]): UsePeriod[] {
  let starts_on = '2024-01-01'
  return months.map((month) => {
    const ends_on = addDays(starts_on, month.days)
    const use = base * month.days + heating * month.heating + cooling * month.cooling
    const period: UsePeriod = {
      starts_on,
      ends_on,
      days: month.days,
      usage: BigInt(Math.round((use + (month.noise ?? 0) * month.days) * 1_000_000)),
      heating: month.heating * 100,
      cooling: month.cooling * 100,
    }
    starts_on = ends_on
    return period
  })
}

const year: readonly Month[] = [
  [31, 900, 0],
  [28, 700, 0],
  [31, 500, 5],
  [30, 250, 20],
  [31, 90, 80],
  [30, 10, 220],
  [31, 0, 340],
  [31, 0, 300],
  [30, 20, 150],
  [31, 200, 30],
  [30, 480, 2],
  [31, 800, 0],
].map(([days = 0, heating = 0, cooling = 0]) => ({ days, heating, cooling }))

describe('fitWeather', () => {
  test('gives the line that least squares give by hand: 3 + 2 × heating degree days a day, with one period off by a unit', () => {
    // Heating degree days a day 0 to 8 at 10 days each; usage a day 3 + 2x, but 4 instead of 3 at x = 0. Mean x 4, mean y 11 + 1/9; Sxx 60,
    // Sxy 120 − 4 = 116; slope 116/60; base 11.1111 − 7.7333 = 3.3778; SST 240 + 8/9 − 16 = 224.8889, explained 116²/60 = 224.2667.
    const periods = periodsOf(
      { base: 3, heating: 2, cooling: 0 },
      Array.from({ length: 9 }, (_, x) => ({ days: 10, heating: 10 * x, cooling: 0, noise: x === 0 ? 1 : 0 })),
    )
    const fit = fitWeather(periods)
    expect(fit).toMatchObject({ model: 'heating', base: 3_377_778n, heating: 1_933_333n, cooling: 0n, periods: 9 })
    expect(fit?.r2).toBeCloseTo(1 - 0.622_222 / 224.888_889, 8)
    expect(fit?.adjusted_r2).toBeCloseTo(1 - 0.622_222 / 7 / (224.888_889 / 8), 7)
    expect(fit?.cv_rmse).toBeCloseTo(Math.sqrt(0.622_222 / 7) / 11.111_111, 7)
    expect(faultOfFit(fit)).toBe(null)
    if (fit) expect(usageIn(fit, 30, { heating: 150_00, cooling: 0 })).toBe(30n * 3_377_778n + 150n * 1_933_333n)
  })

  test('gives back the coefficients that usage was made of, whatever the order of the periods', () => {
    const coefficient = fc.integer({ min: 50, max: 5_000 }).map((value) => value / 100)
    const slopes = fc.constantFrom<readonly ('heating' | 'cooling')[]>(['heating'], ['cooling'], ['heating', 'cooling'])
    fc.assert(
      fc.property(
        coefficient,
        coefficient,
        coefficient,
        slopes,
        fc.array(fc.nat(1_000), { minLength: 12, maxLength: 12 }),
        (base, h, c, has, ranks) => {
          const made = { base: base * 10, heating: has.includes('heating') ? h : 0, cooling: has.includes('cooling') ? c : 0 }
          const periods = periodsOf(made, year)
          const fit = fitWeather(periods)
          const shuffled = periods
            .map((period, place) => ({ period, rank: ranks[place] ?? 0 }))
            .toSorted((one, other) => one.rank - other.rank)
            .map(({ period }) => period)
          expect(fitWeather(shuffled)).toEqual(fit)
          expect(fit?.model).toBe(has.length === 2 ? 'both' : has[0])
          for (const key of ['base', 'heating', 'cooling'] as const) expect(Number(fit?.[key]) / 1_000_000).toBeCloseTo(made[key], 3)
          expect(fit?.r2).toBeGreaterThan(0.999_999)
        },
      ),
      { numRuns: propertyRuns },
    )
  })

  test('takes no slope below zero, and the mean where nothing else explains more', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 12, maxLength: 12 }), (uses) => {
        const periods = periodsOf({ base: 1, heating: 0, cooling: 0 }, year).map((period, place) => ({
          ...period,
          usage: BigInt(uses[place] ?? 0) * 1_000_000n,
        }))
        const fit = fitWeather(periods)
        expect(fit && fit.heating >= 0n && fit.cooling >= 0n).toBe(true)
        expect(fit && fit.adjusted_r2 >= 0 && fit.r2 <= 1).toBe(true)
        if (fit?.model === 'mean') expect(faultOfFit(fit)).toBe('not_weather')
      }),
      { numRuns: propertyRuns },
    )
    const hot = year.map((month) => ({ ...month, heating: 0 }))
    const falling = fitWeather(periodsOf({ base: 100, heating: 0, cooling: -0.05 }, hot))
    expect(falling).toMatchObject({ model: 'mean', heating: 0n, cooling: 0n, r2: 0 })
    expect(fitWeather(periodsOf({ base: 100, heating: 0, cooling: 0 }, year))).toMatchObject({
      model: 'mean',
      base: 100_000_000n,
      cv_rmse: 0,
    })
  })

  test('needs nine periods, half of the variance and a scatter of a quarter of the mean', () => {
    const good = periodsOf({ base: 10, heating: 1, cooling: 0 }, year)
    expect(fitWeather(good.slice(0, USE_PERIODS_MIN - 1))).toBe(null)
    expect(faultOfFit(fitWeather(good.slice(0, USE_PERIODS_MIN - 1)))).toBe('few_periods')
    expect(faultOfFit(fitWeather(good.slice(0, USE_PERIODS_MIN)))).toBe(null)
    const fit = fitWeather(good)
    if (fit === null) throw new Error('twelve periods have a fit')
    expect(faultOfFit({ ...fit, r2: 0.5, cv_rmse: 0.25 })).toBe(null)
    expect(faultOfFit({ ...fit, r2: 0.499 })).toBe('poor_fit')
    expect(faultOfFit({ ...fit, cv_rmse: 0.251 })).toBe('poor_fit')
    expect(faultOfFit({ ...fit, cv_rmse: null })).toBe('poor_fit')
  })

  test('takes weather that never varies for no explanation', () => {
    const same = year.map(({ days }, place) => ({ days, heating: days * 3, cooling: 0, noise: place }))
    expect(fitWeather(periodsOf({ base: 50, heating: 1, cooling: 0 }, same))?.model).toBe('mean')
  })
})
