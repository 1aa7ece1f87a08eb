/** A past bill in the form that the audits of later bills read. */
import { lineCosts } from '../bill-figures/allocation.ts'
import { adjustedStandardUsage, residualCharge } from '../bill-figures/bill-totals.ts'
import { approximately } from '../kernel/decimal.ts'
import { wireOf } from '../kernel/money.ts'
import type { AuditBill, AuditLine } from './input.ts'
import type { AuditService } from './estate-input.ts'
import type { HistoryBill, HistoryLine } from './history-input.ts'

/** When a bill was received, batched and paid, and how much; null if unknown. */
type Course = Pick<HistoryBill, 'amount_paid' | 'received_on' | 'batched_on' | 'paid_on'>

const unknownCourse: Course = { amount_paid: null, received_on: null, batched_on: null, paid_on: null }

/**
 * Turns a bill into history. Null for a bill that is not saved or lacks its date or amounts, because nothing can be compared with it. Loading
 * the same values by SQL is equivalent.
 */
export function historyBill(bill: AuditBill, services: readonly AuditService[], course: Course = unknownCourse): HistoryBill | null {
  const { id, date, due_date, invoice_number, current_charges, amount_due, paid } = bill
  if (id === null || date === null || current_charges === null || amount_due === null) return null
  const costs = lineCosts(bill.service_bills, residualCharge(bill))
  const lines = bill.service_bills.flatMap((line, place) => historyLine(line, services, costs[place] ?? 0))
  return { id, date, due_date, invoice_number, current_charges, amount_due, paid, ...course, lines }
}

/** Turns one line into history; empty for a line without a service. */
export function historyLine(line: AuditLine, services: readonly AuditService[], cost: number): HistoryLine[] {
  const { service_id, previous_read_date, read_date, meter_reading, multiplier, unit_id, usage, estimated } = line
  if (service_id === null) return []
  const unit = services.find((service) => service.id === service_id)?.usage_units.find((one) => one.unit_id === unit_id)
  const standard_usage = adjustedStandardUsage(line, unit?.conversion_factor ?? null)
  return [
    {
      service_id,
      previous_read_date,
      read_date,
      meter_reading,
      multiplier,
      unit_id,
      usage,
      standard_usage,
      cost: wireOf(cost),
      estimated,
      kw_billed: factorOf(line, 'KW Billed', 'Demand'),
    },
  ]
}

/** Returns a usage factor of a line by name; an empty value or zero counts as not billed. */
export function factorOf(line: AuditLine, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = line.service_bill_usage_factors.find((factor) => factor.name === name)?.value
    if (value && approximately(value) !== 0) return value
  }
  return null
}
