/** A form's values and their wire format: typed values stay text until the entity's own schemas parse them. */
import type { z } from 'zod'
import { writableKeys, type Entity, type Field, type Fields } from '#contract/kernel/entity.ts'
import { joinedMessages } from '#contract/kernel/problem.ts'
import { valueText } from '../value-text.ts'

/** Values by wire name. Texts and numbers are text, '' if empty; an unchanged secret is undefined. */
export type FormValues = Readonly<Record<string, unknown>>
/** Errors by wire name; those of nested values by their path: `batch_groups_attributes.0.name`. */
export type FormErrors = Readonly<Record<string, string>>
export type FormEntity = Pick<Entity, 'name' | 'plural' | 'label' | 'fields' | 'draft' | 'patch'> & Partial<Pick<Entity, 'rules'>>

/** Returns the initial values: those of the record, or the defaults of a new one. `start` overrides them. */
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

/** Returns stored children as the form holds them: with their ids, and their values as typed. */
export function childValues(fields: Fields, rows: readonly ({ readonly id: number } & object)[]): Record<string, unknown>[] {
  return rows.map((row) => ({ id: row.id, ...valuesOf(fields, new Map<string, unknown>(Object.entries(row))) }))
}

/** Returns a new child with default values. */
export function blankChild(fields: Fields): Record<string, unknown> {
  return valuesOf(fields, new Map(Object.entries(fields).map(([key, { initial }]) => [key, initial])))
}

function valuesOf(fields: Fields, stored: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, startValue(field, stored.get(key))]))
}

/** Returns the values that differ from the base, in wire format. */
export function changedValues(entity: FormEntity, base: FormValues, values: FormValues): Record<string, unknown> {
  return Object.fromEntries(changedKeys(base, values).map((key) => [key, wireValue(entity.fields[key], values[key])]))
}

/** Returns all filled values in wire format; empty ones are left to the server's defaults. */
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

/** Sends whole numbers as numbers. Text that is not a number is sent as typed, so that the schema rejects it with the field's name. */
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

/** Validates values with the entity's own schema, which the server uses too. */
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

/** Converts the server's field errors to the form's shape. */
export function serverErrors(fields: Readonly<Record<string, readonly string[]>>): FormErrors {
  return Object.fromEntries(Object.entries(fields).map(([key, texts]) => [key, formWords(joinedMessages(texts))]))
}

/** Rewrites a message for the form: users type dates as MM/DD/YYYY, only the wire format is YYYY-MM-DD. */
export function formWords(message: string): string {
  return message.replaceAll('YYYY-MM-DD', 'MM/DD/YYYY').replaceAll('YYYY-MM', 'MM/YYYY')
}

/** Returns a field's own error, or the first error inside it. */
export function errorOf(errors: FormErrors, key: string): string | undefined {
  return errors[key] ?? Object.entries(errors).find(([path]) => path.startsWith(`${key}.`))?.[1]
}

/** Removes the errors of a field that was changed. */
export function withoutError(errors: FormErrors, key: string): FormErrors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => path !== key && !path.startsWith(`${key}.`)))
}

/** Applies this user's changes to the record as it is now; unchanged fields take the new values. */
export function rebased(base: FormValues, values: FormValues, fresh: FormValues): FormValues {
  const mine = changedKeys(base, values)
  return { ...fresh, ...Object.fromEntries(mine.map((key) => [key, values[key]])) }
}
