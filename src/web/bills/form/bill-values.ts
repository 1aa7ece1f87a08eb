/** What the form of a bill holds while somebody types: texts as on the wire, '' where empty; lines and charges under keys of their own. */
import { z } from 'zod'
import type { BillDetail, ServiceBill } from '#contract/bill-detail.ts'
import type { BillEntry } from '#contract/bill-form.ts'
import type { ReadField } from '#contract/bill-reading.ts'
import { amountDue, derivedUsage } from '#contract/bill-totals.ts'
import { findingReasons } from '#contract/finding-reasons.ts'
import { compareDecimals, isDecimal } from '#contract/kernel/decimal.ts'
import { parseMoney } from '#contract/kernel/money.ts'
import { list } from '#contract/kernel/entity.ts'

/** Values by the name of their field, in the order in which they are shown. */
const named = z.record(z.string(), z.string())

const lineValues = z.object({
  /** Names the line for as long as the form is open: `s12` is stored, `n34` belongs to a service, `x1` was added. */
  key: z.string(),
  id: z.number().nullable(),
  service_id: z.number().nullable(),
  previous_read_date: z.string(),
  read_date: z.string(),
  next_read_date: z.string(),
  fiscal_month: z.string(),
  previous_reading: z.string(),
  meter_reading: z.string(),
  multiplier: z.string(),
  /** '' takes what the readings say. */
  usage: z.string(),
  unit_id: z.number().nullable(),
  raw_unit: z.string(),
  rate_schedule: z.string(),
  estimated: z.boolean(),
  notes: z.string(),
  supply_bill_id: z.number().nullable(),
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
  date: z.string(),
  due_date: z.string(),
  invoice_number: z.string(),
  balance_forward: z.string(),
  current_charges: z.string(),
  late_fee: z.string(),
  /** '' takes the sum of the three. */
  amount_due: z.string(),
  fiscal_month: z.string(),
  next_read_date: z.string(),
  notes: z.string(),
  qc: z.boolean(),
  parked: z.boolean(),
  rebill_adjustment: z.boolean(),
  rebill_of_id: z.number().nullable(),
  rebill_mode: z.enum(['replace', 'add']).nullable(),
  group_bill_id: z.number().nullable(),
  bill_id: z.number().nullable(),
  files: z.array(fileValues),
  charges: z.array(chargeValues),
  lines: z.array(lineValues),
  linked: z.array(linkedValues),
  /** By `settledKey`. */
  settled: z.record(z.string(), settled),
})
export type BillValues = z.infer<typeof billValues>

/** A kept draft is one value of this field: what was typed, what it started from, and which version of the bill that was. */
export const keptBill = z.object({
  values: billValues,
  base: billValues,
  lock_version: z.number().nullable(),
  account: z.object({ type: z.enum(['BillableAccount', 'SupplyAccount']), id: z.number(), label: z.string() }),
  /** What was read from its document and not touched, so that the marks come back as well. */
  proposals: z.record(
    z.string(),
    z.custom<ReadField>((value) => typeof value === 'object' && value !== null && 'confidence' in value),
  ),
})
export type KeptBill = z.infer<typeof keptBill>
export const keptFields = { fields: { bill: list('Bill', keptBill) } }

/** A due date is at most this long after the bill's: what is typed without a year means the next such day. */
export const DUE_WITHIN_DAYS = 300

export type EntryService = BillEntry['services'][number]
export const valueGroups = ['service_bill_entry_fields', 'service_bill_usage_factors', 'service_bill_additional_entry_fields'] as const
export type ValueGroup = (typeof valueGroups)[number]

/** A new bill: dates and amounts empty, a line for each active service, with the last bill's reads as the previous ones (BILL-RULE-008). */
export function newValues(entry: BillEntry): BillValues {
  return {
    ...emptyHeader,
    bill_id: entry.last_bill?.id ?? null,
    lines: entry.services.filter((service) => service.active).map((service) => newLine(`n${service.id}`, service, entry)),
  }
}

/** A line of a service with what the account's last bill with such a line leaves for it. */
export function newLine(key: string, service: EntryService, entry: BillEntry): LineValues {
  const last = lastReads(service.id, entry, null)
  return {
    ...emptyLine(key),
    service_id: service.id,
    previous_read_date: last?.read_date ?? '',
    previous_reading: service.metered ? (last?.meter_reading ?? '') : '',
    multiplier: service.meter_multiplier ?? '1',
    unit_id: service.usage_unit_id ?? service.usage_units[0]?.unit_id ?? null,
    rate_schedule: service.rate_schedule ?? '',
    service_bill_entry_fields: blanks(service.entry_fields),
    service_bill_usage_factors: Object.fromEntries(
      service.usage_factors.filter((factor) => factor.asked).map((factor) => [factor.name, factor.default_value ?? '']),
    ),
    service_bill_additional_entry_fields: blanks(service.additional_entry_fields.map((field) => field.name)),
  }
}

/** The reads that a bill of the account left for this service: those of the named bill, else of the latest that has a line of it. */
export function lastReads(
  serviceId: number,
  entry: BillEntry,
  billId: number | null,
): { read_date: string | null; meter_reading: string | null } | undefined {
  const bills = billId === null ? entry.history : entry.history.filter((bill) => bill.id === billId)
  return bills.flatMap((bill) => bill.lines).find((line) => line.service_id === serviceId && line.read_date !== null)
}

export function emptyLine(key: string): LineValues {
  return {
    key,
    id: null,
    service_id: null,
    previous_read_date: '',
    read_date: '',
    next_read_date: '',
    fiscal_month: '',
    previous_reading: '',
    meter_reading: '',
    multiplier: '',
    usage: '',
    unit_id: null,
    raw_unit: '',
    rate_schedule: '',
    estimated: false,
    notes: '',
    supply_bill_id: null,
    service_bill_entry_fields: {},
    service_bill_usage_factors: {},
    service_bill_additional_entry_fields: {},
  }
}

/** The stored bill as the form shows it. */
export function storedValues(bill: BillDetail, entry: BillEntry): BillValues {
  const parts = { balance_forward: bill.balance_forward, current_charges: bill.current_charges, late_fee: bill.late_fee }
  return {
    date: bill.date,
    due_date: bill.due_date,
    invoice_number: bill.invoice_number ?? '',
    ...parts,
    amount_due: bill.amount_due === amountDue(parts) ? '' : bill.amount_due,
    fiscal_month: bill.fiscal_month ?? '',
    next_read_date: bill.next_read_date ?? '',
    notes: bill.notes ?? '',
    qc: bill.qc,
    parked: bill.parked,
    rebill_adjustment: bill.rebill_adjustment,
    rebill_of_id: bill.rebill_of_id,
    rebill_mode: bill.rebill_mode,
    group_bill_id: bill.group_bill_id,
    bill_id: bill.bill_id,
    files: bill.files.map(({ signed_id, filename, content_type }) => ({ signed_id, filename, content_type })),
    charges: bill.bill_charges.map(({ id, name, amount }) => ({ key: `s${id}`, id, name, amount })),
    lines: bill.service_bills.map((line) => storedLine(line, entry)),
    linked: bill.linked_service_bill_ids.map((id) => ({
      service_bill_id: id,
      supply_bill_id: bill.linked_service_bills.find((line) => line.id === id)?.bill_id ?? null,
    })),
    settled: {},
  }
}

function storedLine(line: ServiceBill, entry: BillEntry): LineValues {
  const service = entry.services.find((one) => one.id === line.service_id)
  const derived = derivedUsage(line)
  const known = (fields: readonly { readonly name: string; readonly value: string | null }[]) =>
    Object.fromEntries(fields.map(({ name, value }) => [name, value ?? '']))
  return {
    key: `s${line.id}`,
    id: line.id,
    service_id: line.service_id,
    previous_read_date: line.previous_read_date ?? '',
    read_date: line.read_date ?? '',
    next_read_date: line.next_read_date ?? '',
    fiscal_month: line.fiscal_month ?? '',
    previous_reading: line.previous_reading ?? '',
    meter_reading: line.meter_reading ?? '',
    multiplier: line.multiplier ?? '',
    usage: line.usage === null || (derived !== null && compareDecimals(derived, line.usage) === 0) ? '' : line.usage,
    unit_id: line.unit_id,
    raw_unit: line.raw_unit ?? '',
    rate_schedule: line.rate_schedule ?? '',
    estimated: line.estimated,
    notes: line.notes ?? '',
    supply_bill_id: line.supply_bill_id,
    service_bill_entry_fields: { ...blanks(service?.entry_fields ?? []), ...known(line.service_bill_entry_fields) },
    service_bill_usage_factors: {
      ...blanks((service?.usage_factors ?? []).filter((factor) => factor.asked).map((factor) => factor.name)),
      ...known(line.service_bill_usage_factors),
    },
    service_bill_additional_entry_fields: {
      ...blanks((service?.additional_entry_fields ?? []).map((field) => field.name)),
      ...known(line.service_bill_additional_entry_fields),
    },
  }
}

/** What the line's readings say its usage is; null where they say nothing yet. */
export function usageByReadings(line: LineValues, service: EntryService | undefined): string | null {
  const multiplier = line.multiplier || (service?.meter_multiplier ?? '1')
  return isDecimal(multiplier) ? derivedUsage({ ...line, multiplier }) : null
}

/** What was typed, else what the readings say. */
export function usageOfLine(line: LineValues, service: EntryService | undefined): string {
  return line.usage || (usageByReadings(line, service) ?? '')
}

/** Balance, charges and late fee together; '' while nothing of it is filled or something cannot be read. */
export function dueByParts({ balance_forward, current_charges, late_fee }: BillValues): string {
  const parts = [balance_forward, current_charges, late_fee]
  if (parts.every((part) => part === '') || parts.some((part) => part !== '' && parseMoney(part) === null)) return ''
  return amountDue({ balance_forward: balance_forward || null, current_charges: current_charges || null, late_fee: late_fee || null })
}

export function dueOfBill(values: BillValues): string {
  return values.amount_due || dueByParts(values)
}

/** Names a finding between two runs of the audits, so that it stays settled while its bill is typed on. */
export function settledKey(code: string, lineKey: string | null): string {
  return `${code}:${lineKey ?? ''}`
}

const emptyHeader: BillValues = {
  date: '',
  due_date: '',
  invoice_number: '',
  balance_forward: '',
  current_charges: '',
  late_fee: '',
  amount_due: '',
  fiscal_month: '',
  next_read_date: '',
  notes: '',
  qc: false,
  parked: false,
  rebill_adjustment: false,
  rebill_of_id: null,
  rebill_mode: null,
  group_bill_id: null,
  bill_id: null,
  files: [],
  charges: [],
  lines: [],
  linked: [],
  settled: {},
}

function blanks(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, '']))
}
