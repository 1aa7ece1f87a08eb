/** Shared facts about one bill and one line for the rules, computed once. */
import { lineCosts } from '../bill-figures/allocation.ts'
import { numberOfDays, residualCharge } from '../bill-figures/bill-totals.ts'
import type { CalendarMonth } from '../kernel/date.ts'
import { approximately } from '../kernel/decimal.ts'
import { type Cents, centsOf, centsOrZero } from '../kernel/money.ts'
import type { AuditBill, AuditInput } from './input.ts'
import type { HistoryBill, HistoryLine } from './history-input.ts'
import { type AuditSettings, mergeAuditSettings } from './settings.ts'
import { medianOf, type Point } from './statistics.ts'
import { type BillAudit, lineContext, middleMonth } from './line-context.ts'

/** Computes the shared facts of a bill and its lines. */
export function auditContext(input: AuditInput): BillAudit {
  const { bill } = input
  const settings = mergeAuditSettings(input.settings)
  const others = input.history.filter((other) => other.id !== bill.id && other.id !== bill.rebill_of_id)
  const earlier = others.filter((other) => isEarlier(other, bill)).toSorted(byDateThenId)
  const charged = Math.abs(centsOrZero(bill.current_charges) + centsOrZero(bill.late_fee))
  const audit = {
    input,
    bill,
    settings,
    others,
    earlier,
    prior: earlier.at(-1) ?? null,
    size: Math.max(charged, Math.abs(centsOrZero(bill.amount_due)), usualCharge(earlier, settings)),
    isCurrent: isCurrent(input),
  }
  const costs = lineCosts(bill.service_bills, residualCharge(bill))
  return { ...audit, lines: bill.service_bills.map((line, place) => lineContext(audit, line, place, costs)) }
}

/** Returns values of earlier lines by month, in time order, for a baseline; lines without the value are left out. */
export function pointsOf(lines: readonly HistoryLine[], valueOf: (line: HistoryLine, days: number) => number | null): Point[] {
  return lines.flatMap((line) => {
    const span = spanOf(line)
    if (span === null) return []
    const value = valueOf(line, span.days)
    return value === null ? [] : [{ month: span.month, value }]
  })
}

/** Returns the median charge of the account's latest bills. */
function usualCharge(earlier: readonly HistoryBill[], settings: AuditSettings): Cents {
  const charges = earlier.slice(-settings.recent_lines).map((bill) => Math.abs(centsOf(bill.current_charges)))
  return Math.round(medianOf(charges))
}

interface Span {
  readonly days: number
  readonly month: CalendarMonth
}

/** Past lines never change, and every rule of every later bill needs their days. */
const spans = new WeakMap<HistoryLine, Span | 'none'>()

function spanOf(line: HistoryLine): Span | null {
  const known = spans.get(line)
  if (known !== undefined) return known === 'none' ? null : known
  const days = numberOfDays(line)
  const month = middleMonth(line)
  const span = days === null || days <= 0 || month === null ? null : { days, month }
  spans.set(line, span ?? 'none')
  return span
}

/** Returns the usage of an earlier line for statistics: in the standard unit if it converts. */
export function usageOfHistory(line: HistoryLine): number | null {
  const usage = line.standard_usage ?? line.usage
  return usage === null ? null : approximately(usage)
}

export function costOfHistory(line: HistoryLine): number {
  return centsOf(line.cost) / 100
}

/** Compares by bill date, so that a late bill is still compared with the bills before it; a bill without a date counts as the newest. */
function isEarlier(other: HistoryBill, bill: AuditBill): boolean {
  if (!bill.date) return true
  if (other.date !== bill.date) return other.date < bill.date
  return bill.id === null || other.id < bill.id
}

function isCurrent({ bill, context }: AuditInput): boolean {
  if (bill.paid || bill.finalized) return false
  return context.history_import_on === null || (bill.due_date !== null && bill.due_date >= context.history_import_on)
}

function byDateThenId(a: HistoryBill, b: HistoryBill): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  return a.id - b.id
}
