/** The comparison in the same weather in words, and as files. Pure. */
import type { MeterFit, WeatherAnswer, WeatherFigures, WeatherMeter, WeatherReason } from '#contract/dashboard/dashboard-weather.ts'
import { formatMonth, monthOf } from '#contract/kernel/date.ts'
import { absolute, approximately, dividedBy, formatDecimal, isZero, times } from '#contract/kernel/decimal.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { CV_RMSE_MAX, R2_MIN, USE_PERIODS_MIN } from '#contract/weather/weather-fit.ts'
import { csvText } from '../kernel/csv-text.ts'

/** Why there are no figures, or why a part of the usage is not compared: a sentence each. */
export const reasonSentences: Readonly<Record<WeatherReason, string>> = {
  no_station: 'The facility names no weather station.',
  no_degree_days: 'The weather station has no degree days.',
  no_usage: 'No usage is billed.',
  few_periods: `The baseline has fewer than ${USE_PERIODS_MIN} bill periods with degree days.`,
  not_weather: 'The usage does not follow the weather: degree days explain it no better than its mean.',
  poor_fit: `The fit is too poor: R² must be at least ${R2_MIN} and CV(RMSE) at most ${percentOf(CV_RMSE_MAX)}.`,
  days_without_weather: 'Some billed days have no degree days.',
  no_fit: 'Some meters have no fit that is good enough.',
  no_price: 'There is no unit cost, because no usage is paid for.',
  no_normal_year: 'There is no normal year, because no calendar year of degree days is whole.',
}

export function percentOf(share: number): string {
  return `${Number((share * 100).toFixed(1))}%`
}

/** '1,200 kWh'; null stays null. */
export function usageText(value: string | null, unit: string): string | null {
  return value === null ? null : `${formatDecimal(value, 0)} ${unit}`.trim()
}

/** Returns the result of the comparison as a sentence; null where nothing is compared. */
export function avoidedSentence({ total, service, baseline, report }: WeatherAnswer): string | null {
  const { avoided_usage: avoided, adjusted_usage: adjusted, avoided_cost: cost } = total
  if (avoided === null || adjusted === null) return null
  const against = `${spanText(baseline)} would have used in the weather of ${spanText(report)}`
  if (isZero(avoided)) return `As much was used as ${against}.`
  const isMore = avoided.startsWith('-')
  const share = isZero(adjusted) ? null : dividedBy(times(absolute(avoided), '100'), absolute(adjusted), 1)
  const amount = usageText(absolute(avoided), service?.unit_symbol ?? '')
  const money = cost === null ? '' : `, ${formatMoney(absolute(cost))} ${isMore ? 'of extra cost' : 'avoided'}`
  return `${amount}${share === null ? '' : ` (${share}%)`} ${isMore ? 'more' : 'less'} was used than ${against}${money}.`
}

export function spanText({ from, to }: WeatherAnswer['report']): string {
  return `${formatMonth(monthOf(from))} – ${formatMonth(monthOf(to))}`
}

export function meterName({ meter_number, account_number }: Pick<WeatherMeter, 'meter_number' | 'account_number'>): string {
  return meter_number ?? account_number ?? 'Meter'
}

/** 'kWh a day = 120.5 + 3.2 × HDD': the equation with the digits that it is computed with. */
export function equationText({ base, heating, cooling }: MeterFit, unit: string): string {
  const parts = [
    plain(base),
    ...(isZero(heating) ? [] : [`${plain(heating)} × HDD`]),
    ...(isZero(cooling) ? [] : [`${plain(cooling)} × CDD`]),
  ]
  return `${unit} a day = ${parts.join(' + ')}`.trim()
}

function plain(value: string): string {
  return value.includes('.') ? value.replace(/0+$/, '').replace(/\.$/, '') : value
}

/** 'R² 0.93 · CV(RMSE) 8.1% · 11 periods'. */
export function qualityText({ r2, cv_rmse, periods }: MeterFit, leftOut: number): string {
  return [
    `R² ${approximately(r2).toFixed(2)}`,
    cv_rmse === null ? 'no CV(RMSE)' : `CV(RMSE) ${percentOf(approximately(cv_rmse))}`,
    `${periods} periods`,
    ...leftOutText(leftOut),
  ].join(' · ')
}

export function leftOutText(count: number): string[] {
  return count === 0 ? [] : [`${count} left out: days without degree days`]
}

type Figures = Omit<WeatherFigures, 'reason'>
export const weatherColumns: readonly { readonly key: keyof Figures; readonly label: string; readonly isMoney: boolean }[] = [
  { key: 'usage', label: 'Usage', isMoney: false },
  { key: 'compared_usage', label: 'Compared', isMoney: false },
  { key: 'adjusted_usage', label: 'Baseline, adjusted', isMoney: false },
  { key: 'avoided_usage', label: 'Avoided', isMoney: false },
  { key: 'avoided_cost', label: 'Avoided cost', isMoney: true },
  { key: 'normalized_usage', label: 'Normalized', isMoney: false },
]

const figureHeads = [...weatherColumns.map(({ label, isMoney }) => `${label}${isMoney ? ' ($)' : ''}`), 'Cost ($)', 'Reason']

function figureCells(figures: WeatherFigures): string[] {
  return [
    ...weatherColumns.map(({ key }) => figures[key] ?? ''),
    figures.cost,
    figures.reason === null ? '' : reasonSentences[figures.reason],
  ]
}

/** A line a month, with all digits. */
export function monthsCsv({ months, service, station }: WeatherAnswer): string {
  const head = ['Month', 'Service', 'Unit', 'Station', 'HDD', 'Normal HDD', 'CDD', 'Normal CDD', 'Billed', ...figureHeads]
  const lines = months.map((row) => [
    row.month,
    service?.name ?? '',
    service?.unit_symbol ?? '',
    station?.code ?? '',
    row.heating ?? '',
    row.normal_heating ?? '',
    row.cooling ?? '',
    row.normal_cooling ?? '',
    row.coverage ?? '',
    ...figureCells(row),
  ])
  return csvText([head, ...lines])
}

/** A line a meter, with its fit. */
export function metersCsv({ meters, service }: WeatherAnswer): string {
  const fitHeads = ['Model', 'Base a Day', 'Per HDD', 'Per CDD', 'R2', 'Adjusted R2', 'CV(RMSE)', 'Periods', 'Periods Left Out']
  const head = ['Meter', 'Account', 'Service', 'Unit', ...fitHeads, ...figureHeads]
  const lines = meters.map((row) => [
    row.meter_number ?? '',
    row.account_number ?? '',
    service?.name ?? '',
    service?.unit_symbol ?? '',
    ...fitCells(row.fit),
    String(row.periods_left_out),
    ...figureCells(row),
  ])
  return csvText([head, ...lines])
}

function fitCells(fit: MeterFit | null): string[] {
  if (fit === null) return Array.from({ length: 8 }, () => '')
  return [fit.model, fit.base, fit.heating, fit.cooling, fit.r2, fit.adjusted_r2, fit.cv_rmse ?? '', String(fit.periods)]
}
