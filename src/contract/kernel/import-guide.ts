/** The guide to a file of an import, its template and its example. */
import type { Field } from './entity.ts'
import { type ImportKind, csvLine, type ImportColumn, manySeparator } from './import.ts'

/** One column in the guide. */
export interface GuideLine {
  readonly name: string
  readonly required: boolean
  readonly is_key: boolean
  readonly meaning: string
  /** Allowed values in words. */
  readonly allowed: string
  readonly example: string
}

/** The guide to a kind's columns. */
export function importGuide(kind: ImportKind): GuideLine[] {
  return kind.columns.map((one) => ({
    name: one.name,
    required: one.required && !one.part,
    is_key: kind.key.includes(one.name),
    meaning: one.meaning,
    allowed: allowedOf(one),
    example: one.examples.find((example) => example !== '') ?? '',
  }))
}

/** The template: its header row only. */
export function importTemplate(kind: ImportKind): string {
  return csvLine(kind.columns.map((one) => one.name))
}

/** The template with a few rows that can be imported as they are, once the records they refer to exist. */
export function importExample(kind: ImportKind): string {
  const count = Math.max(...kind.columns.map((one) => one.examples.length))
  const rows = Array.from({ length: count }, (_, at) => csvLine(kind.columns.map((one) => one.examples[at] ?? '')))
  return importTemplate(kind) + rows.join('')
}

function allowedOf(one: ImportColumn): string {
  const several = one.many ? `; several with ${manySeparator} between them` : ''
  if (one.reference) return `The ${one.reference.by.replaceAll('_', ' ')} of a ${one.reference.label}${several}`
  return `${valuesOf(one.field)}${several}`
}

const choicesShown = 12

function valuesOf({ kind, choices, max, scale }: Field<unknown>): string {
  switch (kind) {
    case 'boolean':
      return 'Y or N'
    case 'integer':
      return 'A whole number'
    case 'decimal':
      return `A number with at most ${scale ?? 0} decimals`
    case 'money':
      return 'An amount in US dollars, such as 1234.50'
    case 'date':
      return 'A date, MM/DD/YYYY or YYYY-MM-DD'
    case 'month':
      return 'A month, YYYY-MM'
    case 'choice': {
      const words = (choices ?? []).map(({ value, label }) => (String(value) === label ? label : `${value} or ${label}`))
      return words.length > choicesShown ? `${words.slice(0, 3).join(', ')} and so on: a code or a name` : words.join(', ')
    }
    default:
      return max === undefined ? 'Text' : `Text, at most ${max} ${max === 1 ? 'character' : 'characters'}`
  }
}
