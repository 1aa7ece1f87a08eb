/** The values of the bill form while it is typed: texts in wire format, '' where empty; lines and charges have keys of their own. */
import { z } from 'zod'
import { formFields, lineFields } from '#contract/bills/bill-fields.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import type { ReadField } from '#contract/bill-reading/bill-reading.ts'
import { amountDue, derivedUsage } from '#contract/bill-figures/bill-totals.ts'
import { findingReasons } from '#contract/bill-audits/finding-reasons.ts'
import { addDays, isCalendarDate } from '#contract/kernel/date.ts'
import { isDecimal } from '#contract/kernel/decimal.ts'
import { parseMoney } from '#contract/kernel/money.ts'
import { list } from '#contract/kernel/entity.ts'
import { schemasOf } from '#contract/kernel/record.ts'

/** Values by field name, in display order. */
const named = z.record(z.string(), z.string())

const lineValues = z.object({
  /** Key of the line while the form is open: `s12` is stored, `n34` belongs to a service, `x1` was added. */
  key: z.string(),
  id: z.number().nullable(),
  /** A usage of '' means the usage that follows from the readings. */
  ...schemasOf(lineFields, 'typed'),
  service_bill_entry_fields: named,
  service_bill_usage_factors: named,
  service_bill_additional_entry_fields: named,
})
export type LineValues = z.infer<typeof lineValues>

const chargeValues = z.object({ key: z.string(), id: z.number().nullable(), name: z.string(), amount: z.string() })
export type ChargeValues = z.infer<typeof chargeValues>

const fileValues = z.object({ signed_id: z.string(), filename: z.string(), content_type: z.string() })
export type FileValues = z.infer<typeof fileValues>

const linkedValues = z.object({ service_bill_id: z.number(), supply_bill_id: z.number().nullable() })
export type LinkedValues = z.infer<typeof linkedValues>

const settled = z.object({ reason: z.enum(findingReasons.map((one) => one.value)), comment: z.string() })

export const billValues = z.object({
  /** An amount due of '' means the sum of balance forward, current charges and late fee. */
  ...schemasOf(formFields, 'typed'),
  files: z.array(fileValues),
  charges: z.array(chargeValues),
  lines: z.array(lineValues),
  linked: z.array(linkedValues),
  /** Resolutions by `settledKey`. */
  settled: z.record(z.string(), settled),
})
export type BillValues = z.infer<typeof billValues>

/** A draft is kept as one value of this field: the typed values, the values they started from, and the lock version of that bill. */
export const keptBill = z.object({
  values: billValues,
  base: billValues,
  lock_version: z.number().nullable(),
  account: z.object({ type: z.enum(['BillableAccount', 'SupplyAccount']), id: z.number(), label: z.string() }),
  /** Values that were read from the document and not changed since, so that their marks are restored too. */
  proposals: z.record(
    z.string(),
    z.custom<ReadField>((value) => typeof value === 'object' && value !== null && 'confidence' in value),
  ),
})
export type KeptBill = z.infer<typeof keptBill>
export const keptFields = { fields: { bill: list('Bill', keptBill) } }

/** The longest time from the bill date to the due date; a date typed without a year means the next such day within it. */
const DUE_WITHIN_DAYS = 300

/** Returns the last day that a due date or a next read date without a year may mean: it is the first such day after the bill's own. */
export function dueUntil(date: string): string | undefined {
  return isCalendarDate(date) ? addDays(date, DUE_WITHIN_DAYS) : undefined
}

export type EntryService = BillEntry['services'][number]

/** Returns the usage that follows from the line's readings; null where they are incomplete. */
export function usageByReadings(line: LineValues, service: Pick<EntryService, 'meter_multiplier'> | undefined): string | null {
  const multiplier = line.multiplier || (service?.meter_multiplier ?? '1')
  return isDecimal(multiplier) ? derivedUsage({ ...line, multiplier }) : null
}

/** Returns the typed usage, else the one that follows from the readings. */
export function usageOfLine(line: LineValues, service: Pick<EntryService, 'meter_multiplier'> | undefined): string {
  return line.usage || (usageByReadings(line, service) ?? '')
}

/** Returns the sum of balance, charges and late fee; '' while nothing but a balance of zero is there, or one cannot be read. */
export function dueByParts({ balance_forward, current_charges, late_fee }: BillValues): string {
  const parts = [balance_forward, current_charges, late_fee]
  const isUntyped = current_charges === '' && late_fee === '' && (balance_forward === '' || balance_forward === '0.00')
  if (isUntyped || parts.some((part) => part !== '' && parseMoney(part) === null)) return ''
  return amountDue({ balance_forward: balance_forward || null, current_charges: current_charges || null, late_fee: late_fee || null })
}

export function dueOfBill(values: BillValues): string {
  return values.amount_due || dueByParts(values)
}

/** Identifies a finding across two runs of the audits, so that it stays resolved while the bill is edited. */
export function settledKey(code: string, lineKey: string | null): string {
  return `${code}:${lineKey ?? ''}`
}
