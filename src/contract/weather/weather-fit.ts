/**
 * How the usage of a meter follows the weather: usage per day of its bill periods, regressed on the heating and cooling degree days per day of
 * the very same days. Pure. Statistics are floats; the equation that figures are computed from is whole millionths.
 */
import type { CalendarDate } from '../kernel/date.ts'

/** One bill period, [starts_on, ends_on). Usage is in millionths of the unit, degree days in hundredths. */
export interface UsePeriod {
  readonly starts_on: CalendarDate
  readonly ends_on: CalendarDate
  readonly days: number
  readonly usage: bigint
  readonly heating: number
  readonly cooling: number
}

export const weatherModels = ['mean', 'heating', 'cooling', 'both'] as const
export type WeatherModel = (typeof weatherModels)[number]

/** Usage of a day = base + heating × its heating degree days + cooling × its cooling degree days, in millionths of the unit. */
export interface UseEquation {
  readonly base: bigint
  readonly heating: bigint
  readonly cooling: bigint
}

export interface WeatherFit extends UseEquation {
  readonly model: WeatherModel
  readonly r2: number
  readonly adjusted_r2: number
  /** Null where the mean usage is not above zero. */
  readonly cv_rmse: number | null
  readonly periods: number
}

/**
 * Periods without which nothing is fitted. Three coefficients of nine periods leave six degrees of freedom, and nine months hold both seasons'
 * slopes: with fewer, one heating season alone would draw the line.
 */
export const USE_PERIODS_MIN = 9
/** The weather must explain half of the variance. This limit is ours: ASHRAE Guideline 14 has none, IPMVP suggests 0.75. */
export const R2_MIN = 0.5
/** The limit of ASHRAE Guideline 14 for a whole building's bills. */
export const CV_RMSE_MAX = 0.25

/** A better fit by less than this is rounding, and the simpler model is taken. */
const EQUALLY_GOOD = 1e-9
/** Squares around the mean below this part of all squares are rounding: such values are taken as constant. */
const NO_SPREAD = 1e-9

export const fitFaults = ['few_periods', 'not_weather', 'poor_fit'] as const
export type FitFault = (typeof fitFaults)[number]

/** The model with the largest adjusted R², of those whose slopes are not negative. Null below the least number of periods. */
export function fitWeather(periods: readonly UsePeriod[]): WeatherFit | null {
  if (periods.length < USE_PERIODS_MIN) return null
  // Sums of floats depend on their order.
  const samples = periods.toSorted(inOrder).map(sampleOf)
  const candidates = weatherModels.flatMap((model) => candidateOf(model, samples) ?? [])
  const [first, ...others] = candidates
  if (!first) return null
  return others.reduce((best, one) => (one.adjusted_r2 > best.adjusted_r2 + EQUALLY_GOOD ? one : best), first)
}

/** Why a fit gives no figures; null where it does. */
export function faultOfFit(fit: WeatherFit | null): FitFault | null {
  if (fit === null) return 'few_periods'
  if (fit.model === 'mean') return 'not_weather'
  return fit.r2 < R2_MIN || fit.cv_rmse === null || fit.cv_rmse > CV_RMSE_MAX ? 'poor_fit' : null
}

/** Usage of so many days in this weather, in millionths, rounded half away from zero. Degree days are in hundredths. */
export function usageIn({ base, heating, cooling }: UseEquation, days: number, weather: { heating: number; cooling: number }): bigint {
  const hundredfold = base * BigInt(days) * 100n + heating * BigInt(weather.heating) + cooling * BigInt(weather.cooling)
  const size = hundredfold < 0n ? -hundredfold : hundredfold
  const rounded = (size + 50n) / 100n
  return hundredfold < 0n ? -rounded : rounded
}

interface Sample {
  readonly use: number
  readonly heating: number
  readonly cooling: number
}

function inOrder(a: UsePeriod, b: UsePeriod): number {
  const [one, other] = [keyOf(a), keyOf(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

function keyOf({ starts_on, ends_on, usage }: UsePeriod): string {
  return `${starts_on} ${ends_on} ${usage}`
}

function sampleOf({ days, usage, heating, cooling }: UsePeriod): Sample {
  return { use: Number(usage) / days / MILLION, heating: heating / days / 100, cooling: cooling / days / 100 }
}
const MILLION = 1_000_000

function candidateOf(model: WeatherModel, samples: readonly Sample[]): WeatherFit | null {
  const slopes = slopesOf(model, samples)
  if (slopes === null || slopes.heating < 0 || slopes.cooling < 0) return null
  const mean = meanOf(samples, 'use')
  const base = mean - slopes.heating * meanOf(samples, 'heating') - slopes.cooling * meanOf(samples, 'cooling')
  const errors = samples.map(({ use, heating, cooling }) => use - base - slopes.heating * heating - slopes.cooling * cooling)
  const [left, whole] = [squares(errors), squares(samples.map(({ use }) => use - mean))]
  const free = samples.length - coefficientsOf[model]
  const isFlat = model === 'mean' || !hasSpread(samples, 'use')
  return {
    model,
    base: millionths(base),
    heating: millionths(slopes.heating),
    cooling: millionths(slopes.cooling),
    r2: isFlat ? 0 : 1 - left / whole,
    adjusted_r2: isFlat ? 0 : 1 - left / free / (whole / (samples.length - 1)),
    cv_rmse: mean > 0 ? Math.sqrt(left / free) / mean : null,
    periods: samples.length,
  }
}

const coefficientsOf: Readonly<Record<WeatherModel, number>> = { mean: 1, heating: 2, cooling: 2, both: 3 }

/** Least squares around the means. Null where the degree days do not vary, or vary together. */
function slopesOf(model: WeatherModel, samples: readonly Sample[]): { heating: number; cooling: number } | null {
  if (model === 'mean') return { heating: 0, cooling: 0 }
  const [use, heating, cooling] = [around(samples, 'use'), around(samples, 'heating'), around(samples, 'cooling')]
  if (model !== 'cooling' && !hasSpread(samples, 'heating')) return null
  if (model !== 'heating' && !hasSpread(samples, 'cooling')) return null
  if (model === 'heating') return { heating: product(heating, use) / squares(heating), cooling: 0 }
  if (model === 'cooling') return { heating: 0, cooling: product(cooling, use) / squares(cooling) }
  const [hh, cc, hc] = [squares(heating), squares(cooling), product(heating, cooling)]
  const determinant = hh * cc - hc * hc
  if (determinant <= NO_SPREAD * hh * cc) return null
  const [hu, cu] = [product(heating, use), product(cooling, use)]
  return { heating: (hu * cc - cu * hc) / determinant, cooling: (cu * hh - hu * hc) / determinant }
}

function hasSpread(samples: readonly Sample[], key: keyof Sample): boolean {
  return squares(around(samples, key)) > NO_SPREAD * squares(samples.map((sample) => sample[key]))
}

function around(samples: readonly Sample[], key: keyof Sample): number[] {
  const mean = meanOf(samples, key)
  return samples.map((sample) => sample[key] - mean)
}

function meanOf(samples: readonly Sample[], key: keyof Sample): number {
  return samples.reduce((sum, sample) => sum + sample[key], 0) / samples.length
}

function product(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, one, place) => sum + one * (b[place] ?? 0), 0)
}

function squares(values: readonly number[]): number {
  return product(values, values)
}

function millionths(value: number): bigint {
  return BigInt(Math.round(value * MILLION))
}
