/**
 * Turns a draft into the stored and audited form: names become fields, defaults come from the meter, missing values are listed. Pure: the form
 * runs it too.
 */
import type { AuditBill, AuditLine } from '../bill-audits/input.ts'
import type { BillBook, BillTerms, BookService } from './bill-book.ts'
import type { CheckedBill, CheckedLine, FieldReasons, NamedValue } from './bill-draft.ts'
import { adjustedStandardUsage, derivedUsage } from '../bill-figures/bill-totals.ts'
import { compareDecimals, roundTo } from '../kernel/decimal.ts'

export interface PreparedLine extends AuditLine {
  readonly service: BookService
  readonly next_read_date: string | null
  readonly fiscal_month: string | null
  readonly supply_bill_id: number | null
  /** Usage in the service's standard unit; null if the unit has no conversion. */
  readonly standard_usage: string | null
  readonly entry_values: readonly StoredValue[]
  readonly usage_factors: readonly StoredValue[]
  readonly additional_values: readonly StoredValue[]
}

/** A value under the id of its field. */
export interface StoredValue {
  readonly field_id: number
  readonly value: string
}

export interface PreparedBill<Book extends BillBook = BillBook> {
  readonly draft: CheckedBill
  readonly book: Book
  readonly lines: readonly PreparedLine[]
  /** Empty required fields, `service_bills.0.usage`: they make the bill a draft. */
  readonly missing_fields: readonly string[]
}

/**
 * Whether the user is typing the value of a line now: then it is required, and must have the form's precision. An imported or unchanged value
 * may be empty, which makes the bill a draft.
 */
export type IsTyped = (place: number, key: string) => boolean

/** Returns the bill to be stored, or the reasons it cannot be. A typed bill is refused where an imported one becomes a draft. */
export function prepareBill<Book extends BillBook>(
  draft: CheckedBill,
  book: Book,
  terms: BillTerms,
  isTyped: IsTyped = () => draft.source === 'typed',
): PreparedBill<Book> | { readonly reasons: FieldReasons } {
  const reasons: Record<string, string[]> = {}
  const refuse = (key: string, message: string): void => void (reasons[key] = [...(reasons[key] ?? []), message])
  const lines = draft.service_bills.flatMap((line, place) => {
    const service = book.services.find((one) => one.id === line.service_id)
    if (!service) refuse(`service_bills.${place}.service_id`, 'The account has no such service')
    if (service && isTyped(place, 'multiplier') && !isTypedMultiplier(line.multiplier, service))
      refuse(`service_bills.${place}.multiplier`, `Multiplier must have at most ${typedMultiplierScale} decimals`)
    return service ? [prepareLine(line, service, terms, (key, message) => refuse(`service_bills.${place}.${key}`, message))] : []
  })
  if (draft.linked_service_bill_ids.length > 0 && draft.account_type === 'SupplyAccount')
    refuse('linked_service_bill_ids', 'Only a billable account’s bill shows linked lines')
  const missing = lines.flatMap((line, place) =>
    missingOf(line).map((name) => ({
      key: `service_bills.${place}.${name}`,
      message: requiredMessage(name),
      refuses: isTyped(place, name),
    })),
  )
  for (const { key, message, refuses } of missing) if (refuses) refuse(key, message)
  if (Object.keys(reasons).length > 0) return { reasons }
  return { draft, book, lines, missing_fields: missing.map(({ key }) => key) }
}

/** Returns the bill in the form of the audits. `id` is its present or future id. */
export function auditedBill({ draft, lines }: PreparedBill, id: number, course: PaymentCourse = unpaid): AuditBill {
  const {
    date,
    due_date,
    invoice_number,
    balance_forward,
    current_charges,
    late_fee,
    amount_due,
    bill_charges,
    rebill_adjustment,
    rebill_mode,
    rebill_of_id,
  } = draft
  return {
    id,
    date,
    due_date,
    invoice_number,
    balance_forward,
    current_charges,
    late_fee,
    amount_due,
    bill_charges,
    rebill_adjustment,
    rebill_mode,
    rebill_of_id,
    ...course,
    service_bills: lines,
  }
}

type PaymentCourse = Pick<AuditBill, 'paid' | 'finalized'>
const unpaid: PaymentCourse = { paid: false, finalized: false }

/** Decimal places in the form; the meter's own multiplier may have one more, and is copied whole (G-MULTIPLIER-PRECISION). */
const typedMultiplierScale = 3

function isTypedMultiplier(multiplier: string | null, service: BookService): boolean {
  if (multiplier === null || compareDecimals(roundTo(multiplier, typedMultiplierScale), multiplier) === 0) return true
  return service.meter_multiplier !== null && compareDecimals(service.meter_multiplier, multiplier) === 0
}

type Refuse = (key: string, message: string) => void

function prepareLine(line: CheckedLine, service: BookService, terms: BillTerms, refuse: Refuse): PreparedLine {
  const multiplier = line.multiplier ?? service.meter_multiplier ?? '1'
  const usage = line.usage ?? derivedUsage({ ...line, multiplier }) ?? (service.metered ? null : '0.000')
  const unit_id = line.unit_id ?? (line.raw_unit === null ? (service.usage_unit_id ?? service.usage_units[0]?.unit_id ?? null) : null)
  const unit = service.usage_units.find((one) => one.unit_id === unit_id)
  if (line.unit_id !== null && !unit && service.usage_units.length > 0) refuse('unit_id', 'This unit is none of the utility service’s')
  const entries = fieldsByName(line.service_bill_entry_fields, (name) => terms.entry_fields.get(name), 'service_bill_entry_fields', refuse)
  const factors = factorsOf(line, service, refuse)
  const additional = fieldsByName(
    line.service_bill_additional_entry_fields,
    (name) => service.additional_entry_fields.find((one) => one.name === name),
    'service_bill_additional_entry_fields',
    refuse,
  )
  const audited = {
    ...line,
    multiplier,
    usage,
    unit_id,
    service_bill_entry_fields: entries.map(({ field, value }) => ({
      name: field.name,
      value,
      category: field.category,
      is_tax: field.is_tax,
    })),
    service_bill_usage_factors: factors.map(({ field, value }) => ({
      name: field.name,
      value,
      adjustment_factor: field.adjustment_factor,
    })),
    service_bill_additional_entry_fields: additional.map(({ field, value }) => ({ name: field.name, value })),
  }
  return {
    ...audited,
    service,
    standard_usage: adjustedStandardUsage(audited, unit?.conversion_factor ?? null),
    entry_values: entries.flatMap(storedValue),
    usage_factors: factors.flatMap(storedValue),
    additional_values: additional.flatMap(storedValue),
  }
}

interface Filled<F> {
  readonly field: F
  readonly value: string | null
}

function fieldsByName<F extends { readonly name: string }>(
  values: readonly NamedValue[],
  find: (name: string) => F | undefined,
  key: string,
  refuse: Refuse,
): Filled<F>[] {
  const seen = new Set<string>()
  return values.flatMap(({ name, value }, place) => {
    const field = find(name)
    if (!field) refuse(`${key}.${place}.name`, `Unknown field: ${name}`)
    else if (seen.has(name)) refuse(`${key}.${place}.name`, `${name} is given twice`)
    seen.add(name)
    return field ? [{ field, value }] : []
  })
}

/** A missing factor that the service asks for gets its default: 1 for those that scale the usage. */
function factorsOf(line: CheckedLine, service: BookService, refuse: Refuse): Filled<BookService['usage_factors'][number]>[] {
  const given = fieldsByName(
    line.service_bill_usage_factors,
    (name) => service.usage_factors.find((one) => one.name === name),
    'service_bill_usage_factors',
    refuse,
  )
  const filled = given.map(({ field, value }) => ({ field, value: value ?? field.default_value }))
  const left = service.usage_factors.filter((factor) => factor.asked && !given.some(({ field }) => field.id === factor.id))
  return [...filled, ...left.map((field) => ({ field, value: field.default_value }))]
}

function storedValue({ field, value }: Filled<{ readonly id: number }>): StoredValue[] {
  return value === null ? [] : [{ field_id: field.id, value }]
}

/** Charges that a line needs if its service has the field; others may be empty. */
const requiredCharges = ['Utility Charges', 'Supply Charges']

function missingOf(line: PreparedLine): string[] {
  const { service } = line
  const dated = service.metered
    ? [
        ...(line.previous_read_date ? [] : ['previous_read_date']),
        ...(line.read_date ? [] : ['read_date']),
        ...(line.usage === null ? ['usage'] : []),
      ]
    : []
  const charges = requiredCharges.filter(
    (name) =>
      service.entry_fields.includes(name) && !line.service_bill_entry_fields.some((entry) => entry.name === name && entry.value !== null),
  )
  const factors = service.metered
    ? line.service_bill_usage_factors.filter((factor) => factor.value === null).map((factor) => factor.name)
    : []
  const additional = service.additional_entry_fields.filter(
    (field) =>
      !field.retired && !line.service_bill_additional_entry_fields.some((entry) => entry.name === field.name && entry.value !== null),
  )
  return [...dated, ...charges, ...factors, ...additional.map((field) => field.name)]
}

function requiredMessage(key: string): string {
  return requiredCharges.includes(key) ? `${key} are required` : 'Required'
}
