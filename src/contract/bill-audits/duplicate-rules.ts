/** Rules 14 and 15: the same bill twice. Utilities republish a statement under a new id, so only its content can show it. */
import { daysBetween, formatDate } from '../kernel/date.ts'
import { compareDecimals, isZero } from '../kernel/decimal.ts'
import { centsOf, compareMoney, formatMoney } from '../kernel/money.ts'
import { type BillAudit, servicePeriod } from './line-context.ts'
import type { AuditBill, Verdict } from './input.ts'
import type { HistoryBill } from './history-input.ts'

/** 14. The same invoice number, or the same date, charges and service period. A save is refused unless a reason is given. */
export function duplicateExact(audit: BillAudit): Verdict[] {
  const twin = exactTwin(audit)
  if (!twin) return []
  const same = isSameInvoice(audit.bill, twin)
    ? `the invoice number ${twin.invoice_number}`
    : `its date, charges of ${formatMoney(twin.current_charges)} and service period`
  return [
    {
      severity: 'E!',
      field: 'invoice_number',
      message: `This bill was entered before: bill ${twin.id} of ${formatDate(twin.date)} has ${same}`,
      other_bill_id: twin.id,
    },
  ]
}

/**
 * 15. Nearly the same as another bill of the account: the same amount with a date in common, or the same charges to the cent as the previous
 * one. The latter does not apply to a month without usage, nor to a minimum charge, whatever was used below it.
 */
export function duplicateLikely(audit: BillAudit): Verdict[] {
  if (exactTwin(audit)) return []
  const { bill, prior } = audit
  const twin = inWindow(audit).find((other) => isAlike(bill, other))
  if (twin) {
    return [
      {
        severity: 'W',
        field: 'amount_due',
        message: `Bill ${twin.id} of ${formatDate(twin.date)} has the same amount due ${formatMoney(twin.amount_due)} and ${alikeIn(bill, twin)}`,
        other_bill_id: twin.id,
      },
    ]
  }
  if (
    !prior ||
    !bill.current_charges ||
    centsOf(bill.current_charges) <= 0 ||
    compareMoney(bill.current_charges, prior.current_charges) !== 0 ||
    !chargesVary(audit) ||
    isWithoutUse(bill, prior) ||
    isMinimum(audit, prior, bill.current_charges)
  )
    return []
  return [
    {
      severity: 'W',
      field: 'current_charges',
      other_bill_id: prior.id,
      message: `The current charges ${formatMoney(bill.current_charges)} equal those of bill ${prior.id} of ${formatDate(prior.date)} to the cent, although they varied before`,
    },
  ]
}

function exactTwin(audit: BillAudit): HistoryBill | undefined {
  return inWindow(audit).find((other) => isSameInvoice(audit.bill, other) || isSameStatement(audit.bill, other))
}

/** Vendors reuse numbers after a while, so the search goes back a limited time. */
function inWindow({ bill, others, settings }: BillAudit): HistoryBill[] {
  const { date } = bill
  if (date === null) return []
  return others.filter((other) => Math.abs(daysBetween(other.date, date)) <= settings.duplicate_window_days)
}

function isSameInvoice(bill: AuditBill, other: HistoryBill): boolean {
  const number = bill.invoice_number?.trim()
  return Boolean(number) && number === other.invoice_number?.trim()
}

function isSameStatement(bill: AuditBill, other: HistoryBill): boolean {
  if (bill.date !== other.date || bill.current_charges === null || compareMoney(bill.current_charges, other.current_charges) !== 0)
    return false
  const [mine, theirs] = [servicePeriod(bill.service_bills), servicePeriod(other.lines)]
  return mine.from === theirs.from && mine.to === theirs.to
}

function isAlike(bill: AuditBill, other: HistoryBill): boolean {
  if (bill.amount_due === null || centsOf(bill.amount_due) === 0 || compareMoney(bill.amount_due, other.amount_due) !== 0) return false
  return alikeIn(bill, other) !== ''
}

function alikeIn(bill: AuditBill, other: HistoryBill): string {
  const [mine, theirs] = [servicePeriod(bill.service_bills), servicePeriod(other.lines)]
  const same = [
    ['bill date', bill.date, other.date],
    ['due date', bill.due_date, other.due_date],
    ['period start', mine.from, theirs.from],
    ['period end', mine.to, theirs.to],
  ] as const
  return same
    .filter(([, left, right]) => left !== null && left === right)
    .map(([name]) => `the same ${name}`)
    .join(', ')
}

/** A flat monthly fee repeats and is no duplicate: more than half of the earlier charges must differ from each other. */
function chargesVary({ earlier }: BillAudit): boolean {
  const charges = new Set(earlier.map((other) => centsOf(other.current_charges)))
  return earlier.length >= 2 && charges.size > earlier.length / 2
}

/** If neither bill has usage, the charge is a fee, which repeats. */
function isWithoutUse(bill: AuditBill, other: HistoryBill): boolean {
  return usesOf(bill.service_bills).length === 0 && usesOf(other.lines).length === 0
}

/** The lowest charge that the account ever had: it occurred before, or is charged whatever the usage. A duplicate bill has the same usage. */
function isMinimum({ bill, earlier }: BillAudit, prior: HistoryBill, charges: string): boolean {
  const before = earlier.map((other) => centsOf(other.current_charges)).filter((cents) => cents > 0)
  const minimum = Math.min(...before)
  if (centsOf(charges) !== minimum) return false
  const [mine, theirs] = [usesOf(bill.service_bills), usesOf(prior.lines)]
  const isSameUse = mine.length === theirs.length && mine.every((usage, at) => compareDecimals(usage, theirs[at] ?? '0') === 0)
  return !isSameUse || before.filter((cents) => cents === minimum).length > 1
}

function usesOf(lines: readonly { readonly usage: string | null }[]): string[] {
  return lines.flatMap(({ usage }) => (usage && !isZero(usage) ? [usage] : [])).toSorted(compareDecimals)
}
