/** Formats one value of the trail for people. Pure. */
import { formatDate, formatMonth, isCalendarDate } from '#contract/kernel/date.ts'
import { formatDecimal, isDecimal } from '#contract/kernel/decimal.ts'
import type { Field } from '#contract/kernel/entity.ts'
import { formatAmount } from '#contract/kernel/money.ts'
import { formatInstant } from '#contract/kernel/zone.ts'

/** Most characters shown of one value; a long note is cut. */
const wordsMax = 600
/** Keys that may hold the name of a row in a list. */
const rowNames = ['name', 'account_number', 'meter_number', 'title', 'email', 'symbol', 'description']

/** Returns null for an empty value. `names` are those of the records that the field refers to. */
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

/** An id without a known name is shown as an id. */
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

/** Returns a list row's name, or else its contents. */
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
