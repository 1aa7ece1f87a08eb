/** The audits of the cost of a day and of the price of a unit. */
import { costOfHistory, pointsOf, usageOfHistory } from './context.ts'
import type { LineAudit } from './line-context.ts'
import type { Verdict } from './input.ts'
import { baselineFor, type Outlier } from './statistics.ts'
import { usageHigh, usageLow } from './usage-rules.ts'
import { dollars, rate } from './words.ts'
import { isTooSmall, costVerdict, costDayPoints } from './cost-verdict.ts'

/** 18. Costs more per day than usual for this service at this time of the year. */
export function costDayHigh(audit: LineAudit): Verdict[] {
  return costDayOutlier(audit, 'high')
}

/** 18. Costs less per day than usual: a charge may be missing. */
export function costDayLow(audit: LineAudit): Verdict[] {
  return costDayOutlier(audit, 'low')
}

/** Cents are enough from a dollar on; below it three digits distinguish $0.127 from $0.134. */
function price(value: number): string {
  return value >= 1 ? dollars(value) : `$${rate(value)}`
}

/**
 * 19. The cost per unit is far from usual. Fixed charges make few units expensive and many cheap, which is no mistake: the cost per day must
 * have changed in the same direction.
 */
export function unitCostOutlier(audit: LineAudit): Verdict[] {
  const { bill, whole, unit, settings } = audit
  if (isTooSmall(bill) || whole === null || whole.usage === null || whole.usage <= 0 || whole.days === null || whole.days <= 0) return []
  const points = pointsOf(audit.earlier, (line) => {
    const used = usageOfHistory(line)
    return used === null || used <= 0 ? null : costOfHistory(line) / used
  })
  const warning = settings.unit_cost_percent
  const limits = {
    high: { warning, error: settings.unit_cost_high_error_percent },
    low: { warning, error: settings.unit_cost_low_error_percent },
  }
  const cost = whole.cost / 100
  const found = costVerdict(audit, points, cost / whole.usage, limits, (value) => `${price(value)} per ${unit}`)
  const usual = whole.month === null ? null : baselineFor(whole.month, costDayPoints(audit), settings)
  if (found === null || usual === null) return []
  const isSameWay = found.outlier.direction === 'high' ? cost / whole.days > usual.median : cost / whole.days < usual.median
  return isSameWay ? [found.verdict] : []
}

function costDayOutlier(audit: LineAudit, direction: Outlier['direction']): Verdict[] {
  const { bill, whole, settings } = audit
  if (isTooSmall(bill) || whole === null || whole.days === null || whole.days <= 0) return []
  const limits = {
    high: { warning: settings.cost_day_high_percent, error: settings.cost_day_high_error_percent },
    low: { warning: settings.cost_day_low_percent, error: settings.cost_day_low_error_percent },
  }
  const found = costVerdict(audit, costDayPoints(audit), whole.cost / 100 / whole.days, limits, (value) => `${dollars(value)}/day`)
  if (found?.outlier.direction !== direction || isExplainedByUsage(audit, direction)) return []
  return [found.verdict]
}

/** More or less usage at the usual price is one fact, which the usage rules already report. */
function isExplainedByUsage(audit: LineAudit, direction: Outlier['direction']): boolean {
  const ofUsage = direction === 'high' ? usageHigh(audit) : usageLow(audit)
  return audit.service?.metered !== false && ofUsage.length > 0 && unitCostOutlier(audit).length === 0
}
