/** One value of the trail as a person reads it. Pure. */
import { formatDate, formatMonth, isCalendarDate } from '#contract/kernel/date.ts'
import { formatDecimal, isDecimal } from '#contract/kernel/decimal.ts'
import type { Field } from '#contract/kernel/entity.ts'
import { formatAmount } from '#contract/kernel/money.ts'
import { formatInstant } from '#contract/kernel/zone.ts'

/** Characters of one value that are shown; a note of ten pages is told by its start. */
const wordsMax = 600
/** Where a row of a list has its name. */
const rowNames = ['name', 'account_number', 'meter_number', 'title', 'email', 'symbol', 'description']

/** Null where nothing stands there. `names` are those of the records that the field names. */
export function valueWords(
  field: Field<unknown> | undefined,
  value: unknown,
  names: ReadonlyMap<number, string> | undefined,
): string | null {
  const words = wordsOf(field, value, names)
  return words !== null && words.length > wordsMax ? `${words.slice(0, wordsMax)}…` : words
}

function wordsOf(field: Field<unknown> | undefined, value: unknown, names: ReadonlyMap<number, string> | undefined): string | null {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((one) => wordsOf(field, one, names) ?? '–').join(', ')
  if (typeof value === 'object') return rowWords(value, field?.parts) || null
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  const chosen = field?.choices?.find((choice) => choice.value === value)
  if (chosen) return chosen.label
  if (typeof value === 'number') return numberWords(field, value, names)
  return textWords(field, typeof value === 'string' ? value : JSON.stringify(value))
}

/** An id that no name is known of stays recognisable as one. */
function numberWords(field: Field<unknown> | undefined, value: number, names: ReadonlyMap<number, string> | undefined): string {
  const name = names?.get(value)
  if (name !== undefined) return name
  const isId = names !== undefined || field?.kind === 'ref' || field?.kind === 'refs'
  return isId ? `#${value}` : textWords(field, String(value))
}

function textWords(field: Field<unknown> | undefined, value: string): string {
  switch (field?.kind) {
    case 'money':
      return isDecimal(value) ? formatAmount(value) : value
    case 'decimal':
      return isDecimal(value) ? formatDecimal(value, value.split('.')[1]?.length ?? 0) : value
    case 'month':
      return /^\d{4}-\d{2}$/.test(value) ? formatMonth(value) : value
    case 'instant':
      return instantWords(value)
    default:
      return isCalendarDate(value) ? formatDate(value) : value
  }
}

function instantWords(value: string): string {
  return Number.isNaN(Date.parse(value)) ? value : formatInstant(value)
}

/** A row of a list by its name; without one, by what it holds. */
function rowWords(row: object, parts: Field<unknown>['parts'] = {}): string {
  const known = new Map<string, unknown>(Object.entries(row))
  for (const key of rowNames) {
    const name = known.get(key)
    if (typeof name === 'string' && name !== '') return name
  }
  return [...known]
    .flatMap(([key, inner]) =>
      isPlain(inner) && key !== 'id' ? [`${parts[key] ?? key.replaceAll('_', ' ')} ${[inner].flat().join(', ')}`] : [],
    )
    .join(' · ')
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isPlain)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
