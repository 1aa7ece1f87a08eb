/** Reads one filter of a list's query. */
import { fieldWords } from './field-words.ts'
import { z } from 'zod'
import { isCalendarDate } from './date.ts'
import type { Entity, Field } from './entity.ts'
import { type QueryFault, type Filter, predicates, filterValuesMax, filterLengthMax } from './query.ts'

type Written = string | number | boolean | readonly (string | number)[]

export function readFilter(
  written: string,
  value: Written,
  entity: Pick<Entity, 'fields' | 'list'>,
  extraKeys: Readonly<Record<string, Field<unknown>>>,
): Filter | QueryFault {
  const name = `q[${written}]`
  const found = findKey(written, entity, extraKeys)
  if (!found) return { key: name, message: `Unknown filter: ${written}` }
  const { key, field } = found
  const predicate = found.predicate ?? (isText(field) ? 'cont' : 'eq')
  if (predicate === 'null') {
    const wanted = readBoolean(value)
    return wanted === null ? { key: name, message: fieldWords.truth(name) } : { key, predicate, value: wanted }
  }
  if (predicate === 'in') return readIn(name, key, field, value)
  if (typeof value === 'object') return { key: name, message: `${name} takes one value` }
  if (String(value) === '') return { key, predicate, value: '' }
  if (predicate === 'cont') {
    if (!isText(field)) return { key: name, message: `${name} needs a text field` }
    return storable(String(value)) ? { key, predicate, value: String(value) } : { key: name, message: `${name} cannot be searched for` }
  }
  const typed = readValue(field, value)
  return typed === null ? { key: name, message: `${name} ${expected(field)}` } : { key, predicate, value: typed }
}

function findKey(written: string, entity: Pick<Entity, 'fields' | 'list'>, extraKeys: Readonly<Record<string, Field<unknown>>>) {
  // Every object has `constructor`: only own keys are filters.
  const extra = (key: string) => (Object.hasOwn(extraKeys, key) ? extraKeys[key] : undefined)
  const fieldOf = (key: string) => (entity.list.filter.includes(key) ? (entity.fields[key] ?? idField(key)) : extra(key))
  const bare = fieldOf(written)
  if (bare) return { key: written, field: bare, predicate: null }
  for (const predicate of ['not_eq', ...predicates] as const) {
    if (!written.endsWith(`_${predicate}`)) continue
    const key = written.slice(0, -predicate.length - 1)
    const field = fieldOf(key)
    if (field) return { key, field, predicate }
  }
  return null
}

function idField(key: string): Field<unknown> | undefined {
  return key === 'id' ? { kind: 'ref', label: 'Id', use: 'derived', schema: z.int() } : undefined
}

function readIn(name: string, key: string, field: Field<unknown>, value: Written): Filter | QueryFault {
  const parts = typeof value === 'object' ? value : String(value).split(',')
  if (parts.length > filterValuesMax) return { key: name, message: `${name} takes at most ${filterValuesMax} values` }
  const typed = parts.filter((part) => String(part) !== '').map((part) => readValue(field, part))
  const good = typed.filter((part): part is string | number => typeof part === 'string' || typeof part === 'number')
  return good.length < typed.length ? { key: name, message: `${name} ${expected(field)}` } : { key, predicate: 'in', value: good }
}

/** Reads one value as the field's own type; null if it cannot be one. Dates are accepted as YYYY-MM-DD and MM/DD/YYYY (G-DATE-WIRE). */
function readValue(field: Field<unknown>, value: string | number | boolean): string | number | boolean | null {
  const text = String(value).trim()
  switch (field.kind) {
    case 'integer':
    case 'ref':
    case 'refs':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : null
    case 'decimal':
    case 'money':
      return /^-?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})$/.test(text) ? text : null
    case 'boolean':
      return readBoolean(text)
    case 'date':
      return readDate(text)
    case 'instant':
      return readDate(text) ?? (z.iso.datetime({ offset: true }).safeParse(text).success ? text : null)
    case 'choice': {
      const found = field.choices?.find((one) => String(one.value) === text)
      return found ? found.value : null
    }
    default:
      return storable(text) ? text : null
  }
}

function readDate(text: string): string | null {
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  const iso = us ? `${us[3]}-${us[1]?.padStart(2, '0')}-${us[2]?.padStart(2, '0')}` : text
  return isCalendarDate(iso) ? iso : null
}

function readBoolean(value: unknown): boolean | null {
  const text = String(value).toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : null
}

function expected(field: Field<unknown>): string {
  switch (field.kind) {
    case 'integer':
    case 'ref':
    case 'refs':
      return 'must be a whole number'
    case 'decimal':
    case 'money':
      return 'must be a number'
    case 'boolean':
      return 'must be true or false'
    case 'date':
    case 'instant':
      return 'must be a date'
    case 'choice':
      return `must be one of ${field.choices?.map((one) => String(one.value)).join(', ') ?? ''}`
    default:
      return 'cannot be searched for'
  }
}

function isText(field: Field<unknown>): boolean {
  return field.kind === 'text' || field.kind === 'long_text' || field.kind === 'email'
}

/** PostgreSQL stores no NUL, and a lone surrogate is no character. */
function storable(text: string): boolean {
  return text.length <= filterLengthMax && !text.includes('\u0000') && text.isWellFormed()
}
