/** Compares two values of one kind, however they are written. */
import type { ReadMeterField } from '#contract/bill-reading/bill-reading.ts'
import { compareDecimals, isDecimal } from '#contract/kernel/decimal.ts'
import type { Kind } from './printed-values.ts'

export function isSameValue(kind: Kind, a: string, b: string): boolean {
  if (kind === 'identifier') return lettersAndDigits(a) === lettersAndDigits(b)
  if ((kind === 'number' || kind === 'factor') && isDecimal(a) && isDecimal(b)) return compareDecimals(a, b) === 0
  return a === b
}

/** Returns a number without the separators that people and utilities choose freely. */
export function lettersAndDigits(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '')
}

export function kindOfMeterField(field: ReadMeterField): Kind {
  if (field === 'meter_number') return 'identifier'
  if (field === 'previous_read_date' || field === 'read_date') return 'date'
  return field === 'utility_charges' || field === 'supply_charges' ? 'money' : field === 'multiplier' ? 'factor' : 'number'
}
