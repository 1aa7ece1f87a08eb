/**
 * The fields of a record that a form, files and other systems send, each defined once: its value in the draft that all of them share, in the
 * body of a save, in an answer and in the form, and what the server does with it.
 */
import { z } from 'zod'
import { isBlank } from './entity.ts'

/** `Value` is what a draft may give; `Checked` has the default filled in; `Typed` is the form's value, '' or null where empty. */
export interface RecordField<Value, Checked = Value, Typed = Value, Use extends 'must' | 'may' = 'must' | 'may'> {
  /** Name in the form, and in messages if `name` is not given. */
  readonly label: string
  /** Name in messages. */
  readonly name: string
  readonly use: Use
  readonly draft: z.ZodType<Checked>
  readonly sent: z.ZodOptional<z.ZodType<Value>>
  readonly answered: z.ZodType<Value>
  readonly typed: z.ZodType<Typed>
  readonly empty: Typed
  /** Replaces a required value that cannot be read yet in the draft, so that the rest can be checked. */
  readonly placeholder?: Value
  /** Decimal places of a number. Numbers are text, because they must never become floats. */
  readonly scale?: number
  /** Group of fields that are locked together. */
  readonly lock: string
  /** True if the field changes no figure of any month. */
  readonly isSilent?: boolean
}

export type RecordFields = Readonly<Record<string, RecordField<unknown, unknown, unknown>>>
type Flat<T> = { [K in keyof T]: T[K] }
type ValueOf<F> = F extends { readonly sent: z.ZodOptional<z.ZodType<infer Value>> } ? Value : never
type KeysOf<F extends RecordFields, Use> = { [K in keyof F]: F[K]['use'] extends Use ? K : never }[keyof F]

/** A record before its defaults are filled in. */
export type DraftOf<F extends RecordFields> = Flat<
  { readonly [K in KeysOf<F, 'must'>]: ValueOf<F[K]> } & { readonly [K in KeysOf<F, 'may'>]?: ValueOf<F[K]> | undefined }
>
/** A record in the body of a save, which need not contain all fields. */
export type SentOf<F extends RecordFields> = { readonly [K in keyof F]?: ValueOf<F[K]> | undefined }
export type TypedOf<F extends RecordFields> = { [K in keyof F]: F[K]['empty'] }

/** Schema of a value that may be missing, null or blank; it is null then. */
export const orNull = <T>(schema: z.ZodType<T>): z.ZodType<T | null> =>
  z.preprocess((value) => (value === undefined || isBlank(value) ? null : value), z.nullable(schema))

/** Returns one schema of each field. */
export function schemasOf<F extends RecordFields, Part extends 'draft' | 'sent' | 'answered' | 'typed'>(
  fields: F,
  part: Part,
): { [K in keyof F]: F[K][Part] }
export function schemasOf(fields: RecordFields, part: 'draft' | 'sent' | 'answered' | 'typed'): object {
  return mapped(fields, (field) => field[part])
}

/** Returns the names of the fields in their order. */
export function namesOf<F extends RecordFields>(fields: F): (keyof F & string)[]
export function namesOf(fields: RecordFields): string[] {
  return Object.keys(fields)
}

/** Returns the fields with these names. */
export function someOf<F extends RecordFields, K extends keyof F & string>(fields: F, names: readonly K[]): Pick<F, K>
export function someOf(fields: RecordFields, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
}

/** Returns the form's names by field. */
export function labelsOf(fields: RecordFields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, { label }]) => [name, label]))
}

/** Returns the required fields, each with its name in messages. */
export function requiredOf<F extends RecordFields>(fields: F): [KeysOf<F, 'must'> & string, string][]
export function requiredOf(fields: RecordFields): [string, string][] {
  return Object.entries(fields).flatMap(([key, { use, name }]) => (use === 'must' ? [[key, name]] : []))
}

/** Returns the names of the fields that are locked with this group. */
export function lockedWith(fields: RecordFields, group: string): string[] {
  return Object.entries(fields).flatMap(([name, { lock }]) => (lock === group ? [name] : []))
}

/** Returns the names of the fields that change no figure. */
export function silentOf(fields: RecordFields): string[] {
  return Object.entries(fields).flatMap(([name, { isSilent }]) => (isSilent === true ? [name] : []))
}

/** Returns the record's own values from an object with more of them. */
export function ownOf<F extends RecordFields, R extends Partial<Readonly<Record<keyof F, unknown>>>>(
  fields: F,
  row: R,
): Pick<R, keyof F & keyof R>
export function ownOf(fields: RecordFields, row: object): object {
  const values = new Map<string, unknown>(Object.entries(row))
  return mapped(fields, (_, name) => values.get(name))
}

/** Returns the empty values of the form. */
export function emptyOf<F extends RecordFields>(fields: F): TypedOf<F>
export function emptyOf(fields: RecordFields): object {
  return mapped(fields, ({ empty }) => empty)
}

/** Returns the form's values of a stored record. */
export function typedOf<F extends RecordFields>(fields: F, stored: Partial<Readonly<Record<keyof F, unknown>>>): TypedOf<F>
export function typedOf(fields: RecordFields, stored: object): object {
  const values = new Map<string, unknown>(Object.entries(stored))
  return mapped(fields, ({ empty }, name) => values.get(name) ?? empty)
}

/** Returns the body of a save. A value that may be missing is null where it is empty; a required one that is not there at all is left out. */
export function sentOf<F extends RecordFields>(fields: F, typed: TypedOf<F>): SentOf<F>
export function sentOf(fields: RecordFields, typed: object): object {
  const values = new Map<string, unknown>(Object.entries(typed))
  const sent = mapped(fields, ({ use }, name) => (use === 'may' && values.get(name) === '' ? null : values.get(name)))
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => value !== null || fields[name]?.use === 'may'))
}

/** Returns the draft. Values that `isUnreadable` names are left out: a required one is replaced by its placeholder. */
export function draftOf<F extends RecordFields>(fields: F, typed: TypedOf<F>, isUnreadable: (name: string) => boolean): DraftOf<F>
export function draftOf(fields: RecordFields, typed: object, isUnreadable: (name: string) => boolean): object {
  const values = new Map<string, unknown>(Object.entries(typed))
  return mapped(fields, ({ use, placeholder }, name) => {
    const value = values.get(name)
    if (use === 'must') return value === null || isUnreadable(name) ? placeholder : value
    return typeof value === 'string' && (value === '' || isUnreadable(name)) ? null : value
  })
}

function mapped(fields: RecordFields, change: (field: RecordFields[string], name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field, name)]))
}
