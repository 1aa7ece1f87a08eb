/**
 * Children that are sent inside their parent as `*_attributes`: new ones without an id, changed ones with it and the changed values, removed
 * ones as {id, _destroy}. Their messages are those of the specification, so each required value has its own.
 */
import { fieldWords } from './field-words.ts'
import { z } from 'zod'
import { answerSchema, derived, list, type Field, type Fields } from './entity.ts'

/** Keys that every child may have besides its own values. */
export interface ChildDraft {
  readonly id?: number | undefined
  readonly _destroy?: boolean | undefined
}

type Shape = Readonly<Record<string, z.ZodType>>
export type ChildOf<S extends Shape> = ChildDraft & { [K in keyof S]?: z.output<S[K]> | undefined }

/** The write-only field of a parent's children; `shape` gives each stored value of a child with its schema. */
export function children<S extends Shape>(label: string, shape: S, max = 200): Field<ChildOf<S>[], 'write_only'> {
  return {
    kind: 'list',
    label,
    use: 'write_only',
    max,
    schema: typed<ChildOf<S>[]>(z.array(childSchema(shape), { error: `${label} must be a list` }).max(max, fieldWords.entries(label, max))),
  }
}

type ValueOf<F> = F extends Field<infer Value> ? Value : never
/** A child whose values are declared as fields, as returned. */
export type ChildRowOf<F extends Fields> = { readonly id: number } & { readonly [K in keyof F]: ValueOf<F[K]> }
type ShapeOf<F extends Fields> = { readonly [K in keyof F]: z.ZodType<ValueOf<F[K]>> }

/**
 * The two fields of a parent whose children have many values: the returned one, and the sent one as `*_attributes`. A value missing in a new
 * child is empty, or the field's initial value.
 */
export function childFields<F extends Fields>(
  label: string,
  fields: F,
  max?: number,
): { readonly answered: Field<ChildRowOf<F>[], 'derived'>; readonly sent: Field<ChildOf<ShapeOf<F>>[], 'write_only'> } {
  const answers = Object.entries(fields).map(([key, field]) => [key, answerSchema(field)])
  const row = z.object({ id: z.int(), ...Object.fromEntries(answers) })
  return {
    answered: derived(list(label, typed<ChildRowOf<F>[]>(z.array(row)))),
    sent: { ...children(label, shapeOf(fields), max), children: fields },
  }
}

function shapeOf<F extends Fields>(fields: F): ShapeOf<F>
function shapeOf(fields: Fields): Shape {
  const mayBeMissing = ({ initial, schema }: Field<unknown>) => (initial === undefined ? schema : z.optional(schema))
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, mayBeMissing(field)]))
}

/** A value that a new child must have; `message` is shown if it is empty. */
export function needed<V>(message: string, schema: z.ZodType<V>): z.ZodType<V> {
  return z
    .unknown()
    .refine((value) => !isEmpty(value), { error: message, abort: true })
    .pipe(schema)
}

/** The schema of a single child, for forms. */
export function childSchema<S extends Shape>(shape: S): z.ZodType<ChildOf<S>> {
  const loose = Object.fromEntries(Object.entries(shape).map(([key, schema]) => [key, z.optional(schema)]))
  const needs = Object.keys(shape).filter((key) => !shape[key]?.safeParse(undefined).success)
  return typed<ChildOf<S>>(
    z.preprocess(
      (value) => completed(value, needs),
      z.strictObject({ id: z.int().positive().optional(), _destroy: z.boolean().optional(), ...loose }),
    ),
  )
}

/** A removed child is accepted as it is; a new one gets an error for each required value that is missing. */
function completed(value: unknown, needs: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const given = new Map<string, unknown>(Object.entries(value))
  const id = given.get('id') ?? undefined
  if (isTrue(given.get('_destroy'))) return { id, _destroy: true }
  const gaps = id === undefined ? needs.filter((key) => given.get(key) === undefined) : []
  given.delete('_destroy')
  given.delete('id')
  return { ...Object.fromEntries(given), ...Object.fromEntries(gaps.map((key) => [key, null])), ...(id === undefined ? {} : { id }) }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true'
}

/** The schema is built key by key from the same shape as the type, which the compiler cannot follow. */
function typed<T>(schema: z.ZodType): z.ZodType<T>
function typed(schema: z.ZodType): z.ZodType {
  return schema
}
