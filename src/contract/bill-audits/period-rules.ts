/** Rules 1 to 3 and 13: the days that a line covers, and whether its read was actual. */
import { type CalendarDate, daysBetween, formatDate } from '../kernel/date.ts'
import { type LineAudit, servicePeriod } from './line-context.ts'
import type { Verdict } from './input.ts'
import type { AuditAccount } from './estate-input.ts'
import type { AuditSettings } from './settings.ts'
import { dayCount } from './words.ts'

const DEFAULT_CYCLE_DAYS = 30
const INCLUSIVE_GAP_DAYS = 1

/** 1. Days between the last read and the start of this line belong to a missing bill. */
export function readGap({ line, lastRead, settings }: LineAudit): Verdict[] {
  if (!line.previous_read_date || !lastRead) return []
  const gap = daysBetween(lastRead, line.previous_read_date)
  if (gap <= 0) return []
  const found = {
    field: 'previous_read_date',
    expected: lastRead,
    actual: line.previous_read_date,
    limit: dayCount(settings.read_gap_error_days),
  }
  const from = `starts ${dayCount(gap)} after the last read of ${formatDate(lastRead)}`
  if (gap === INCLUSIVE_GAP_DAYS)
    return [{ ...found, severity: 'I', message: `The period ${from}: inclusive dates, treated as contiguous` }]
  if (gap < settings.read_gap_warning_days) return []
  if (gap < settings.read_gap_error_days) return [{ ...found, severity: 'W', message: `The period ${from}` }]
  return [{ ...found, severity: 'E', message: `The period ${from}: a bill is missing` }]
}

/** 2. Days already covered by an earlier line are billed twice; an adjustment may do that. */
export function readOverlap({ bill, line, lastRead }: LineAudit): Verdict[] {
  if (!line.previous_read_date || !lastRead) return []
  const overlap = daysBetween(line.previous_read_date, lastRead)
  if (overlap <= 0) return []
  const found = { field: 'previous_read_date', expected: lastRead, actual: line.previous_read_date }
  const message = `The period starts ${dayCount(overlap)} before the last read of ${formatDate(lastRead)}`
  if (bill.bill.rebill_adjustment) return [{ ...found, severity: 'I', message: `${message}, as an adjustment may` }]
  return [{ ...found, severity: 'E', message: `${message}: it overlaps the previous bill` }]
}

/** 3. A period outside the billing cycle, or without any days. Several lines of a service on the bill are checked together. */
export function periodLength(audit: LineAudit): Verdict[] {
  const { bill, days, settings } = audit
  if (days === null) return []
  if (days <= 0)
    return [
      {
        field: 'read_date',
        severity: 'E',
        actual: dayCount(days),
        expected: 'at least 1 day',
        message: `The read date is not after the previous one: ${dayCount(days)}`,
      },
    ]
  const period = wholePeriod(audit)
  if (period === null) return []
  const span = daysBetween(period.from, period.to)
  const found = { field: 'read_date', actual: dayCount(span) }
  if (span > settings.period_max_days) {
    return [
      {
        ...found,
        severity: 'E',
        limit: dayCount(settings.period_max_days),
        message: `The period of ${dayCount(span)} is longer than ${dayCount(settings.period_max_days)}`,
      },
    ]
  }
  const { cycle, tolerance } = cycleOf(bill.input.account, settings)
  const longest = (cycle * settings.period_error_percent) / 100
  const range = `${cycle - tolerance} to ${cycle + tolerance} days`
  if (span >= longest)
    return [
      {
        ...found,
        severity: 'E',
        expected: range,
        limit: dayCount(Math.ceil(longest)),
        message: `The period of ${dayCount(span)} spans more than one cycle of ${dayCount(cycle)}`,
      },
    ]
  if (Math.abs(span - cycle) <= tolerance) return []
  return [
    {
      ...found,
      severity: 'W',
      expected: range,
      limit: range,
      message: `The period of ${dayCount(span)} (${formatDate(period.from)} to ${formatDate(period.to)}) is outside the cycle of ${range}`,
    },
  ]
}

/** 13. One estimated read is normal; several in a row hide the actual usage. It never blocks: the money is owed anyway. */
export function estimatedRun({ line, inAnyUnit }: LineAudit): Verdict[] {
  if (!line.estimated) return []
  const lastReal = inAnyUnit.findLastIndex((one) => !one.estimated)
  const reads = new Set(inAnyUnit.slice(lastReal + 1).map((one) => one.read_date))
  const run = reads.size + 1
  if (run === 1) return [{ severity: 'I', field: 'estimated', actual: '1', message: 'The read is estimated' }]
  return [{ severity: 'W', field: 'estimated', actual: String(run), limit: '1', message: `The read is estimated, ${run} in a row` }]
}

/**
 * Returns the range from the first start to the last end of the service's lines on this bill; null on all but the first of them, which
 * represents them all.
 */
function wholePeriod({ bill, line, place }: LineAudit): { from: CalendarDate; to: CalendarDate } | null {
  const lines = bill.bill.service_bills
  if (lines.findIndex((other) => other.service_id === line.service_id) !== place) return null
  const { from, to } = servicePeriod(lines.filter((other) => other.service_id === line.service_id))
  return from === null || to === null ? null : { from, to }
}

function cycleOf(account: AuditAccount | null, settings: AuditSettings): { cycle: number; tolerance: number } {
  switch (account?.billing_period) {
    case 0:
      return { cycle: 7, tolerance: settings.weekly_tolerance_days }
    case 1:
      return { cycle: 14, tolerance: settings.bi_weekly_tolerance_days }
    case 3:
      return { cycle: 91, tolerance: settings.quarterly_tolerance_days }
    default:
      return { cycle: account?.billing_cycle ?? DEFAULT_CYCLE_DAYS, tolerance: settings.monthly_tolerance_days }
  }
}
