/** The input of the audits of one line: the line, its meter's earlier lines and the other lines of the meter. */
import { adjustedStandardUsage, numberOfDays } from '../bill-figures/bill-totals.ts'
import { historyLine } from './history.ts'
import { addDays, type CalendarDate, type CalendarMonth, daysBetween, isCalendarDate, monthOf } from '../kernel/date.ts'
import { approximately } from '../kernel/decimal.ts'
import type { Cents } from '../kernel/money.ts'
import type { AuditBill, AuditInput, AuditLine } from './input.ts'
import type { AuditService } from './estate-input.ts'
import type { HistoryBill, HistoryLine } from './history-input.ts'
import { type AuditSettings, mergeAuditSettings } from './settings.ts'

export interface BillAudit {
  readonly input: AuditInput
  readonly bill: AuditBill
  readonly settings: AuditSettings
  /** All other live bills of the account, without the original that a rebill replaces or adds to. */
  readonly others: readonly HistoryBill[]
  /** The bills before this one, the latest last. */
  readonly earlier: readonly HistoryBill[]
  readonly prior: HistoryBill | null
  /** The largest absolute value of the charges, the amount due and the account's usual charge; decides whether warnings are shown. */
  readonly size: Cents
  /** Whether the bill is compared with today: not if it is paid, nor if it is older than the history that it was imported with. */
  readonly isCurrent: boolean
  readonly lines: readonly LineAudit[]
}

export interface LineAudit {
  readonly bill: Omit<BillAudit, 'lines'>
  readonly line: AuditLine
  readonly place: number
  readonly service: AuditService | null
  readonly settings: AuditSettings
  readonly days: number | null
  /**
   * Earlier lines of the same service in time order, including those of this bill: a tariff change splits a period in two. If a meter is billed
   * in several units, only the lines in this unit.
   */
  readonly earlier: readonly HistoryLine[]
  readonly last: HistoryLine | null
  /** The same in any unit: the days and the dial of a meter do not depend on the unit. */
  readonly inAnyUnit: readonly HistoryLine[]
  /** The latest read of the service in any unit. */
  readonly lastRead: CalendarDate | null
  readonly cost: Cents
  /** Usage in the standard unit if it converts, else as billed; for statistics only. */
  readonly usage: number | null
  readonly unit: string
  /** The calendar month in the middle of the line. */
  readonly month: CalendarMonth | null
  /**
   * All lines of the service on this bill together, if a change of tariff or meter splits its period: a single part does not show the cost of a
   * day. Null on all but the earliest of them, which represents them all.
   */
  readonly whole: WholeService | null
}

export interface WholeService {
  readonly days: number | null
  readonly cost: Cents
  /** Null if a line has none. */
  readonly usage: number | null
  readonly month: CalendarMonth | null
}

/** Returns the first and last day of the bill's lines together; null if none has dates. */
export function servicePeriod(
  lines: readonly { readonly previous_read_date: CalendarDate | null; readonly read_date: CalendarDate | null }[],
): {
  readonly from: CalendarDate | null
  readonly to: CalendarDate | null
} {
  const starts = lines.flatMap((line) => line.previous_read_date ?? []).toSorted()
  const ends = lines.flatMap((line) => line.read_date ?? []).toSorted()
  return { from: starts[0] ?? null, to: ends.at(-1) ?? null }
}

export function lineContext(bill: Omit<BillAudit, 'lines'>, line: AuditLine, place: number, costs: readonly Cents[]): LineAudit {
  const service = bill.input.services.find((one) => one.id === line.service_id) ?? null
  const billed = service?.usage_units.find((unit) => unit.unit_id === line.unit_id) ?? null
  const standard = adjustedStandardUsage(line, billed?.conversion_factor ?? null)
  const ofService = [
    ...bill.earlier.flatMap((other) => other.lines.filter((one) => one.service_id === line.service_id)),
    ...earlierParts(bill, line, costs),
  ].toSorted(byReadDate)
  const ofUnit = ofService.filter((one) => one.unit_id === line.unit_id)
  const earlier = ofUnit.length > 0 ? ofUnit : ofService
  const own = { cost: costs[place] ?? 0, usage: usageOfLine(bill.input, line) }
  return {
    bill,
    line,
    place,
    service,
    earlier,
    ...own,
    settings: service ? mergeAuditSettings([...bill.input.settings, service.audit_settings]) : bill.settings,
    days: numberOfDays(line),
    last: earlier.at(-1) ?? null,
    inAnyUnit: ofService,
    lastRead: ofService.at(-1)?.read_date ?? null,
    unit: (standard === null ? billed?.symbol : service?.standard_unit) ?? line.raw_unit ?? 'units',
    month: middleMonth(line),
    whole: wholeService(bill, line, costs),
  }
}

/** Returns the adjusted usage in the standard unit if it converts, else as billed. */
function usageOfLine(input: AuditInput, line: AuditLine): number | null {
  const service = input.services.find((one) => one.id === line.service_id)
  const factor = service?.usage_units.find((unit) => unit.unit_id === line.unit_id)?.conversion_factor ?? null
  const usage = adjustedStandardUsage(line, factor) ?? line.usage
  return usage === null || usage === '' ? null : approximately(usage)
}

function wholeService({ input, bill }: Omit<BillAudit, 'lines'>, line: AuditLine, costs: readonly Cents[]): WholeService | null {
  const parts = bill.service_bills.flatMap((part, place) =>
    part === line || (part.service_id !== null && part.service_id === line.service_id) ? [{ part, cost: costs[place] ?? 0 }] : [],
  )
  const first = parts.toSorted((a, b) => compareTexts(a.part.previous_read_date, b.part.previous_read_date))[0]
  if (first?.part !== line) return null
  const { from, to } = servicePeriod(parts.map(({ part }) => part))
  const span = { previous_read_date: from, read_date: to }
  const used = parts.map(({ part }) => usageOfLine(input, part))
  const isWhole = parts.every(({ part }) => part.unit_id === line.unit_id)
  return {
    days: numberOfDays(span),
    month: middleMonth(span),
    cost: parts.reduce((sum, part) => sum + part.cost, 0),
    usage: isWhole ? used.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0) : null,
  }
}

/** Returns the lines of the same service and bill that start before this one. */
function earlierParts(bill: Omit<BillAudit, 'lines'>, line: AuditLine, costs: readonly Cents[]): HistoryLine[] {
  const { previous_read_date } = line
  if (!previous_read_date) return []
  return bill.bill.service_bills.flatMap((other, place) => {
    const isBefore =
      other.service_id === line.service_id && other.previous_read_date !== null && other.previous_read_date < previous_read_date
    return isBefore ? historyLine(other, bill.input.services, costs[place] ?? 0) : []
  })
}

export function middleMonth(line: {
  readonly previous_read_date: CalendarDate | null
  readonly read_date: CalendarDate | null
}): CalendarMonth | null {
  const { previous_read_date, read_date } = line
  if (!previous_read_date || !read_date || !isCalendarDate(previous_read_date) || !isCalendarDate(read_date)) return null
  return monthOf(addDays(previous_read_date, Math.floor(daysBetween(previous_read_date, read_date) / 2)))
}

function byReadDate(a: HistoryLine, b: HistoryLine): number {
  return compareTexts(a.read_date, b.read_date)
}

function compareTexts(a: string | null, b: string | null): number {
  const [left, right] = [a ?? '', b ?? '']
  return left < right ? -1 : left > right ? 1 : 0
}
