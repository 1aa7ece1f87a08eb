/** Prepares one line of a bill: fields found by name, usage and unit filled in, and the values that are missing. */
import type { AuditLine } from '../bill-audits/input.ts'
import type { BillTerms, BookService } from './bill-book.ts'
import type { CheckedLine, NamedValue } from './bill-draft.ts'
import { adjustedStandardUsage, derivedUsage } from '../bill-figures/bill-totals.ts'

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

type Refuse = (key: string, message: string) => void

export function prepareLine(line: CheckedLine, service: BookService, terms: BillTerms, refuse: Refuse): PreparedLine {
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

export function missingOf(line: PreparedLine): string[] {
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

export function requiredMessage(key: string): string {
  return requiredCharges.includes(key) ? `${key} are required` : 'Required'
}
