/** A form's values and how they travel: what a person typed is text until the entity's own schemas read it. */
import type { z } from 'zod'
import { writableKeys, type Entity, type Field, type Fields } from '#contract/kernel/entity.ts'
import { valueText } from '../value-text.ts'

/** By wire name. Texts and numbers are text, '' where empty; an untouched secret is undefined. */
export type FormValues = Readonly<Record<string, unknown>>
/** Messages by wire name; those of nested values by their path: `batch_groups_attributes.0.name`. */
export type FormErrors = Readonly<Record<string, string>>
export type FormEntity = Pick<Entity, 'name' | 'plural' | 'label' | 'fields' | 'draft' | 'patch'> & Partial<Pick<Entity, 'rules'>>

/** What the form starts from: the record, or a new one with its defaults. `start` is laid over it. */
export function startValues(entity: FormEntity, row: object | null, start: FormValues = {}): FormValues {
  const stored = new Map<string, unknown>(Object.entries(row ?? {}))
  const values = writableKeys(entity.fields).map((key) => {
    const field = entity.fields[key]
    return [key, field ? startValue(field, row ? stored.get(key) : field.initial) : undefined]
  })
  return { ...Object.fromEntries(values), ...start }
}

function startValue(field: Field<unknown>, value: unknown): unknown {
  switch (field.kind) {
    case 'boolean':
      return value === true
    case 'ref':
      return typeof value === 'number' ? value : null
    case 'refs':
    case 'texts':
      return Array.isArray(value) ? value : []
    case 'list':
      return value
    case 'secret':
      return undefined
    default:
      return valueText(value)
  }
}

/** Stored children as the form holds them: with their ids, and their values as typed. */
export function childValues(fields: Fields, rows: readonly ({ readonly id: number } & object)[]): Record<string, unknown>[] {
  return rows.map((row) => ({ id: row.id, ...valuesOf(fields, new Map<string, unknown>(Object.entries(row))) }))
}

/** A child that is to be filled in. */
export function blankChild(fields: Fields): Record<string, unknown> {
  return valuesOf(fields, new Map(Object.entries(fields).map(([key, { initial }]) => [key, initial])))
}

function valuesOf(fields: Fields, stored: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, startValue(field, stored.get(key))]))
}

/** The values that differ from the base, as they travel. */
export function changedValues(entity: FormEntity, base: FormValues, values: FormValues): Record<string, unknown> {
  return Object.fromEntries(changedKeys(base, values).map((key) => [key, wireValue(entity.fields[key], values[key])]))
}

/** Everything that was filled in, as it travels; what is empty is left to the defaults. */
export function filledValues(entity: FormEntity, values: FormValues): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values)
      .map(([key, value]): [string, unknown] => [key, wireValue(entity.fields[key], value)])
      .filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
}

export function changedKeys(base: FormValues, values: FormValues): string[] {
  return Object.keys(values).filter((key) => !sameValue(base[key], values[key]))
}

export function sameValue(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

/** Whole numbers travel as numbers; what is no number travels as typed, for the schema to refuse it with the field's name. */
function wireValue(field: Field<unknown> | undefined, value: unknown): unknown {
  const children = field?.children
  if (children && Array.isArray(value)) return value.map((child: unknown) => wireChild(children, child))
  if (typeof value !== 'string') return value
  const isNumber = field?.kind === 'integer' || (field?.kind === 'choice' && typeof field.choices?.[0]?.value === 'number')
  if (isNumber && /^-?\d{1,15}$/.test(value.trim())) return Number(value)
  return value
}

function wireChild(fields: Fields, child: unknown): unknown {
  if (typeof child !== 'object' || child === null) return child
  return Object.fromEntries(Object.entries(child).map(([key, value]): [string, unknown] => [key, wireValue(fields[key], value)]))
}

/** Holds values against the entity's own schema, the one that the server uses. */
export function validate(schema: z.ZodType, values: Record<string, unknown>): FormErrors {
  const outcome = schema.safeParse(values)
  if (outcome.success) return {}
  const errors: Record<string, string> = {}
  for (const issue of outcome.error.issues) {
    const path = issue.path.join('.') || 'base'
    errors[path] ??= formWords(issue.message)
  }
  return errors
}

/** The server's field messages in the form's shape. */
export function serverErrors(fields: Readonly<Record<string, readonly string[]>>): FormErrors {
  return Object.fromEntries(Object.entries(fields).map(([key, texts]) => [key, formWords(texts.join('. '))]))
}

/** A message in the words of forms: dates are typed as people write them, and only travel as YYYY-MM-DD. */
export function formWords(message: string): string {
  return message.replaceAll('YYYY-MM-DD', 'MM/DD/YYYY').replaceAll('YYYY-MM', 'MM/YYYY')
}

/** The message at a field: its own, or the first of what lies inside it. */
export function errorOf(errors: FormErrors, key: string): string | undefined {
  return errors[key] ?? Object.entries(errors).find(([path]) => path.startsWith(`${key}.`))?.[1]
}

/** Takes the messages of one field away, for it has been changed. */
export function withoutError(errors: FormErrors, key: string): FormErrors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => path !== key && !path.startsWith(`${key}.`)))
}

/** Lays what this person changed over the record as it is now; what they left alone takes the new values. */
export function rebased(base: FormValues, values: FormValues, fresh: FormValues): FormValues {
  const mine = changedKeys(base, values)
  return { ...fresh, ...Object.fromEntries(mine.map((key) => [key, values[key]])) }
}
