/**
 * The query grammar of every list: q[key], q[key_predicate], q[s]='column direction', page, per, values, with_total and with_rows. Unknown
 * parameters are refused by name, never ignored.
 */
import { z } from 'zod'
import { isCalendarDate } from './date.ts'
import type { Entity, Field } from './entity.ts'

export const pageSizeDefault = 10
export const pageSizeMax = 1000
/** Upper bound of `page` and `per`; a page beyond the last row is empty anyway. */
export const pageMax = 1_000_000_000
/** Maximum length of one filter value. */
export const filterLengthMax = 500
/** Maximum values of one `in` filter. */
export const filterValuesMax = 1000

export const predicates = ['cont', 'eq', 'not_eq', 'gteq', 'lteq', 'in', 'null'] as const
export type Predicate = (typeof predicates)[number]

export interface Filter {
  readonly key: string
  readonly predicate: Predicate
  /** Text for `cont`; the field's own type for the comparisons; a list for `in`; whether it must be empty for `null`. */
  readonly value: string | number | boolean | readonly (string | number)[]
}

export interface Sort {
  readonly key: string
  readonly direction: 'asc' | 'desc'
}

export interface ListQuery {
  readonly filters: readonly Filter[]
  readonly sort: Sort
  readonly page: number
  readonly per: number
  /** Ids of the records requested by `values`. */
  readonly values: readonly number[] | null
  readonly searchTerm: string
  readonly withTotal: boolean
  readonly withRows: boolean
}

/** Input of a caller; numbers and texts are equivalent, since it is part of the address. */
export interface ListInput {
  readonly q?: Readonly<Record<string, string | number | boolean | readonly (string | number)[] | undefined>> | undefined
  readonly page?: string | number | undefined
  readonly per?: string | number | undefined
  readonly values?: string | undefined
  readonly search_term?: string | undefined
  readonly with_total?: string | boolean | undefined
  readonly with_rows?: string | boolean | undefined
  /** Rows of these clients and vendors, and for bills only unpaid ones; a list without such columns ignores them. */
  readonly client_id?: string | readonly string[] | undefined
  readonly vendor_id?: string | readonly string[] | undefined
  readonly unpaid?: string | boolean | undefined
}

/** Selected rows of a list: by id, or all that match its filters, with exceptions. */
export interface RowSelection {
  readonly ids?: readonly number[] | undefined
  readonly filter?: Pick<ListInput, 'q' | 'search_term'> | undefined
  readonly except?: readonly number[] | undefined
}

/** One id, or several as `client_id[]=1&client_id[]=2` or separated by commas. */
const idsWritten = /^[1-9]\d{0,15}(,[1-9]\d{0,15})*$/
const oneIds = z.string().max(20_000).regex(idsWritten, 'must be an id')
const idsText = z.union([oneIds, z.array(oneIds).max(filterValuesMax)], { error: 'must be an id' }).optional()

/** Parameters of every list and its export besides `q`. */
export const sharedInput = {
  client_id: idsText,
  vendor_id: idsText,
  unpaid: z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' }).optional(),
}
export type SharedKey = keyof typeof sharedInput
export const sharedKeys: readonly SharedKey[] = ['client_id', 'vendor_id', 'unpaid']

/** The shape of a list's query, before its keys are checked against the entity. */
export const listInput: z.ZodType<ListInput> = z.strictObject(listShape(), {
  error: (issue) => (issue.code === 'unrecognized_keys' ? `Unknown parameter: ${keysOf(issue)}` : undefined),
})

/** The same shape with further parameters of one call, such as `client_id` or `unpaid`. */
export function listInputWith<Extra extends z.core.$ZodLooseShape>(extra: Extra): z.ZodType<ListInput & z.output<z.ZodObject<Extra>>> {
  return merged(
    z.strictObject(
      { ...listShape(), ...extra },
      {
        error: (issue) => (issue.code === 'unrecognized_keys' ? `Unknown parameter: ${keysOf(issue)}` : undefined),
      },
    ),
  )
}

/** A refused part of a query: the parameter's name and the error. */
export interface QueryFault {
  readonly key: string
  readonly message: string
}

/**
 * Reads a list's query against the entity's rules. `extraKeys` are filters of the call in addition to the entity's fields, each with the field
 * that types its value.
 * @returns the query, or the faults with the names of their parameters.
 */
export function readListQuery(
  input: ListInput,
  entity: Pick<Entity, 'fields' | 'list'>,
  extraKeys: Readonly<Record<string, Field<unknown>>> = {},
): { query: ListQuery; faults: readonly [] } | { query: null; faults: readonly QueryFault[] } {
  const faults: QueryFault[] = []
  const filters: Filter[] = []
  let sort = parseSort(entity.list.defaultSort)
  for (const [written, value] of Object.entries(input.q ?? {})) {
    if (value === undefined) continue
    if (written === 's') {
      const asked = parseSort(String(value))
      if (asked && entity.list.sort.includes(asked.key)) sort = asked
      else if (String(value) !== '') faults.push({ key: 'q[s]', message: `Unknown sort: ${String(value)}` })
      continue
    }
    const filter = readFilter(written, value, entity, extraKeys)
    if ('message' in filter) faults.push(filter)
    else if (filter.value !== '') filters.push(filter)
  }
  const page = readWhole('page', input.page, 1, pageMax, faults)
  const per = readWhole('per', input.per, entity.list.sizes?.[0] ?? pageSizeDefault, pageMax, faults)
  const values = readValues(input.values, faults)
  if (!sort) throw new Error(`default sort of ${entity.list.defaultSort} cannot be read`)
  if (faults.length > 0) return { query: null, faults }
  return {
    query: {
      filters,
      sort,
      page,
      per: Math.min(per, pageSizeMax),
      values,
      searchTerm: (input.search_term ?? '').trim(),
      withTotal: input.with_total !== false && input.with_total !== 'false',
      withRows: input.with_rows !== false && input.with_rows !== 'false',
    },
    faults: [],
  }
}

/** Parses 'name asc'; null if it is no sort. */
export function parseSort(text: string): Sort | null {
  const [key, direction = 'asc', ...rest] = text.trim().split(/\s+/)
  if (!key || rest.length > 0) return null
  return direction === 'asc' || direction === 'desc' ? { key, direction } : null
}

type Written = string | number | boolean | readonly (string | number)[]

function readFilter(
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
    return wanted === null ? { key: name, message: `${name} must be true or false` } : { key, predicate, value: wanted }
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

function readWhole(key: string, value: string | number | undefined, fallback: number, max: number, faults: QueryFault[]): number {
  if (value === undefined) return fallback
  const text = String(value)
  if (/^[1-9]\d{0,15}$/.test(text)) return Math.min(Number(text), max)
  faults.push({ key, message: `${key} must be a positive whole number` })
  return fallback
}

/** `values` is a JSON list of ids (G-VALUES-PARAM). */
function readValues(text: string | undefined, faults: QueryFault[]): readonly number[] | null {
  if (text === undefined) return null
  const ids = z.array(z.int().positive()).max(filterValuesMax).safeParse(jsonOf(text))
  if (ids.success) return ids.data
  faults.push({ key: 'values', message: 'values must be a JSON list of ids' })
  return null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function listShape() {
  const scalar = z.union([z.string(), z.number(), z.boolean()])
  return {
    q: z.record(z.string().max(100), z.union([scalar, z.array(z.union([z.string(), z.number()])).max(filterValuesMax)])).optional(),
    page: z.union([z.string(), z.number()]).optional(),
    per: z.union([z.string(), z.number()]).optional(),
    values: z.string().max(20_000).optional(),
    search_term: z.string().max(filterLengthMax).optional(),
    with_total: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
    with_rows: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
    ...sharedInput,
  }
}

function keysOf(issue: object): string {
  return 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.join(', ') : ''
}

/** The two shapes are spread into one; the compiler cannot follow that through a generic. */
function merged<T>(schema: z.ZodType): z.ZodType<T>
function merged(schema: z.ZodType): z.ZodType {
  return schema
}
