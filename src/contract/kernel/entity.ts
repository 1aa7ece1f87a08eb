/**
 * An entity is defined once: its fields with their wire names, types and labels. The row that the server returns, the draft that a form sends,
 * their validation, the filters of its list and the columns of its export all follow from this definition.
 */
import { fieldWords } from './field-words.ts'
import { z } from 'zod'
import { isCalendarDate } from './date.ts'
import './messages.ts'
import type { ValueRule } from './value-rules.ts'

export type FieldKind =
  | 'text'
  | 'long_text'
  | 'email'
  | 'boolean'
  | 'integer'
  | 'decimal'
  | 'money'
  | 'date'
  | 'month'
  | 'instant'
  | 'choice'
  | 'ref'
  | 'refs'
  | 'secret'
  | 'texts'
  | 'list'

/** required and optional are entered by users; defaulted may be left out; derived is read-only; write_only is only sent. */
export type FieldUse = 'required' | 'optional' | 'defaulted' | 'derived' | 'write_only'

export interface Choice {
  readonly value: string | number
  readonly label: string
}

export interface Words {
  readonly yes: string
  readonly no: string
}

export interface Field<Value, Use extends FieldUse = FieldUse> {
  readonly kind: FieldKind
  readonly label: string
  readonly use: Use
  readonly schema: z.ZodType<Value>
  /** Initial value of a new record, if the field has a default. */
  readonly initial?: Value
  /** Decimal places, for decimal and money. */
  readonly scale?: number
  readonly max?: number
  /** Maximum length of each of several texts. */
  readonly length?: number
  readonly choices?: readonly Choice[]
  /** Labels of a boolean, for true and false. */
  readonly words?: Words
  /** The plural wire name of the entity whose select options a `ref` or `refs` picks from. */
  readonly refers?: string
  readonly help?: string
  /** Unit shown after a number: 'hp'. */
  readonly unit?: string
  /** Labels of the parts of a value, if it has parts. */
  readonly parts?: Readonly<Record<string, string>>
  /** Fields of its children, if it is a list of records sent with their parent. */
  readonly children?: Fields
  /** A text of a certain form, which no shortcut past its schema may skip. */
  readonly formed?: boolean
  /** A number as printed on paper: searches ignore spaces and dashes. */
  readonly number?: boolean
  /** Computed for the console from other values: no column of the export, and no line of the trail. */
  readonly shown_only?: boolean
}

export type Fields = Readonly<Record<string, Field<unknown>>>
type ValueOf<F> = F extends Field<infer Value> ? Value : never
type UseOf<F> = F extends Field<unknown, infer Use> ? Use : never
type Flat<T> = { [K in keyof T]: T[K] } & {}

type RowKeys<F extends Fields> = { [K in keyof F]: UseOf<F[K]> extends 'write_only' ? never : K }[keyof F]
type NeededKeys<F extends Fields> = { [K in keyof F]: UseOf<F[K]> extends 'required' ? K : never }[keyof F]
type FreeKeys<F extends Fields> = { [K in keyof F]: UseOf<F[K]> extends 'optional' | 'defaulted' | 'write_only' ? K : never }[keyof F]

export type RowOf<F extends Fields> = Flat<{ id: number; lock_version: number } & { [K in RowKeys<F>]: ValueOf<F[K]> }>
export type DraftOf<F extends Fields> = Flat<{ [K in NeededKeys<F>]: ValueOf<F[K]> } & { [K in FreeKeys<F>]?: ValueOf<F[K]> | undefined }>

/** The filters and sorts of the entity's list; the server refuses everything else, and the console offers exactly these. */
export interface ListRules {
  readonly filter: readonly string[]
  readonly sort: readonly string[]
  readonly defaultSort: string
  /** The page sizes of the pager; a list opens with the first. */
  readonly sizes?: readonly number[]
}

export interface Entity<Name extends string = string, Plural extends string = string, F extends Fields = Fields> {
  readonly name: Name
  readonly plural: Plural
  /** Labels for people: 'Billable Account', 'Billable Accounts'. */
  readonly label: string
  readonly labels: string
  readonly fields: F
  readonly list: ListRules
  /** Rules over several values of a record, which its form and every other source obey. */
  readonly rules: readonly ValueRule[]
  readonly row: z.ZodType<RowOf<F>>
  /** A new record, with defaults filled in. */
  readonly draft: z.ZodType<DraftOf<F>>
  /** A change: only the sent values, without defaults; `lock_version` may be included. */
  readonly patch: z.ZodType<Partial<DraftOf<F>> & { lock_version?: number | undefined }>
}

export type Row<E> = E extends Entity<string, string, infer F> ? RowOf<F> : never
export type Draft<E> = E extends Entity<string, string, infer F> ? DraftOf<F> : never

/** Defines an entity. `name` and `plural` are its wire names; labels come from the name unless given. Throws if a rule names no field. */
export function entity<Name extends string, Plural extends string, F extends Fields>(
  name: Name,
  plural: Plural,
  fields: F,
  list: ListRules,
  { label, labels, rules = [] }: { label?: string; labels?: string; rules?: readonly ValueRule[] } = {},
): Entity<Name, Plural, F> {
  for (const key of [...list.filter, ...list.sort]) {
    if (!(key in fields) && key !== 'id') throw new Error(`${name}: the list names ${key}, which is no field`)
  }
  for (const { field, notBefore } of rules)
    for (const key of [field, notBefore]) if (!(key in fields)) throw new Error(`${name}: a rule names ${key}, which is no field`)
  return {
    name,
    plural,
    label: label ?? titleCase(name),
    labels: labels ?? titleCase(plural),
    fields,
    rules,
    list: { ...list, sort: sortsOf(fields, list) },
    row: rowSchema<F>(fields),
    draft: draftSchema<F>(fields),
    patch: patchSchema<F>(fields),
  }
}

/** Any field that fills one cell and can be filtered can also be sorted by. */
function sortsOf(fields: Fields, { filter, sort }: ListRules): readonly string[] {
  const more = filter.filter((key) => {
    const field = fields[key]
    return key === 'id' || (field && sortedKinds.includes(field.kind) && field.use !== 'write_only' && !field.shown_only)
  })
  return [...new Set([...sort, ...more])]
}

const sortedKinds: readonly FieldKind[] = [
  'text',
  'long_text',
  'email',
  'boolean',
  'integer',
  'decimal',
  'money',
  'date',
  'month',
  'instant',
  'choice',
]

// ---------------------------------------------------------------- fields

/** One line of text, trimmed, never empty. */
export function text(label: string, max = 255): Field<string, 'required'> {
  return { kind: 'text', label, use: 'required', max, schema: textSchema(label, max) }
}

/** A number that papers print with their own spaces and dashes: of an account, a meter, an invoice. */
/** A text of a certain form; an empty one is for `required` to refuse. */
export function formedText(label: string, max: number, isOfForm: (value: string) => boolean, form: string): Field<string, 'required'> {
  const field = text(label, max)
  return { ...field, formed: true, schema: field.schema.refine((value) => value === '' || isOfForm(value), `${label} ${form}`) }
}

export function numberText(label: string, max = 255): Field<string, 'required'> {
  return { ...text(label, max), number: true }
}

/** Several lines of text. */
export function longText(label: string, max = 10_000): Field<string, 'required'> {
  return { kind: 'long_text', label, use: 'required', max, schema: textSchema(label, max) }
}

/** An email address. */
export function email(label: string): Field<string, 'required'> {
  const schema = textSchema(label, emailMax).refine(
    (value) => value === '' || z.regexes.email.test(value),
    `${label} must be an email address`,
  )
  return { kind: 'email', label, use: 'required', max: emailMax, schema }
}
/** Maximum length; RFC 5321 allows no longer path. */
const emailMax = 254

/** A value that is masked when read and encrypted at rest; a masked value sent back means unchanged. */
export function secret(label: string, max = 64): Field<string, 'required'> {
  return { kind: 'secret', label, use: 'required', max, schema: textSchema(label, max) }
}

/** A field labeled Active has the words active and inactive; any other has yes and no. */
export function boolean(label: string, words: Words = label === 'Active' ? activeWords : yesWords): Field<boolean, 'required'> {
  return { kind: 'boolean', label, words, use: 'required', schema: z.boolean({ error: fieldWords.truth(label) }) }
}

const activeWords: Words = { yes: 'Active', no: 'Inactive' }
const yesWords: Words = { yes: 'Yes', no: 'No' }

export function integer(label: string, limits: { min?: number; max?: number } = {}): Field<number, 'required'> {
  const { min = -2_147_483_648, max = 2_147_483_647 } = limits
  const schema = z
    .int({ error: (issue) => missing(issue.input, label) ?? `${label} must be a whole number` })
    .min(min, fieldWords.atLeast(label, min))
    .max(max, fieldWords.atMost(label, max))
  return { kind: 'integer', label, use: 'required', max, schema }
}

/** A decimal number as text with exactly `scale` decimals; more decimals are refused, fewer are padded. */
export function decimal(
  label: string,
  scale: number,
  limits: { min?: number; max?: number; whole?: number } = {},
): Field<string, 'required'> {
  const { min, max, whole = 12 } = limits
  return { kind: 'decimal', label, use: 'required', scale, schema: decimalSchema(label, scale, whole, min, max) }
}

/** US dollars as text with two decimals. */
export function money(label: string): Field<string, 'required'> {
  return { kind: 'money', label, use: 'required', scale: 2, schema: decimalSchema(label, 2, 8) }
}

/** A calendar date, YYYY-MM-DD. */
export function date(label: string): Field<string, 'required'> {
  return {
    kind: 'date',
    label,
    use: 'required',
    schema: z.iso
      .date({ abort: true, error: (issue) => missing(issue.input, label) ?? fieldWords.date(label) })
      // There was no year 0, and PostgreSQL has none.
      .refine(isCalendarDate, { abort: true, error: fieldWords.date(label) }),
  }
}

/** A month, YYYY-MM. */
export function month(label: string): Field<string, 'required'> {
  return { kind: 'month', label, use: 'required', schema: monthSchema(label) }
}

function monthSchema(label: string): z.ZodType<string> {
  const error = `${label} must be a month, YYYY-MM`
  return z.string({ error: (issue) => missing(issue.input, label) ?? error }).regex(/^\d{4}-(0[1-9]|1[0-2])$/, error)
}

/** An instant, ISO 8601 with Z. */
export function instant(label: string): Field<string, 'required'> {
  return { kind: 'instant', label, use: 'required', schema: z.iso.datetime({ offset: true, error: `${label} must be a time` }) }
}

export function choice<const V extends string | number>(
  label: string,
  choices: readonly { value: V; label: string }[],
): Field<V, 'required'> {
  const values = choices.map((one) => one.value)
  const schema = z
    .custom<V>((value) => values.some((one) => one === value), {
      error: (issue) => missing(issue.input, label) ?? `${label} must be one of ${choices.map((one) => one.label).join(', ')}`,
    })
    .meta({ enum: values })
  return { kind: 'choice', label, use: 'required', schema, choices }
}

/** The id of a record; `refers` is the plural wire name of its entity. */
export function ref(label: string, refers: string): Field<number, 'required'> {
  const schema = z.int({ error: (issue) => missing(issue.input, label) ?? fieldWords.id(label) }).positive(fieldWords.id(label))
  return { kind: 'ref', label, use: 'required', schema, refers }
}

/** Ids of several records, without repeats. */
export function refs(label: string, refers: string, max = 1_000): Field<number[], 'required'> {
  const schema = z
    .array(z.int(fieldWords.ids(label)).positive(fieldWords.ids(label)), { error: fieldWords.ids(label) })
    .max(max, fieldWords.entries(label, max))
    .transform((ids) => [...new Set(ids)])
  return { kind: 'refs', label, use: 'required', schema, refers, max }
}

/** Several short texts, such as aliases: trimmed, without empty ones and without repeats. */
export function texts(label: string, { count, length }: { count: number; length: number }): Field<string[], 'required'> {
  const schema = z
    .array(blankOrText(label, length), { error: `${label} must be a list of texts` })
    .max(textsSentMax, fieldWords.entries(label, count))
    .transform((values) => [...new Set(values.filter((value) => value !== ''))])
    .refine((values) => values.length <= count, fieldWords.entries(label, count))
  return { kind: 'texts', label, use: 'required', schema, max: count, length }
}
/** Most texts that may be sent, before empty ones and repetitions are removed. */
const textsSentMax = 1_000

/** A value that only one entity has, with its own schema. */
export function list<Value>(label: string, schema: z.ZodType<Value>): Field<Value, 'required'> {
  return { kind: 'list', label, use: 'required', schema }
}

// ---------------------------------------------------------------- how a field is used

/** May be empty: null on the wire. A text of only spaces counts as null, like an empty one. */
export function optional<Value>(field: Field<Value, 'required'>): Field<Value | null, 'optional'> {
  const { initial: _, ...rest } = field
  const schema: z.ZodType<Value | null> = z.preprocess((value) => (isBlank(value) ? null : value), z.nullable(field.schema))
  return { ...rest, use: 'optional', schema }
}

/** May be missing in a new record, which then gets `initial`. */
export function defaulted<Value>(field: Field<Value, 'required'>, initial: Value): Field<Value, 'defaulted'> {
  return { ...field, use: 'defaulted', initial }
}

/** Returned by the server, never sent. */
export function derived<Value>(field: Field<Value>): Field<Value, 'derived'> {
  return { ...field, use: 'derived' }
}

/** Derived, and useless outside the console. */
export function shownOnly<Value>(field: Field<Value>): Field<Value, 'derived'> {
  return { ...derived(field), shown_only: true }
}

/** Sent, never returned. */
export function writeOnly<Value>(field: Field<Value>): Field<Value, 'write_only'> {
  return { ...field, use: 'write_only' }
}

/** Adds a help sentence that forms show beside the field. */
export function helped<F extends Field<unknown>>(field: F, help: string): F {
  return { ...field, help }
}

/** Sets the unit of a number; forms and papers show it after the number. */
export function inUnit<F extends Field<unknown>>(field: F, unit: string): F {
  return { ...field, unit }
}

/** The keys that a form may send. */
export function writableKeys(fields: Fields): string[] {
  return Object.keys(fields).filter((key) => fields[key]?.use !== 'derived')
}

/** The keys of a response besides id and lock_version. */
export function readableKeys(fields: Fields): string[] {
  return Object.keys(fields).filter((key) => fields[key]?.use !== 'write_only')
}

/** Turns 'billable_account' into 'Billable Account'. */
export function titleCase(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

// ---------------------------------------------------------------- schemas

function rowSchema<F extends Fields>(fields: F): z.ZodType<RowOf<F>> {
  const shape: Record<string, z.ZodType> = { id: z.int(), lock_version: z.int() }
  for (const key of readableKeys(fields)) {
    const field = fields[key]
    if (field) shape[key] = answerSchema(field)
  }
  return typed<RowOf<F>>(z.object(shape))
}

/** A response is checked for its shape, not for valid input: old rows may violate newer rules. */
export function answerSchema(field: Field<unknown>): z.ZodType {
  switch (field.kind) {
    case 'text':
    case 'long_text':
    case 'email':
    case 'secret':
    case 'date':
    case 'month':
    case 'instant':
      return z.string().nullable()
    case 'decimal':
    case 'money':
      return z
        .string()
        .regex(/^-?\d+(\.\d+)?$/)
        .nullable()
    case 'boolean':
      return z.boolean().nullable()
    case 'integer':
    case 'ref':
      return z.number().nullable()
    case 'refs':
      return z.array(z.number())
    case 'texts':
      return z.array(z.string())
    case 'choice':
    case 'list':
      return z.nullable(field.schema)
  }
}

function draftSchema<F extends Fields>(fields: F): z.ZodType<DraftOf<F>> {
  const shape: Record<string, z.ZodType> = {}
  for (const key of writableKeys(fields)) {
    const field = fields[key]
    if (!field) continue
    if (field.use === 'required') shape[key] = field.schema
    else if (field.use === 'defaulted')
      shape[key] = z.optional(field.schema).transform((value) => (value === undefined ? field.initial : value))
    else shape[key] = z.optional(field.schema)
  }
  return typed<DraftOf<F>>(z.strictObject(shape))
}

/** No defaults here: a zod default survives `.partial()` and would overwrite columns on PATCH. */
function patchSchema<F extends Fields>(fields: F): z.ZodType<Partial<DraftOf<F>> & { lock_version?: number | undefined }> {
  const shape: Record<string, z.ZodType> = { lock_version: z.int().min(0).optional() }
  for (const key of writableKeys(fields)) {
    const field = fields[key]
    if (field) shape[key] = z.optional(field.schema)
  }
  return typed<Partial<DraftOf<F>> & { lock_version?: number | undefined }>(z.strictObject(shape))
}

/** The shape is built from the same field list as the type, key by key, which the compiler cannot follow through a loop. */
function typed<T>(schema: z.ZodType): z.ZodType<T>
function typed(schema: z.ZodType): z.ZodType {
  return schema
}

function textSchema(label: string, max: number): z.ZodType<string> {
  return z.preprocess(
    trimmed,
    z
      .string({ error: (issue) => missing(issue.input, label) ?? fieldWords.text(label) })
      .min(1, fieldWords.required(label))
      .max(max, fieldWords.characters(label, max))
      .refine(isStorable, unstorable(label)),
  )
}

/** One of several texts; an empty one is removed afterwards. */
function blankOrText(label: string, max: number): z.ZodType<string> {
  return z.preprocess(
    trimmed,
    z
      .string({ error: `${label} must be texts` })
      .max(max, fieldWords.charactersEach(label, max))
      .refine(isStorable, unstorable(label)),
  )
}

/** PostgreSQL stores no NUL and no half of a surrogate pair. */
export function isStorable(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed()
}

export const unstorable = (label: string): string => `${label} holds characters that cannot be stored`

function decimalSchema(label: string, scale: number, whole: number, min?: number, max?: number): z.ZodType<string> {
  return z
    .union([z.string(), z.number()], { error: (issue) => missing(issue.input, label) ?? fieldWords.number(label) })
    .transform((value) => String(value).trim())
    .refine((value) => /^-?(\d+\.?\d*|\.\d+)$/.test(value), { error: fieldWords.number(label), abort: true })
    .refine((value) => (value.split('.')[1]?.replace(/0+$/, '').length ?? 0) <= scale, `${label} must have at most ${scale} decimals`)
    .refine((value) => (value.replace('-', '').split('.')[0] ?? '').replace(/^0+/, '').length <= whole, `${label} is too large`)
    .refine((value) => min === undefined || Number(value) >= min, fieldWords.atLeast(label, min))
    .refine((value) => max === undefined || Number(value) <= max, fieldWords.atMost(label, max))
    .transform((value) => canonicalDecimal(value, scale))
}

function canonicalDecimal(value: string, scale: number): string {
  const negative = value.startsWith('-')
  const [whole = '', fraction = ''] = value.replace('-', '').split('.')
  const digits = `${whole.replace(/^0+(?=\d)/, '') || '0'}${scale > 0 ? `.${fraction.slice(0, scale).padEnd(scale, '0')}` : ''}`
  return negative && /[1-9]/.test(digits) ? `-${digits}` : digits
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().normalize('NFC') : value
}

/** True for a text that is empty or has only spaces. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

function missing(input: unknown, label: string): string | undefined {
  return input === undefined || input === null || isBlank(input) ? fieldWords.required(label) : undefined
}
