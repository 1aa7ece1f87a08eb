/** Cells with the variety of typed values: for each column of an import those candidates that the column accepts. */
import { readCell } from '#contract/kernel/import-cell.ts'
import type { ImportColumn } from '#contract/kernel/import.ts'

/** Place of a cell. */
export interface CellPlace {
  /** Index of the row, from 0. */
  readonly row: number
  /** Index of the column, so that neighbours differ. */
  readonly column: number
  readonly isKey: boolean
}

/** Names of the records that a reference may mean. */
export type NamesOf = (column: ImportColumn) => readonly string[]

const sixty = 'Sixty characters – Ångström, 日本 – and more bytes than letters: 0'.slice(0, 60)
const texts = [
  'Plain',
  '=SUM(A1:A9)',
  '007',
  "O'Neill & Sons, Inc.",
  '-5',
  'say "so"; then go',
  '@home',
  sixty,
  "'=1",
  '+1 518 555',
  'Ångström 日本 🙂',
  'NULL',
  '1,234',
  'Y',
  'a|b\tc',
]
const long = [...texts, 'Two\nlines, "quoted"', 'Windows\r\nline']
const plain: Partial<Record<ImportColumn['field']['kind'], readonly string[]>> = {
  text: texts,
  long_text: long,
  boolean: ['Y', 'no', 'TRUE', '0', 'Active', 'Inactive'],
  integer: ['1', '30', '7', '99', '0', '365'],
  decimal: ['0.5', '1,234.5', '0', '0.1234', '12', '-3.25'],
  money: ['12.50', '-4.00', '$1,234.50', '0.00'],
  date: ['2024-02-29', '01/31/2020', '2021-12-01'],
  month: ['2025-01', '2024-12'],
  refs: [],
  texts: ['one', '"a;b"; two', '"say ""so"""'],
}

const years = ['2024', '1999']
/** Cells of the column's kind; a column that takes no small integer takes years. */
function cellsOfKind(column: ImportColumn): readonly string[] {
  const cells = plain[column.field.kind] ?? []
  const isYear = column.field.kind === 'integer' && cells.every((cell) => isRefused(readCell(column, cell)))
  return isYear ? years : cells
}

const isRefused = (reading: ReturnType<typeof readCell>): boolean => !reading.blank && reading.faults !== undefined

/** Returns the accepted candidates of a column, each with another value. */
export function candidatesOf(column: ImportColumn, namesOf: NamesOf): string[] {
  const found = column.reference
    ? namesOf(column).map((name) => (column.many ? listedCell(name) : guarded(name)))
    : column.field.choices
      ? column.field.choices.slice(0, 12).flatMap(({ value, label }, at) => (at % 2 === 0 ? String(value) : label))
      : cellsOfKind(column).map((cell) => (cell.length > 60 ? cell : guarded(cell)))
  const seen = new Set<string>()
  return found.filter((cell) => {
    const reading = readCell(column, cell)
    if (reading.blank || reading.faults) return false
    const value = JSON.stringify(reading.value)
    if (seen.has(value)) return false
    seen.add(value)
    return true
  })
}

/**
 * Returns a cell for this place: each candidate in turn, and every fifth row leaves optional ones blank. A key is different in each row.
 */
export function variedCell(column: ImportColumn, candidates: readonly string[], { row, column: at, isKey }: CellPlace): string {
  const cell = candidates[(row + at) % Math.max(1, candidates.length)] ?? ''
  if (isKey && !column.reference) return `${cell.slice(0, (column.field.max ?? 60) - 6)} ${row}`
  return !column.required && (row + at) % 5 === 4 ? '' : cell
}

/** One of several values of a cell. */
export function listedCell(value: string): string {
  return /[;"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** Quotes a text that a spreadsheet would run, as an export does. */
function guarded(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text.replaceAll(',', ''))) ? `'${text}` : text
}
