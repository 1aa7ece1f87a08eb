/**
 * The definition of a CSV file of one kind: the template, the example, the guide and the validator all follow from it. A column that fills a
 * field of the entity is checked by the field's own schema, so that a file is refused where the form is, with the same message.
 */
import { optional, text, type Field } from './entity.ts'

/** A record that a cell refers to by a code or number that people know, never by its id. */
export interface ImportReference {
  /** The plural wire name of the referenced entity. */
  readonly refers: string
  /** The referenced record's column that the cell contains. */
  readonly by: string
  /** Label for people: 'division'. */
  readonly label: string
}

export interface ImportColumn {
  /** The header in the template. */
  readonly name: string
  /** The field of the entity that it fills. */
  readonly key: string
  readonly field: Field<unknown>
  /** Required for a new record. */
  readonly required: boolean
  /** One sentence for the guide. */
  readonly meaning: string
  /** One cell for each row of the example. */
  readonly examples: readonly string[]
  readonly reference?: ImportReference | undefined
  /** Several values in one cell, separated by semicolons. */
  readonly many?: boolean | undefined
  /** Values may repeat: each belongs to the value at the same position of another column. */
  readonly repeats?: boolean | undefined
  /** Maximum values of one cell, if more than usual. */
  readonly most?: number | undefined
  /** Belongs to the kind's part: a row contains the record and one part. */
  readonly part?: boolean | undefined
  /** The slice resolves, compares and stores it itself. */
  readonly own?: boolean | undefined
  /** The client's record that defines the column. */
  readonly of?: number | undefined
  /** Other accepted headers; the field's label is always accepted, since exports use it. */
  readonly headers?: readonly string[] | undefined
}

/** Records that belong to those of a kind, one per row: further rows of the same record add further ones. */
export interface ImportPart {
  /** Labels for people: 'Service', 'Services'. */
  readonly label: string
  readonly labels: string
  /** The column that a row must fill to contain a part. */
  readonly key: string
}

/** Columns that only one client's files have, with headers of that client. */
export interface ImportClientColumns {
  /** The plural wire name of the records that define the columns. */
  readonly of: string
  /** The key under which a row stores their cells. */
  readonly key: string
  readonly label: string
  readonly max: number
}

export interface ImportKind<Name extends string = string> {
  readonly name: Name
  /** Labels for people: 'Division', 'Divisions'. */
  readonly label: string
  readonly labels: string
  /** The columns that together identify a row's record. */
  readonly key: readonly string[]
  readonly columns: readonly ImportColumn[]
  readonly part?: ImportPart | undefined
  readonly clientColumns?: ImportClientColumns | undefined
  /** Headers that exports contain and imports ignore. */
  readonly passedOver?: readonly string[] | undefined
  /** Notes of the guide besides the columns. */
  readonly notes?: readonly string[] | undefined
  /** The guide's text on rows with an existing key, if they do not change the record. */
  readonly keyText?: string | undefined
  /** Creates a column for a header that is none of the kind's; null if it has no meaning. */
  readonly madeBy?: ((header: string) => ImportColumn | null) | undefined
  /** Heading of the report for notes on rows that can be stored. */
  readonly noted?: string | undefined
}

/** Maximum rows of one file. */
export const importRowsMax = 200_000
/** Maximum bytes of one file. */
export const importBytesMax = 50 * 1024 * 1024
/** Clears the record's value; a blank cell leaves it unchanged. */
export const clearMark = '#CLEAR'
export const manySeparator = ';'

type ColumnParts = Pick<ImportColumn, 'meaning' | 'examples'> &
  Partial<Pick<ImportColumn, 'key' | 'required' | 'headers' | 'many' | 'repeats' | 'most' | 'part' | 'own' | 'of'>>

/** A column that fills a field; `key` if the header differs from the field's name. */
export function column(name: string, field: Field<unknown>, parts: ColumnParts): ImportColumn {
  return { required: field.use === 'required', key: name, ...parts, name, field }
}

/** A column that names another record. */
export function reference(name: string, field: Field<unknown>, parts: ColumnParts & { key: string; to: ImportReference }): ImportColumn {
  const { to, ...rest } = parts
  return { required: field.use === 'required', ...rest, name, field, reference: to }
}

/** Defines a kind. Throws if a column of its key is missing. */
export function importKind<Name extends string>(kind: ImportKind<Name>): ImportKind<Name> {
  const lacking = kind.key.filter((name) => !kind.columns.some((one) => one.name === name))
  if (lacking.length > 0) throw new Error(`${kind.name}: the key names ${lacking.join(', ')}, which is no column`)
  return kind
}

/** A record of one client that defines a column of its files. */
export interface HeadingRecord {
  readonly id: number
  readonly name: string
}

/**
 * Returns the kind for one client's files: with a column for each of its records. A record with the name of one of the kind's columns gets a
 * distinguishing header.
 */
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

/** Normalizes a header: case, spaces and punctuation are ignored. */
export function plainHeader(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/**
 * Puts a quote before a text that a spreadsheet would run as a formula. A text with such a quote gets another one, so that imports can remove
 * one.
 */
export function withoutFormula(text: string): string {
  return /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text
}

/** One line of CSV, ended as in RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return delimitedLine(cells, ',')
}

/** The same with another delimiter. */
export function delimitedLine(cells: readonly string[], delimiter: string): string {
  return `${cells.map((cell) => delimitedCell(cell, delimiter)).join(delimiter)}\r\n`
}

/** One cell of such a line, in quotes if it needs them. */
export function delimitedCell(cell: string, delimiter: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell
}
