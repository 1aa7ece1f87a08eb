/** Judges a price by the earlier ones: how far a cost lies outside of what is usual. */
import { centsOf } from '../kernel/money.ts'
import { costOfHistory, pointsOf } from './context.ts'
import type { BillAudit, LineAudit } from './line-context.ts'
import type { Verdict } from './input.ts'
import { baselineFor, type Outlier, outlierOf, type Point } from './statistics.ts'
import { inWords } from './usage-rules.ts'
import { signedPercent } from './words.ts'

export function isTooSmall({ size, settings }: Pick<BillAudit, 'size' | 'settings'>): boolean {
  return size < centsOf(settings.min_cost)
}

export function costDayPoints({ earlier }: LineAudit): Point[] {
  return pointsOf(earlier, (line, count) => costOfHistory(line) / count)
}

/** Percentages from which a value is a warning or an error. */
interface Levels {
  readonly warning: number
  readonly error: number
}

export function costVerdict(
  { whole, settings }: LineAudit,
  points: readonly Point[],
  value: number,
  limits: Readonly<Record<Outlier['direction'], Levels>>,
  shown: (value: number) => string,
): { readonly outlier: Outlier; readonly verdict: Verdict } | null {
  const month = whole?.month ?? null
  const baseline = month === null ? null : baselineFor(month, points, settings)
  const warnings = { high: limits.high.warning, low: limits.low.warning, spreads: settings.outlier_spreads }
  const outlier = baseline === null ? null : outlierOf(value, baseline, warnings)
  if (baseline === null || outlier === null) return null
  const { warning, error } = limits[outlier.direction]
  const severity = Math.abs(outlier.percent) > error ? 'E' : 'W'
  const limit = `${severity === 'E' ? error : warning}%`
  return {
    outlier,
    verdict: {
      severity,
      field: 'service_bill_entry_fields',
      expected: shown(baseline.median),
      actual: shown(value),
      limit,
      message: `${shown(value)} against ${shown(baseline.median)} ${inWords(baseline)}, ${signedPercent(outlier.percent)}, limit ${limit}`,
    },
  }
}
