/**
 * The usage that a facility would have had in the same weather: its usage against a baseline year, meter by meter, by the degree days of its weather
 * station. Amounts are decimal text; null means that there is no such number, and a reason says why.
 */
import { z } from 'zod'
import { call } from '../kernel/call.ts'
import { addToMonth, isCalendarMonth } from '../kernel/date.ts'
import { weatherModels } from '../weather/weather-fit.ts'
import { dashboardScopeMay, unknownParameter, window } from './dashboard.ts'
import { customRangeFaults } from './date-range.ts'

/** Months of a baseline: each season once. */
export const BASELINE_MONTHS = 12

/** Why there are no figures: of the facility, of a meter, of a month, or of the normal year. */
export const weatherReasons = [
  'no_station',
  'no_degree_days',
  'no_usage',
  'few_periods',
  'not_weather',
  'poor_fit',
  'days_without_weather',
  'no_fit',
  'no_price',
  'no_normal_year',
] as const
export type WeatherReason = (typeof weatherReasons)[number]

/** Nothing can be shown of a facility for these reasons, whatever months are chosen or left out. */
export function isFixedReason(reason: WeatherReason): boolean {
  return reason === 'no_station' || reason === 'no_degree_days' || reason === 'no_usage'
}

const value = z.string().nullable()
const reason = z.enum(weatherReasons).nullable()

/**
 * `usage` and `cost` are all that is billed. `compared_usage` is the part of it with a fit and with degree days; the other figures are of that
 * part: avoided_usage = adjusted_usage − compared_usage. `reason` says why they are null, or why a part of the usage is not compared.
 */
const figures = {
  usage: value,
  cost: z.string(),
  compared_usage: value,
  adjusted_usage: value,
  avoided_usage: value,
  avoided_cost: value,
  normalized_usage: value,
  reason,
}

/** Degree days per day, and usage per day. Of the report they are by month, of the baseline by bill period. */
const point = z.object({
  from: z.string(),
  to: z.string(),
  days: z.int(),
  usage_per_day: z.string(),
  heating_per_day: z.string(),
  cooling_per_day: z.string(),
})
export type WeatherPoint = z.infer<typeof point>

/** Usage of a day = base + heating × heating degree days + cooling × cooling degree days, in the unit with 6 decimals. */
const fit = z.object({
  model: z.enum(weatherModels),
  base: z.string(),
  heating: z.string(),
  cooling: z.string(),
  r2: z.string(),
  adjusted_r2: z.string(),
  cv_rmse: value,
  periods: z.int(),
})
export type MeterFit = z.infer<typeof fit>

const meter = z.object({
  ...figures,
  service_id: z.int(),
  /** Null for whoever may not read accounts. */
  meter_number: value,
  account_number: value,
  fit: fit.nullable(),
  /** Bill periods of the baseline without a full set of degree days. */
  periods_left_out: z.int(),
  baseline_points: z.array(point),
  report_points: z.array(point),
})
export type WeatherMeter = z.infer<typeof meter>

/** `coverage` is the covered part of the days of the meters that are compared. Degree days are those of the whole month. */
const month = z.object({
  ...figures,
  month: z.string(),
  coverage: value,
  heating: value,
  cooling: value,
  normal_heating: value,
  normal_cooling: value,
})
export type WeatherMonth = z.infer<typeof month>

const service = z.object({ id: z.int(), name: z.string(), service_code: z.string(), unit_symbol: z.string().nullable() })

const weatherAnswer = z.object({
  facility: z.object({ id: z.int(), name: z.string() }),
  station: z.object({ code: z.string(), name: z.string(), base_temperature: z.int() }).nullable(),
  service: service.nullable(),
  service_options: z.array(service),
  meter_options: z.array(z.object({ id: z.int(), meter_number: value, account_number: value })),
  baseline: window,
  report: window,
  /** The calendar years whose mean is the normal year. */
  normal_years: z.array(z.int()),
  /** All that the bills of the service charge here in the report's months ÷ its usage, 6 decimals. */
  unit_cost: value,
  total: z.object(figures),
  months: z.array(month),
  meters: z.array(meter),
})
export type WeatherAnswer = z.infer<typeof weatherAnswer>
export type WeatherFigures = WeatherAnswer['total']

const id = z.string().regex(/^[1-9]\d{0,15}$/, 'must be an id')

const query = z
  .strictObject(
    {
      /** A utility service; by default the one that costs most of those with usage. */
      service: id.optional(),
      /** One of its meters; by default all of them. */
      meter: id.optional(),
      /** The first of the twelve months of the baseline; by default the twelve before the report. */
      baseline_month: z.string().max(7).optional(),
      /** The months of the report; by default the last twelve complete ones. */
      from_month: z.string().max(7).optional(),
      to_month: z.string().max(7).optional(),
    },
    { error: unknownParameter },
  )
  .superRefine(({ baseline_month, from_month, to_month }, issues) => {
    for (const { field, message } of customRangeFaults(from_month, to_month)) issues.addIssue({ code: 'custom', path: [field], message })
    const fault = baselineFault(baseline_month, from_month)
    if (fault !== null) issues.addIssue({ code: 'custom', path: ['baseline_month'], message: fault })
  })
export type WeatherQuery = z.infer<typeof query>

/** Why a month cannot begin the baseline; null where it can. A baseline that reached into the report would be compared with itself. */
export function baselineFault(baseline: string | undefined, from: string | undefined): string | null {
  if (!baseline) return null
  if (!isCalendarMonth(baseline) || baseline < '1990-01' || baseline > '2199-12')
    return 'Baseline Month must be a month as YYYY-MM from 1990 to 2199'
  if (!from || !isCalendarMonth(from)) return null
  return addToMonth(baseline, BASELINE_MONTHS) > from ? 'Baseline Month must be at least 12 months before From Month' : null
}

export const dashboardWeatherCalls = {
  weather: call({
    name: 'dashboard.weather',
    method: 'GET',
    path: '/clients/:client_id/facilities/:facility_id/weather',
    may: dashboardScopeMay.facility,
    summary:
      'The usage of a facility against a baseline year in the same weather: the fit of each meter, avoided usage and cost, normalized usage',
    query,
    reply: weatherAnswer,
  }),
}
