/** One meter of a row: its service, and the line of the bill. */
import type { NamedValue, ServiceBillDraft } from '../bills/bill-draft.ts'
import type { BillRow, ImportedAccount, ImportedService, RowFault, RowTerms } from './imported-rows.ts'
import { entryColumns, factorColumns } from './import-bills.ts'
import { unitSymbol } from '../bill-retrieval/printed-usage.ts'
import { serviceOf, nameAmong } from './meter-service.ts'

export interface LineParts {
  readonly meter: number
  readonly line: ServiceBillDraft | null
  readonly faults: readonly RowFault[]
  /** Columns by the fields of the line that they fill, '.read_date'; '' is the line itself. */
  readonly columns: readonly (readonly [string, string])[]
}

/** Returns the line of meter 1, 2 or 3 of a row; null if the row has no values for it. */
export function lineOfCells(row: BillRow, meter: number, account: ImportedAccount, terms: RowTerms): LineParts | null {
  const prefix = `m${meter}_`
  const cells = new Map(
    Object.entries(row.cells).flatMap(([name, value]) =>
      name.startsWith(prefix) && value !== null && value !== undefined ? [[name.slice(prefix.length), value] as const] : [],
    ),
  )
  if (cells.size === 0) return null
  const number = textOf(cells.get('meter_number'))
  const service = serviceOf(account.services, number, textOf(cells.get('service')), prefix)
  if ('fault' in service)
    return { meter, line: null, faults: [{ line: row.line, column: `${prefix}${service.column}`, message: service.fault }], columns: [] }
  const values = valuesOf(cells, service, terms)
  return { meter, line: lineOf(cells, service, values), faults: [], columns: columnsOf(prefix, values) }
}

function lineOf(cells: ReadonlyMap<string, unknown>, service: ImportedService, values: Values): ServiceBillDraft {
  const text = (name: string) => textOf(cells.get(name))
  return {
    service_id: service.id,
    previous_read_date: text('previous_read_date'),
    read_date: text('read_date'),
    next_read_date: text('next_read_date'),
    fiscal_month: text('fiscal_month'),
    previous_reading: text('previous_reading'),
    meter_reading: text('reading'),
    multiplier: text('multiplier'),
    usage: text('usage'),
    ...unitOf(text('unit'), service),
    rate_schedule: text('rate_schedule'),
    estimated: cells.get('estimated') === true,
    notes: text('notes'),
    service_bill_entry_fields: values.entries.map(({ named }) => named),
    service_bill_usage_factors: values.factors.map(({ named }) => named),
    service_bill_additional_entry_fields: values.additional.map(({ named }) => named),
  }
}

/** Finds a unit by its symbol, ignoring case, or by a word that statements print; otherwise the word itself is kept. */
function unitOf(unit: string | null, { units }: ImportedService): Pick<ServiceBillDraft, 'unit_id' | 'raw_unit'> {
  if (unit === null) return { unit_id: null, raw_unit: null }
  const known = [unit, unitSymbol(unit) ?? unit]
  const found =
    units.find(({ symbol }) => symbol === unit) ??
    units.find(({ symbol }) => known.some((one) => one.toLowerCase() === symbol.toLowerCase()))
  return found ? { unit_id: found.unit_id, raw_unit: null } : { unit_id: null, raw_unit: unit }
}

interface Value {
  readonly column: string
  readonly named: NamedValue
}
interface Values {
  readonly entries: readonly Value[]
  readonly factors: readonly Value[]
  readonly additional: readonly Value[]
}

const entryPrefix = 'entry:'

/**
 * A free column is an entry field, or else a field of the service, or else one of its usage factors. Any other name is refused as an unknown
 * field.
 */
function valuesOf(cells: ReadonlyMap<string, unknown>, service: ImportedService, { entry_fields: known }: RowTerms): Values {
  const entries = valuesNamed(cells, entryColumns)
  const factors = valuesNamed(cells, factorColumns)
  const additional: Value[] = []
  for (const [column, value] of cells) {
    if (!column.startsWith(entryPrefix)) continue
    const wanted = column.slice(entryPrefix.length)
    const entry = nameAmong(known, wanted)
    const own = nameAmong(service.additional_entry_fields, wanted)
    const factor = nameAmong(service.usage_factors, wanted)
    const place = entry !== null ? entries : own !== null ? additional : factor !== null ? factors : entries
    place.push({ column, named: { name: entry ?? own ?? factor ?? wanted, value: textOf(value) } })
  }
  return { entries, factors, additional }
}

function valuesNamed(cells: ReadonlyMap<string, unknown>, columns: Readonly<Record<string, string>>): Value[] {
  return Object.entries(columns).flatMap(([column, name]) => {
    const value = textOf(cells.get(column))
    return value === null ? [] : [{ column, named: { name, value } }]
  })
}

const sameNames = [
  'previous_read_date',
  'read_date',
  'next_read_date',
  'fiscal_month',
  'previous_reading',
  'multiplier',
  'usage',
  'unit',
  'rate_schedule',
  'estimated',
  'notes',
] as const

function columnsOf(prefix: string, { entries, factors, additional }: Values): [string, string][] {
  const lists = {
    service_bill_entry_fields: entries,
    service_bill_usage_factors: factors,
    service_bill_additional_entry_fields: additional,
  }
  return [
    ['', `${prefix}meter_number`],
    ...sameNames.map((name): [string, string] => [`.${name}`, `${prefix}${name}`]),
    ['.meter_reading', `${prefix}reading`],
    ['.unit_id', `${prefix}unit`],
    ['.raw_unit', `${prefix}unit`],
    // Missing charges and factors are reported by their names.
    ...Object.entries({ ...entryColumns, ...factorColumns }).map(([column, name]): [string, string] => [`.${name}`, `${prefix}${column}`]),
    ...Object.entries(lists).flatMap(([list, values]) =>
      values.map(({ column }, at): [string, string] => [`.${list}.${at}`, `${prefix}${column}`]),
    ),
  ]
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
