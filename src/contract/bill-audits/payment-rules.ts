/** Rules 20 to 23 and 37: balances of earlier bills, the due date, and whether the vendor can be paid. */
import { addDays, daysBetween, formatDate } from '../kernel/date.ts'
import { centsOf, centsOrZero, formatMoney, wireOf } from '../kernel/money.ts'
import { type BillAudit, servicePeriod } from './line-context.ts'
import type { Verdict } from './input.ts'
import type { AuditVendor } from './estate-input.ts'
import type { HistoryBill } from './history-input.ts'
import { leadDays } from './settings.ts'
import { dayCount } from './words.ts'

/** 20. A carried balance belongs to an earlier bill; if that one was paid here, the correct balance is known. */
export function balanceForward({ bill, prior }: BillAudit): Verdict[] {
  const balance = centsOrZero(bill.balance_forward)
  if (balance === 0) return []
  const found = { field: 'balance_forward', actual: wireOf(balance), ...(prior ? { other_bill_id: prior.id } : {}) }
  const stated = `The balance forward is ${formatMoney(wireOf(balance))}`
  const expected = prior?.paid && prior.amount_paid !== null ? centsOf(prior.amount_due) - centsOf(prior.amount_paid) : null
  if (prior && expected !== null && expected !== balance) {
    const arithmetic = `${formatMoney(prior.amount_due)} due − ${formatMoney(prior.amount_paid)} paid = ${formatMoney(wireOf(expected))}`
    return [
      {
        ...found,
        severity: 'E!',
        expected: wireOf(expected),
        message: `${stated}, but bill ${prior.id} of ${formatDate(prior.date)} left ${arithmetic}`,
      },
    ]
  }
  if (balance < 0) return [{ ...found, severity: 'I', message: `${stated}: a credit` }]
  return [{ ...found, severity: 'W', message: `${stated}: ${priorInWords(prior)}` }]
}

/** 21. A late fee has a cause; the dates of the previous bill show whose delay it was. */
export function lateFee({ bill, prior, input, settings }: BillAudit): Verdict[] {
  const fee = centsOrZero(bill.late_fee)
  if (fee <= 0) return []
  const lead = leadDays(input.vendor?.payment_methods[0] ?? null, settings)
  const found = {
    severity: 'W',
    field: 'late_fee',
    expected: '0.00',
    actual: wireOf(fee),
    ...(prior ? { other_bill_id: prior.id } : {}),
  } as const
  return [{ ...found, message: `A late fee of ${formatMoney(wireOf(fee))}: ${lateReason(prior, lead)}` }]
}

/** 22. A due date that cannot be right. Being overdue or urgent is a matter of payment, not a fault of the bill. */
export function dueDate({ bill, settings }: BillAudit): Verdict[] {
  if (!bill.due_date) return []
  const found = { field: 'due_date', actual: bill.due_date }
  if (bill.date && bill.due_date < bill.date) {
    return [
      {
        ...found,
        severity: 'E',
        limit: bill.date,
        message: `The due date ${formatDate(bill.due_date)} is before the bill date ${formatDate(bill.date)}`,
      },
    ]
  }
  if (bill.date && bill.due_date > addDays(bill.date, settings.due_max_days)) {
    const after = dayCount(daysBetween(bill.date, bill.due_date))
    return [
      {
        ...found,
        severity: 'E',
        limit: addDays(bill.date, settings.due_max_days),
        message: `The due date ${formatDate(bill.due_date)} is ${after} after the bill date, limit ${settings.due_max_days}`,
      },
    ]
  }
  return []
}

/** 23. Dates in the future or out of order, and bills that come very late. */
export function dateSanity({ bill, input, settings, isCurrent }: BillAudit): Verdict[] {
  const { today } = input
  const verdicts: Verdict[] = []
  const lastRead = servicePeriod(bill.service_bills).to
  if (bill.date && bill.date > today)
    verdicts.push({
      severity: 'E',
      field: 'date',
      actual: bill.date,
      limit: today,
      message: `The bill date ${formatDate(bill.date)} is in the future`,
    })
  if (lastRead && lastRead > today)
    verdicts.push({
      severity: 'E',
      field: 'read_date',
      actual: lastRead,
      limit: today,
      message: `The read date ${formatDate(lastRead)} is in the future`,
    })
  if (bill.date && lastRead && daysBetween(bill.date, lastRead) > settings.read_after_bill_days) {
    const after = dayCount(daysBetween(bill.date, lastRead))
    verdicts.push({
      severity: 'W',
      field: 'read_date',
      actual: lastRead,
      limit: addDays(bill.date, settings.read_after_bill_days),
      message: `The read date ${formatDate(lastRead)} is ${after} after the bill date`,
    })
  }
  if (isCurrent && bill.date && daysBetween(bill.date, today) > settings.bill_old_days) {
    const age = dayCount(daysBetween(bill.date, today))
    verdicts.push({
      severity: 'W',
      field: 'date',
      actual: bill.date,
      limit: addDays(today, -settings.bill_old_days),
      message: `The bill is ${age} old, limit ${settings.bill_old_days}`,
    })
  }
  return verdicts
}

/** 37. Without method, numbers or address no payment can be sent. It blocks the export, not the selection. */
export function vendorPay({ bill, input }: BillAudit): Verdict[] {
  if (!input.context.payments_managed || bill.paid || bill.finalized || centsOrZero(bill.amount_due) <= 0) return []
  if (input.vendor === null) return [{ severity: 'E!', field: 'account_id', message: 'The account names no vendor to pay' }]
  const missing = missingToPay(input.vendor)
  if (missing === '') return []
  return [{ severity: 'E!', field: 'account_id', expected: missing, message: `${input.vendor.name} cannot be paid: it has no ${missing}` }]
}

function missingToPay(vendor: AuditVendor): string {
  const payType = vendor.payment_methods[0]
  switch (payType) {
    case undefined:
      return 'payment method'
    case 'ACH':
      return [vendor.has_routing_number ? '' : 'routing number', vendor.has_account_number ? '' : 'account number']
        .filter(Boolean)
        .join(' and no ')
    case 'Autopay':
    case 'OP':
    case 'NP':
      return ''
    default:
      return vendor.has_remit_address ? '' : `remit address for ${payType}`
  }
}

function priorInWords(prior: HistoryBill | null): string {
  if (!prior) return 'the prior bill is missing here'
  if (prior.paid) return `bill ${prior.id} of ${formatDate(prior.date)} was not paid in full`
  return `bill ${prior.id} of ${formatDate(prior.date)} over ${formatMoney(prior.amount_due)} is unpaid`
}

function lateReason(prior: HistoryBill | null, lead: number): string {
  if (!prior) return 'the prior bill is not here'
  const name = `bill ${prior.id} of ${formatDate(prior.date)}`
  if (!prior.paid) return `${name} is unpaid`
  if (!prior.due_date || !prior.paid_on || prior.paid_on <= prior.due_date) return `${name} was paid in time as far as we know`
  const lastDay = addDays(prior.due_date, -lead)
  if (prior.received_on && prior.received_on > lastDay) return `${name} was received late, on ${formatDate(prior.received_on)}`
  if (prior.batched_on && prior.batched_on > lastDay) return `${name} was approved late, on ${formatDate(prior.batched_on)}`
  return `${name} was paid late, on ${formatDate(prior.paid_on)}`
}
