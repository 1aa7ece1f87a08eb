/**
 * What a CSV file of one kind may hold, said once: the template, the example, the guide and the validator all follow from this list.
 * A column that fills a field of the entity is checked by the field's own schema, so that a file is refused where the form is, in its words.
 */
import { optional, text, type Field } from './entity.ts'

/** A record that a cell names by something that people know, its code or number, never by its id. */
export interface ImportReference {
  /** The plural wire name of what is named. */
  readonly refers: string
  /** The column of that record that the cell holds. */
  readonly by: string
  /** For people: 'division'. */
  readonly label: string
}

export interface ImportColumn {
  /** The header, as the template writes it. */
  readonly name: string
  /** The field of the entity that it fills. */
  readonly key: string
  readonly field: Field<unknown>
  /** A new record needs it. */
  readonly required: boolean
  /** One sentence for the guide. */
  readonly meaning: string
  /** One cell for each row of the example. */
  readonly examples: readonly string[]
  readonly reference?: ImportReference | undefined
  /** Several values in one cell, each after a semicolon. */
  readonly many?: boolean | undefined
  /** Several values may be the same: each stands for the one at its place of another column. */
  readonly repeats?: boolean | undefined
  /** Values of one cell, where it may hold more than others. */
  readonly most?: number | undefined
  /** Belongs to the kind's part: a row brings the record and one of what hangs on it. */
  readonly part?: boolean | undefined
  /** The slice resolves, compares and keeps it itself. */
  readonly own?: boolean | undefined
  /** The client's record that heads the column. */
  readonly of?: number | undefined
  /** Other headers that mean this column; the field's label always does, since exports carry it. */
  readonly headers?: readonly string[] | undefined
}

/** Records that hang on those of a kind, one a row: further rows of the same record bring further ones. */
export interface ImportPart {
  /** For people: 'Service', 'Services'. */
  readonly label: string
  readonly labels: string
  /** The column that a row needs to mean one. */
  readonly key: string
}

/** Columns that only one client's files have, headed by names of its own. */
export interface ImportClientColumns {
  /** The plural wire name of the records that the columns are headed by. */
  readonly of: string
  /** The key under which a row keeps their cells. */
  readonly key: string
  readonly label: string
  readonly max: number
}

export interface ImportKind<Name extends string = string> {
  readonly name: Name
  /** For people: 'Division', 'Divisions'. */
  readonly label: string
  readonly labels: string
  /** The columns that together say which record a row means. */
  readonly key: readonly string[]
  readonly columns: readonly ImportColumn[]
  readonly part?: ImportPart | undefined
  readonly clientColumns?: ImportClientColumns | undefined
  /** Headers that exports carry and imports pass over. */
  readonly passedOver?: readonly string[] | undefined
  /** What the guide says beside the columns. */
  readonly notes?: readonly string[] | undefined
  /** What the guide says of rows whose key is there already, where that does not change the record. */
  readonly keyText?: string | undefined
  /** Makes a column of a header that is none of the kind's, null where it means nothing. */
  readonly madeBy?: ((header: string) => ImportColumn | null) | undefined
  /** How the report heads what is remarked on rows that can be stored. */
  readonly noted?: string | undefined
}

/** Rows of one file. */
export const importRowsMax = 200_000
/** Bytes of one file. */
export const importBytesMax = 50 * 1024 * 1024
/** Empties what the record has; a blank cell leaves it as it is. */
export const clearMark = '#CLEAR'
export const manySeparator = ';'

type ColumnParts = Pick<ImportColumn, 'meaning' | 'examples'> &
  Partial<Pick<ImportColumn, 'key' | 'required' | 'headers' | 'many' | 'repeats' | 'most' | 'part' | 'own' | 'of'>>

/** A column that fills a field; `key` where the header is called otherwise than the field. */
export function column(name: string, field: Field<unknown>, parts: ColumnParts): ImportColumn {
  return { required: field.use === 'required', key: name, ...parts, name, field }
}

/** A column that names another record. */
export function reference(name: string, field: Field<unknown>, parts: ColumnParts & { key: string; to: ImportReference }): ImportColumn {
  const { to, ...rest } = parts
  return { required: field.use === 'required', ...rest, name, field, reference: to }
}

/** Makes a kind. Throws where its key is none of its columns. */
export function importKind<Name extends string>(kind: ImportKind<Name>): ImportKind<Name> {
  const lacking = kind.key.filter((name) => !kind.columns.some((one) => one.name === name))
  if (lacking.length > 0) throw new Error(`${kind.name}: the key names ${lacking.join(', ')}, which is no column`)
  return kind
}

/** A record of one client that heads a column of its files. */
export interface HeadingRecord {
  readonly id: number
  readonly name: string
}

/** The kind as one client's files have it: with a column for each of its records. One that is called like a column of the kind says what it is. */
export function clientKind(kind: ImportKind, records: readonly HeadingRecord[]): ImportKind {
  const { clientColumns } = kind
  if (!clientColumns) return kind
  const { key, label, max } = clientColumns
  const taken = kind.columns.flatMap(({ name, field }) => [name, field.label]).map(plainHeader)
  const columns = records.slice(0, max).map(({ id, name }): ImportColumn => {
    const header = taken.includes(plainHeader(name)) ? `${label}: ${name}` : name
    return column(header, optional(text(name)), {
      key,
      own: true,
      meaning: `The value of the ${label.toLowerCase()} ${name}.`,
      examples: [],
      of: id,
    })
  })
  return { ...kind, columns: [...kind.columns, ...columns] }
}

/** Case, spaces and marks of a header do not matter. */
export function plainHeader(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** One column as people read about it. */
export interface GuideLine {
  readonly name: string
  readonly required: boolean
  readonly is_key: boolean
  readonly meaning: string
  /** What a cell may hold, in words. */
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

/** The template: its header row alone, ready to be filled in. */
export function importTemplate(kind: ImportKind): string {
  return csvLine(kind.columns.map((one) => one.name))
}

/** The template with a few rows that can be imported as they are, once what they name is there. */
export function importExample(kind: ImportKind): string {
  const count = Math.max(...kind.columns.map((one) => one.examples.length))
  const rows = Array.from({ length: count }, (_, at) => csvLine(kind.columns.map((one) => one.examples[at] ?? '')))
  return importTemplate(kind) + rows.join('')
}

/** A text that a spreadsheet would run as a formula, with a quote in front. A text with such a quote gets one more, so that imports can take one off. */
export function withoutFormula(text: string): string {
  return /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text
}

/** One line of CSV, ended as RFC 4180 wants it. */
export function csvLine(cells: readonly string[]): string {
  return delimitedLine(cells, ',')
}

/** The same with another delimiter. */
export function delimitedLine(cells: readonly string[], delimiter: string): string {
  const isQuoted = (cell: string): boolean => /[",;\t\r\n]|^\s|\s$/.test(cell) || cell.includes(delimiter)
  return `${cells.map((cell) => (isQuoted(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)}\r\n`
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
