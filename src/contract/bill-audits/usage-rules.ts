/** Rules 8 to 12 and 27: the usage compared with this meter's usual usage at this time of the year. */
import { approximately, isZero } from '../kernel/decimal.ts'
import { pointsOf, usageOfHistory } from './context.ts'
import type { LineAudit } from './line-context.ts'
import type { Severity, Verdict } from './input.ts'
import { type Baseline, baselineFor, type Outlier, outlierOf } from './statistics.ts'
import { rate, signedPercent } from './words.ts'

const SAME_AS_PRIOR_LINES = 2
/** A meter that usually uses less than this in a whole period uses practically nothing: a drop through a closed valve. */
const USED_AT_ALL_UNITS = 1

/** 8. A meter without usage although it used to have some at this time of the year. Twice in a row is an error. */
export function usageZero(audit: LineAudit): Verdict[] {
  const { line, last, month, days, unit, settings } = audit
  if (!line.usage || !isZero(line.usage) || month === null || days === null) return []
  const baseline = baselineFor(month, usagePoints(audit), settings, 1)
  if (baseline === null || baseline.median * days < USED_AT_ALL_UNITS) return []
  const isSecond = last !== null && last.usage !== null && isZero(last.usage)
  const found = { field: 'usage', expected: perDay(baseline.median, unit), actual: '0' }
  const usual = `no usage against ${perDay(baseline.median, unit)} ${inWords(baseline)}`
  if (isSecond) return [{ ...found, severity: 'E', message: `For the second time in a row ${usual}` }]
  return [{ ...found, severity: 'W', message: `There is ${usual}` }]
}

/** 9. More usage than usual for this meter at this time of the year. */
export function usageHigh(audit: LineAudit): Verdict[] {
  const { settings } = audit
  return usageOutlier(audit, 'high', settings.usage_high_warning_percent, settings.usage_high_error_percent)
}

/** 10. Less usage than usual for this meter at this time of the year; none at all is rule 8. */
export function usageLow(audit: LineAudit): Verdict[] {
  const { settings, usage } = audit
  if (usage !== null && usage <= 0) return []
  return usageOutlier(audit, 'low', settings.usage_low_warning_percent, settings.usage_low_error_percent)
}

/** 11. Negative usage without net metering or an adjustment. */
export function usageNegative({ line, service, bill }: LineAudit): Verdict[] {
  if (!line.usage || approximately(line.usage) >= 0 || service?.net_metered || bill.bill.rebill_adjustment) return []
  return [
    {
      severity: 'E',
      field: 'usage',
      expected: '0 or more',
      actual: line.usage,
      message: `The usage ${rate(approximately(line.usage))} is negative, but the meter is not net metered`,
    },
  ]
}

/** 12. The same usage per day as on both previous bills: perhaps an unmarked estimate. */
export function usageSame({ line, usage, days, earlier, unit, settings }: LineAudit): Verdict[] {
  if (line.estimated || usage === null || usage <= 0 || days === null || days <= 0) return []
  const before = pointsOf(earlier.slice(-SAME_AS_PRIOR_LINES), (one, count) => perCountedDay(usageOfHistory(one), count))
  const daily = usage / days
  const isSame = (value: number): boolean => Math.abs(daily - value) <= (value * settings.usage_same_percent) / 100
  if (before.length < SAME_AS_PRIOR_LINES || !before.every((point) => point.value > 0 && isSame(point.value))) return []
  return [
    {
      severity: 'W',
      field: 'usage',
      actual: perDay(daily, unit),
      limit: `${settings.usage_same_percent}%`,
      message: `The usage of ${perDay(daily, unit)} equals both bills before: possible estimate`,
    },
  ]
}

/** 27. A unit in which the service is not billed. */
export function unitMismatch({ line, service }: LineAudit): Verdict[] {
  if (service === null || !line.usage || isZero(line.usage) || service.usage_units.length === 0) return []
  const symbolOf = (unitId: number | null): string =>
    service.usage_units.find((unit) => unit.unit_id === unitId)?.symbol ?? line.raw_unit ?? 'none'
  const found = { severity: 'W', field: 'unit_id', actual: symbolOf(line.unit_id) } as const
  if (!service.usage_units.some((unit) => unit.unit_id === line.unit_id)) {
    return [
      {
        ...found,
        expected: service.usage_units.map((unit) => unit.symbol).join(', '),
        message: `The unit ${symbolOf(line.unit_id)} is not one of the service's: its usage cannot be summed`,
      },
    ]
  }
  if (service.usage_unit_id === null || service.usage_unit_id === line.unit_id) return []
  return [
    {
      ...found,
      expected: symbolOf(service.usage_unit_id),
      message: `The unit is ${symbolOf(line.unit_id)}; the service is billed in ${symbolOf(service.usage_unit_id)}`,
    },
  ]
}

/** The basis of the baseline, in words. */
export function inWords(baseline: Baseline): string {
  return baseline.basis === 'season'
    ? 'in the same months of prior years'
    : `over the last ${baseline.points} ${baseline.points === 1 ? 'bill' : 'bills'}`
}

function usageOutlier(audit: LineAudit, direction: Outlier['direction'], warning: number, error: number): Verdict[] {
  const { whole, unit, settings } = audit
  if (whole === null) return []
  const { usage, days, month } = whole
  if (usage === null || days === null || days <= 0 || month === null) return []
  const baseline = baselineFor(month, usagePoints(audit), settings)
  if (baseline === null) return []
  const daily = usage / days
  const outlier = outlierOf(daily, baseline, { high: warning, low: warning, spreads: settings.outlier_spreads })
  if (outlier === null || outlier.direction !== direction) return []
  const severity: Severity = Math.abs(outlier.percent) > error ? 'E' : 'W'
  const limit = severity === 'E' ? error : warning
  return [
    {
      severity,
      field: 'usage',
      expected: perDay(baseline.median, unit),
      actual: perDay(daily, unit),
      limit: `${limit}%`,
      message: `${perDay(daily, unit)} against ${perDay(baseline.median, unit)} ${inWords(baseline)}, ${signedPercent(outlier.percent)}, limit ${limit}%`,
    },
  ]
}

function usagePoints({ earlier }: LineAudit) {
  return pointsOf(earlier, (line, days) => perCountedDay(usageOfHistory(line), days))
}

function perCountedDay(usage: number | null, days: number): number | null {
  return usage === null ? null : usage / days
}

function perDay(value: number, unit: string): string {
  return `${rate(value)} ${unit}/day`
}
