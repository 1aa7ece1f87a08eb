/** One meter in the weather: its fit over the baseline, and its months against it. Pure. */
import type { MeterFit, WeatherPoint, WeatherReason } from '#contract/dashboard/dashboard-weather.ts'
import { addDays, daysInMonth, firstDayOf, lastDayOf, type CalendarMonth } from '#contract/kernel/date.ts'
import { decimalOfUnits, dividedBy } from '#contract/kernel/decimal.ts'
import type { DegreeDayBook, DegreeDays } from '#contract/weather/degree-day-book.ts'
import { faultOfFit, fitWeather, usageIn, type UsePeriod, type WeatherFit } from '#contract/weather/weather-fit.ts'
import type { MeterPeriod, WeatherMonthFact } from './read-weather.ts'

export interface FittedMeter {
  readonly service_id: number
  readonly fit: WeatherFit | null
  readonly fault: WeatherReason | null
  /** The bill periods of the baseline whose days all have degree days. */
  readonly periods: readonly UsePeriod[]
  /** The number of the others. */
  readonly left_out: number
}

export function fitOfMeter(serviceId: number, hasStation: boolean, all: readonly MeterPeriod[], book: DegreeDayBook): FittedMeter {
  const own = all.filter(({ service_id }) => service_id === serviceId)
  const periods = own.flatMap((period): UsePeriod[] => {
    const weather = book.between(period.starts_on, period.ends_on)
    return weather ? [{ ...period, ...weather }] : []
  })
  const fit = fitWeather(periods)
  const fault = hasStation ? faultOfFit(fit) : 'no_station'
  return { service_id: serviceId, fit, fault, periods, left_out: own.length - periods.length }
}

/** One meter and month. Usage is in millionths; `compared` is null without a fit, without usage, or where a day has no degree days. */
export interface WeatherCell {
  readonly service_id: number
  readonly month: CalendarMonth
  readonly days: number
  readonly cents: number
  readonly usage: bigint | null
  readonly weather: DegreeDays | null
  readonly compared: { readonly usage: bigint; readonly adjusted: bigint; readonly normalized: bigint | null } | null
}

export function cellsOfMeter(meter: FittedMeter, months: readonly WeatherMonthFact[], book: DegreeDayBook): WeatherCell[] {
  return months
    .filter(({ service_id }) => service_id === meter.service_id)
    .map(({ service_id, month, days_mask, days, cents, usage }) => {
      const weather = days === 0 ? null : book.ofMask(month, days_mask)
      const { fit, fault } = meter
      const isCompared = fit !== null && fault === null && usage !== null && weather !== null
      return {
        service_id,
        month,
        days,
        cents,
        usage,
        weather,
        compared: isCompared ? comparedOf(fit, usage, days, weather, book.normal(month, days)) : null,
      }
    })
}

/** Normalized usage is the usage less what the weather of these days added to that of the normal year. */
function comparedOf(fit: WeatherFit, usage: bigint, days: number, weather: DegreeDays, normal: DegreeDays | null) {
  const adjusted = usageIn(fit, days, weather)
  return { usage, adjusted, normalized: normal && usage + usageIn(fit, days, normal) - adjusted }
}

const MILLIONTHS = 6
const RATE_DECIMALS = 4

export function fitText({ model, base, heating, cooling, r2, adjusted_r2, cv_rmse, periods }: WeatherFit): MeterFit {
  return {
    model,
    base: decimalOfUnits(base, MILLIONTHS),
    heating: decimalOfUnits(heating, MILLIONTHS),
    cooling: decimalOfUnits(cooling, MILLIONTHS),
    r2: r2.toFixed(RATE_DECIMALS),
    adjusted_r2: adjusted_r2.toFixed(RATE_DECIMALS),
    cv_rmse: cv_rmse === null ? null : cv_rmse.toFixed(RATE_DECIMALS),
    periods,
  }
}

export function periodPoint({ starts_on, ends_on, days, usage, heating, cooling }: UsePeriod): WeatherPoint {
  return pointOf({ from: starts_on, to: addDays(ends_on, -1), days, usage, heating, cooling })
}

/** A month of the report; null without usage or weather. */
export function reportPoint({ month, days, usage, weather }: WeatherCell): WeatherPoint | null {
  if (usage === null || weather === null || days < MONTH_SHARE_MIN * daysInMonth(month)) return null
  return pointOf({ from: firstDayOf(month), to: lastDayOf(month), days, usage, ...weather })
}

/** Months that are billed for less than half would be drawn by a few days. */
const MONTH_SHARE_MIN = 0.5

interface DrawnPeriod extends DegreeDays {
  readonly from: string
  readonly to: string
  readonly days: number
  readonly usage: bigint
}

function pointOf({ from, to, days, usage, heating, cooling }: DrawnPeriod): WeatherPoint {
  const perDay = (value: string) => dividedBy(value, String(days), MILLIONTHS) ?? '0'
  const degrees = (value: number) => perDay(decimalOfUnits(BigInt(value), 2))
  return {
    from,
    to,
    days,
    usage_per_day: perDay(decimalOfUnits(usage, MILLIONTHS)),
    heating_per_day: degrees(heating),
    cooling_per_day: degrees(cooling),
  }
}
