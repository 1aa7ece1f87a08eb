/** Reads one cell of an import: converts the text of a user or a spreadsheet into the value that a form would send. */
import { fieldWords } from './field-words.ts'
import { unstorable } from './entity.ts'
import type { Field } from './entity.ts'
import { clearMark, manySeparator, type ImportColumn } from './import.ts'

/** `blank` leaves a record unchanged. A reference's value is the text that names the record; `many` returns a list. */
export type CellReading =
  | { readonly blank: true }
  | { readonly value: unknown; readonly faults?: undefined; readonly blank?: undefined }
  | { readonly faults: readonly string[]; readonly value?: undefined; readonly blank?: undefined }

const blank: CellReading = { blank: true }
/** Plain text without spaces at its ends is stored by a text field as it is, so the schema can be skipped. */
const plainText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Reads a cell by its column. A value that the entity's field refuses is refused here with the same message. */
export function readCell(column: ImportColumn, written: string): CellReading {
  const text = withoutGuard(written).trim()
  if (text === '') return blank
  if (text.toUpperCase() === clearMark) return cleared(column)
  if (column.many) return readMany(column, text)
  if (column.reference) return readName(column, text)
  const { field } = column
  const isText = field.kind === 'text' || field.kind === 'long_text' || field.kind === 'secret'
  if (isText && field.formed !== true && text.length <= (field.max ?? 0) && plainText.test(text)) return { value: text }
  return checked(field, isText ? text : converted(field, text))
}

/** Exports put a quote before text that a spreadsheet would take for a formula; this removes it. */
const guarded = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
function withoutGuard(text: string): string {
  return text.startsWith("'") && guarded.test(text) ? text.slice(1) : text
}

function cleared(column: ImportColumn): CellReading {
  if (column.many) return { value: [] }
  if (column.reference && !column.required) return { value: null }
  return checked(column.field, null)
}

/** A name is looked up as it is; a text that cannot be stored names nothing. */
function readName({ field }: ImportColumn, text: string): CellReading {
  return isStorable(text) ? { value: text.normalize('NFC') } : { faults: [unstorable(field.label)] }
}

function readMany({ field, reference, repeats, most = manyMax }: ImportColumn, text: string): CellReading {
  const parts = partsOf(text).map((part) => part.trim().normalize('NFC'))
  const said = parts.filter((part) => part !== '')
  const values = repeats ? said : [...new Set(said)]
  if (!values.every(isStorable)) return { faults: [unstorable(field.label)] }
  if (values.length > most) return { faults: [`${field.label} must have at most ${most} values`] }
  if (reference) return { value: values }
  if (field.kind === 'texts') return checked(field, values)
  const lengthMax = field.length ?? textMax
  const long = values.find((value) => value.length > lengthMax)
  return long === undefined ? { value: values } : { faults: [fieldWords.charactersEach(field.label, lengthMax)] }
}
const manyMax = 100

/** A value that contains a semicolon or a quotation mark is quoted, with inner quotation marks doubled. */
function partsOf(text: string): string[] {
  if (!text.includes('"')) return text.split(manySeparator)
  return (text.match(/(?:\s*"(?:[^"]|"")*"\s*(?=;|$)|[^;]*)(?:;|$)/g) ?? []).map((piece) => {
    const bare = (piece.endsWith(manySeparator) ? piece.slice(0, -1) : piece).trim()
    return /^"(?:[^"]|"")*"$/.test(bare) ? bare.slice(1, -1).replaceAll('""', '"') : bare
  })
}
const textMax = 255

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

function checked({ schema }: Field<unknown>, value: unknown): CellReading {
  const outcome = schema.safeParse(value)
  return outcome.success ? { value: outcome.data } : { faults: outcome.error.issues.map((issue) => issue.message) }
}

/** Returns the value that a form would send for this text. A text without a meaning stays as it is, so that the schema refuses it. */
function converted({ kind, choices }: Field<unknown>, text: string): unknown {
  switch (kind) {
    case 'boolean':
      return booleanOf(text)
    case 'integer':
      return /^[+-]?\d{1,15}$/.test(ungrouped(text)) ? Number(ungrouped(text)) : text
    case 'decimal':
    case 'money':
      return numberText(text)
    case 'date':
      return isoDateOf(text)
    case 'choice': {
      const wanted = text.toLowerCase()
      const found = choices?.find(({ value, label }) => String(value).toLowerCase() === wanted || label.toLowerCase() === wanted)
      return found ? found.value : text
    }
    default:
      return text
  }
}

const yes = ['y', 'yes', 'true', 't', '1', 'x', 'active']
const no = ['n', 'no', 'false', 'f', '0', 'deactivated', 'inactive']
function booleanOf(text: string): unknown {
  const word = text.toLowerCase()
  if (yes.includes(word)) return true
  return no.includes(word) ? false : text
}

/** Converts a number as people write it, '$1,234.50', to the schema's format. */
export function numberText(text: string): string {
  return ungrouped(text.replace(/^\$/, ''))
}

/** Removes grouping commas: 12,345.60 is a number, 12,3 is not. */
function ungrouped(text: string): string {
  return /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text) ? text.replaceAll(',', '') : text
}

/** MM/DD/YYYY, with or without leading zeros, as ISO. */
function isoDateOf(text: string): string {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  return month && day && year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text
}
