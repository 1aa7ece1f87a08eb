/** Turns the form's values into the draft that the contract checks and prepares, with the server's own functions (bill-prepare.ts). */
import { billDraft, reasonsOf, type BillDraft, type CheckedBill, type FieldReasons, type NamedValue } from '#contract/bills/bill-draft.ts'
import type { AuditedEntry } from '#contract/bills/bill-form.ts'
import { prepareBill } from '#contract/bills/bill-prepare.ts'
import { joinedMessages } from '#contract/kernel/problem.ts'
import { formWords, type FormErrors } from '../kernel/forms/form-values.ts'
import { dueOfBill, usageOfLine, valueGroups, type BillValues, type LineValues, type ValueGroup } from './bill-values.ts'

/** Required fields of a bill, by the server's names. */
const requiredOfBill = [
  ['date', 'Date'],
  ['due_date', 'Due Date'],
  ['balance_forward', 'Balance Forward'],
  ['current_charges', 'Current Charges'],
  ['amount_due', 'Amount Due'],
] as const
/** Placeholder for a header value that cannot be read yet. */
const placeholders = { date: '2000-01-01', amount: '0.00' }
const nothingUnreadable: ReadonlySet<string> = new Set()

/** Returns all errors of the form by its own paths: `date`, `lines.s12.usage`, `charges.x1.amount`. */
export function checkForm(values: BillValues, base: BillValues, entry: AuditedEntry): FormErrors {
  const { draft, reasons } = readable(values, entry)
  const placed = placedLines(values)
  const isTyped = (place: number, key: string) => isTypedNow(placed[place], base, key)
  const prepared = prepareBill({ ...draft, source: 'typed' }, entry, termsOf(entry), isTyped)
  const found = { ...('reasons' in prepared ? prepared.reasons : {}), ...reasons }
  const nameless = values.lines.filter((line) => line.service_id === null)
  const empty = requiredOfBill.filter(([key]) => (key === 'amount_due' ? dueOfBill(values) : values[key]) === '')
  return {
    ...formErrors(found, values),
    ...Object.fromEntries(empty.map(([key, label]) => [key, `${label} is required`])),
    ...Object.fromEntries(nameless.map((line) => [`lines.${line.key}.service_id`, 'Service is required'])),
  }
}

/** Whether the value was typed in this form. A value that an import left empty may stay empty until it is edited. */
function isTypedNow(line: LineValues | undefined, base: BillValues, key: string): boolean {
  const before = base.lines.find((one) => one.id !== null && one.id === line?.id)
  if (!line || !before) return true
  const group = valueGroups.find((one) => key in line[one])
  if (group) return line[group][key] !== before[group][key]
  const [now, then] = [new Map<string, unknown>(Object.entries(line)), new Map<string, unknown>(Object.entries(before))]
  return now.get(key) !== then.get(key)
}

/** Returns the lines in the order in which they are sent, without those that have no service yet. */
export function placedLines(values: BillValues): LineValues[] {
  return values.lines.filter((line) => line.service_id !== null)
}

/**
 * Converts messages by wire path to the form's paths. `service_bills.0` is a place in the draft, `service_bills_attributes.0` a place in the
 * body.
 */
export function formErrors(reasons: FieldReasons, values: BillValues): FormErrors {
  const placed = placedLines(values)
  return Object.fromEntries(
    Object.entries(reasons).map(([path, messages]) => [formPath(path, values, placed), formWords(joinedMessages([...new Set(messages)]))]),
  )
}

function formPath(path: string, values: BillValues, placed: readonly LineValues[]): string {
  const [, list, place, rest = ''] = /^(service_bills|bill_charges)(?:_attributes)?\.(\d+)\.?(.*)$/.exec(path) ?? []
  if (list === 'bill_charges') return `charges.${values.charges[Number(place)]?.key ?? ''}.${rest}`
  const line = list === undefined ? undefined : placed[Number(place)]
  return line ? `lines.${line.key}.${valuePath(rest, line)}` : path
}

/** A value of a group has its position in the path; a missing one has its name alone. */
function valuePath(rest: string, line: LineValues): string {
  for (const group of valueGroups) {
    const names = Object.keys(line[group])
    if (names.includes(rest)) return `${group}.${rest}`
    const place = rest.startsWith(`${group}.`) ? rest.slice(group.length + 1).split('.')[0] : undefined
    if (place !== undefined) return `${group}.${names[Number(place)] ?? ''}`
  }
  return rest
}

/** Returns the entry fields by name, as the terms to prepare a bill with. */
export function termsOf(entry: AuditedEntry) {
  return { entry_fields: new Map(entry.entry_fields.map((field) => [field.name, field])) }
}

/** Returns the draft with everything that can be read, and the errors of the rest. */
export function readable(values: BillValues, entry: AuditedEntry): { draft: CheckedBill; reasons: FieldReasons } {
  const read = billDraft.safeParse(draftOf(values, entry, nothingUnreadable))
  if (read.success) return { draft: read.data, reasons: {} }
  const reasons = reasonsOf(read.error)
  return { draft: billDraft.parse(draftOf(values, entry, new Set(Object.keys(reasons)))), reasons }
}

/** Returns the form's values as a draft; those at `unreadable` paths are left empty. */
function draftOf(values: BillValues, entry: AuditedEntry, unreadable: ReadonlySet<string>): BillDraft {
  const text = (path: string, value: string) => (value === '' || unreadable.has(path) ? null : value)
  const must = (path: string, value: string, placeholder: string) => (unreadable.has(path) ? placeholder : value)
  return {
    account_type: entry.account_type,
    account_id: entry.account_id,
    date: must('date', values.date, placeholders.date),
    due_date: must('due_date', values.due_date, placeholders.date),
    invoice_number: text('invoice_number', values.invoice_number),
    balance_forward: must('balance_forward', values.balance_forward, placeholders.amount),
    current_charges: must('current_charges', values.current_charges, placeholders.amount),
    late_fee: text('late_fee', values.late_fee),
    amount_due: must('amount_due', dueOfBill(values), placeholders.amount),
    fiscal_month: text('fiscal_month', values.fiscal_month),
    next_read_date: text('next_read_date', values.next_read_date),
    notes: text('notes', values.notes),
    qc: values.qc,
    parked: values.parked,
    rebill_adjustment: values.rebill_adjustment,
    rebill_of_id: values.rebill_of_id,
    rebill_mode: values.rebill_mode,
    group_bill_id: values.group_bill_id,
    bill_id: values.bill_id,
    service_bills: placedLines(values).map((line, place) => lineDraft(line, `service_bills.${place}`, entry, text)),
    bill_charges: values.charges.map((charge, place) => ({
      name: must(`bill_charges.${place}.name`, charge.name, '–'),
      amount: must(`bill_charges.${place}.amount`, charge.amount, placeholders.amount),
    })),
    linked_service_bill_ids: values.linked.map((line) => line.service_bill_id),
    source: 'typed',
  }
}

function lineDraft(line: LineValues, at: string, entry: AuditedEntry, text: (path: string, value: string) => string | null) {
  const service = entry.services.find((one) => one.id === line.service_id)
  const values = (group: ValueGroup): NamedValue[] =>
    Object.entries(line[group]).map(([name, value], place) => ({ name, value: text(`${at}.${group}.${place}.value`, value) }))
  return {
    service_id: line.service_id ?? 0,
    previous_read_date: text(`${at}.previous_read_date`, line.previous_read_date),
    read_date: text(`${at}.read_date`, line.read_date),
    next_read_date: text(`${at}.next_read_date`, line.next_read_date),
    fiscal_month: text(`${at}.fiscal_month`, line.fiscal_month),
    previous_reading: text(`${at}.previous_reading`, line.previous_reading),
    meter_reading: text(`${at}.meter_reading`, line.meter_reading),
    multiplier: text(`${at}.multiplier`, line.multiplier),
    usage: text(`${at}.usage`, usageOfLine(line, service)),
    unit_id: line.unit_id,
    raw_unit: text(`${at}.raw_unit`, line.raw_unit),
    rate_schedule: text(`${at}.rate_schedule`, line.rate_schedule),
    estimated: line.estimated,
    notes: text(`${at}.notes`, line.notes),
    supply_bill_id: line.supply_bill_id,
    service_bill_entry_fields: values('service_bill_entry_fields'),
    service_bill_usage_factors: values('service_bill_usage_factors'),
    service_bill_additional_entry_fields: values('service_bill_additional_entry_fields'),
  }
}
