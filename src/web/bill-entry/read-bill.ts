/** Turns the form's values into the draft that the contract checks and prepares, with the server's own functions (bill-prepare.ts). */
import { billDraft, reasonsOf, type BillDraft, type CheckedBill, type FieldReasons, type NamedValue } from '#contract/bills/bill-draft.ts'
import { formFields, lineFields, lineListNames, type LineList } from '#contract/bills/bill-fields.ts'
import type { AuditedEntry } from '#contract/bills/bill-form.ts'
import { prepareBill } from '#contract/bills/bill-prepare.ts'
import { joinedMessages } from '#contract/kernel/problem.ts'
import { draftOf as recordDraft, requiredOf } from '#contract/kernel/record.ts'
import { formWords, type FormErrors } from '../kernel/forms/form-values.ts'
import { dueOfBill, usageOfLine, type BillValues, type LineValues } from './bill-values.ts'

const requiredOfBill = requiredOf(formFields)
/** Placeholders for a charge that cannot be read yet. */
const placeholders = { name: '–', amount: '0.00' }
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
  const group = lineListNames.find((one) => key in line[one])
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
  for (const group of lineListNames) {
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
  const must = (path: string, value: string, placeholder: string) => (unreadable.has(path) ? placeholder : value)
  return {
    account_type: entry.account_type,
    account_id: entry.account_id,
    ...recordDraft(formFields, { ...values, amount_due: dueOfBill(values) }, (name) => unreadable.has(name)),
    service_bills: placedLines(values).map((line, place) =>
      lineDraft(line, entry, (path) => unreadable.has(`service_bills.${place}.${path}`)),
    ),
    bill_charges: values.charges.map((charge, place) => ({
      name: must(`bill_charges.${place}.name`, charge.name, placeholders.name),
      amount: must(`bill_charges.${place}.amount`, charge.amount, placeholders.amount),
    })),
    linked_service_bill_ids: values.linked.map((line) => line.service_bill_id),
    source: 'typed',
  }
}

function lineDraft(line: LineValues, entry: AuditedEntry, isUnreadable: (path: string) => boolean) {
  const service = entry.services.find((one) => one.id === line.service_id)
  const values = (list: LineList): NamedValue[] =>
    Object.entries(line[list]).map(([name, value], place) => ({
      name,
      value: value === '' || isUnreadable(`${list}.${place}.value`) ? null : value,
    }))
  return {
    ...recordDraft(lineFields, { ...line, usage: usageOfLine(line, service) }, isUnreadable),
    service_bill_entry_fields: values('service_bill_entry_fields'),
    service_bill_usage_factors: values('service_bill_usage_factors'),
    service_bill_additional_entry_fields: values('service_bill_additional_entry_fields'),
  }
}
