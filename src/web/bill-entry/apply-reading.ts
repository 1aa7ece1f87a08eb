/**
 * Fills the form with the values that were read from a document. Typed values are kept, and each filled value remembers its place in the
 * document.
 */
import { printedHeads } from '#contract/bills/bill-fields.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import type { BillReading, ReadField, ReadMeter } from '#contract/bill-reading/bill-reading.ts'
import { meterOfService } from '#contract/bill-reading/reading-lines.ts'
import type { BillValues, LineValues } from './bill-values.ts'

/** Values that were read, by the form's path. */
export type Proposals = Readonly<Record<string, ReadField>>

export interface ReadValues {
  readonly values: BillValues
  readonly proposals: Proposals
}

const lineFields = ['previous_read_date', 'read_date', 'previous_reading', 'meter_reading', 'multiplier', 'usage'] as const
const charges = { utility_charges: 'Utility Charges', supply_charges: 'Supply Charges' } as const

/** Fills a field only where it is empty or unchanged since the form started (`base`). */
export function applyReading(values: BillValues, base: BillValues, entry: BillEntry, reading: BillReading): ReadValues {
  const proposals: Record<string, ReadField> = {}
  const header = printedHeads.flatMap((key) => {
    const read = reading.fields.find((one) => one.field === key)
    if (!read || values[key] !== base[key]) return []
    proposals[key] = read
    return [[key, read.value] as const]
  })
  const lines = values.lines.map((line) => {
    const meter = meterOf(line, values, entry, reading)
    return meter ? readLine(line, base.lines.find((one) => one.key === line.key) ?? line, meter, entry, proposals) : line
  })
  return { values: { ...values, ...Object.fromEntries(header), lines }, proposals }
}

function meterOf(line: LineValues, values: BillValues, entry: BillEntry, reading: BillReading): ReadMeter | undefined {
  const service = entry.services.find((one) => one.id === line.service_id)
  return meterOfService(reading, service, values.lines.length === 1)
}

function readLine(
  line: LineValues,
  base: LineValues,
  meter: ReadMeter,
  entry: BillEntry,
  proposals: Record<string, ReadField>,
): LineValues {
  const at = `lines.${line.key}.`
  const find = (field: string) => meter.fields.find((one) => one.field === field)
  const plain = lineFields.flatMap((key) => {
    const read = find(key)
    if (!read || line[key] !== base[key]) return []
    proposals[`${at}${key}`] = read
    return [[key, read.value] as const]
  })
  const entries = Object.entries(charges).flatMap(([key, name]) => {
    const read = find(key)
    if (!read || (line.service_bill_entry_fields[name] ?? '') !== (base.service_bill_entry_fields[name] ?? '')) return []
    proposals[`${at}service_bill_entry_fields.${name}`] = read
    return [[name, read.value] as const]
  })
  const unit = find('unit')
  const unitId = entry.services.find((one) => one.id === line.service_id)?.unit_options.find((one) => one.symbol === unit?.value)?.id
  if (unit && unitId !== undefined) proposals[`${at}unit_id`] = unit
  const estimated = find('estimated')
  if (estimated) proposals[`${at}estimated`] = estimated
  return {
    ...line,
    ...Object.fromEntries(plain),
    unit_id: unitId ?? line.unit_id,
    estimated: estimated ? estimated.value === 'true' : line.estimated,
    service_bill_entry_fields: { ...line.service_bill_entry_fields, ...Object.fromEntries(entries) },
  }
}
