/** The content of a survey's paper, field by field: the values of a survey, or room for every value on an empty sheet. */
import { formatDecimal } from '#contract/kernel/decimal.ts'
import { formatDate } from '#contract/kernel/date.ts'
import type { Field, Fields } from '#contract/kernel/entity.ts'

/** One cell of the paper under its label: a value, room to write, or boxes to tick. */
export type PaperCell =
  | { readonly kind: 'value'; readonly label: string; readonly text: string; readonly isWide: boolean }
  | { readonly kind: 'room'; readonly label: string; readonly unit: string; readonly isWide: boolean }
  | { readonly kind: 'boxes'; readonly label: string; readonly boxes: readonly string[]; readonly isWide: boolean }

/** Returns the given values in the order of the fields; all true flags share one cell at the end. */
export function filledCells(fields: Fields, values: object): PaperCell[] {
  const shown = shownFields(fields)
  const cells = shown.flatMap(([key, field]): PaperCell[] => {
    const text = countedText(fields, key, values) ?? valueText(field, valueAt(values, key))
    return text === null ? [] : [{ kind: 'value', label: field.label, text, isWide: field.kind === 'long_text' }]
  })
  const marked = flagsOf(fields).filter(([key]) => valueAt(values, key) === true)
  if (marked.length === 0) return cells
  return [...cells, { kind: 'value', label: 'Yes', text: marked.map(([, { label }]) => label).join(', '), isWide: true }]
}

/** Returns cells with room for every value of the fields. */
export function emptyCells(fields: Fields): PaperCell[] {
  const cells = shownFields(fields).map(([, field]): PaperCell => {
    const { label, unit = '', choices } = field
    if (choices) return { kind: 'boxes', label, boxes: choices.map((one) => one.label), isWide: false }
    if (field.kind === 'boolean') return { kind: 'room', label: `${label} (count)`, unit, isWide: false }
    return { kind: 'room', label, unit, isWide: field.kind === 'long_text' }
  })
  const flags = flagsOf(fields)
  if (flags.length === 0) return cells
  return [...cells, { kind: 'boxes', label: 'Yes', boxes: flags.map(([, { label }]) => label), isWide: true }]
}

/** Returns the fields with their own cell: flags share one, and a count is shown with its flag. */
function shownFields(fields: Fields): [string, Field<unknown>][] {
  return Object.entries(fields).filter(
    ([key, field]) =>
      field.use !== 'write_only' && field.kind !== 'list' && !isCount(fields, key) && (field.kind !== 'boolean' || hasCount(fields, key)),
  )
}

function flagsOf(fields: Fields): [string, Field<unknown>][] {
  return Object.entries(fields).filter(([key, { kind }]) => kind === 'boolean' && !hasCount(fields, key))
}

function hasCount(fields: Fields, key: string): boolean {
  return `${key}_no` in fields
}

function isCount(fields: Fields, key: string): boolean {
  return key.endsWith('_no') && key.slice(0, -3) in fields
}

/** Returns the text of a flag with a count: the count, or Yes without one; null if the flag is not set. Undefined for any other field. */
function countedText(fields: Fields, key: string, values: object): string | null | undefined {
  if (!hasCount(fields, key)) return undefined
  const count = valueAt(values, `${key}_no`)
  if (typeof count === 'number') return count.toLocaleString('en-US')
  return valueAt(values, key) === true ? 'Yes' : null
}

function valueText(field: Field<unknown>, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  const text = plainText(field, value)
  return field.unit === undefined ? text : `${text} ${field.unit}`
}

function plainText({ kind, choices, label }: Field<unknown>, value: unknown): string {
  if (choices) return choices.find((one) => one.value === value)?.label ?? String(value)
  if (typeof value === 'number') return label.endsWith('Year') ? String(value) : value.toLocaleString('en-US')
  const text = String(value)
  if (kind === 'date') return formatDate(text)
  return kind === 'decimal' ? formatDecimal(text, 4).replace(/\.?0+$/, '') : text
}

function valueAt(values: object, key: string): unknown {
  return Object.hasOwn(values, key) ? Reflect.get(values, key) : undefined
}
