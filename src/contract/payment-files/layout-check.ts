/**
 * Reads a file of rows and columns back from its bytes and checks it: complete lines, columns, widths, dates, amounts, check digits, formulas,
 * the heading, and the last row against the rows above it. It knows only the layout, not how the file was written.
 */
import { isCalendarDate } from '../kernel/date.ts'
import type { Layout, LayoutColumn } from './layout.ts'
import { columnSources, type ColumnSource } from './layout-sources.ts'
import type { Checked } from './nacha-check.ts'
import { decoded, splitLines } from './split-lines.ts'
import { amountPatterns, type ReadRows, sums, totals, type ReadRow, bare } from './layout-sums.ts'

const patterns: Readonly<Record<LayoutColumn['date'], RegExp>> = {
  'YYYY-MM-DD': /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)$/,
  'MM/DD/YYYY': /^(?<m>\d\d)\/(?<d>\d\d)\/(?<y>\d{4})$/,
  MMDDYY: /^(?<m>\d\d)(?<d>\d\d)(?<y>\d\d)$/,
  MMDDYYYY: /^(?<m>\d\d)(?<d>\d\d)(?<y>\d{4})$/,
  YYMMDD: /^(?<y>\d\d)(?<m>\d\d)(?<d>\d\d)$/,
  YYYYMMDD: /^(?<y>\d{4})(?<m>\d\d)(?<d>\d\d)$/,
  'YYYY-MM-DD THH:MM:SS': /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d) T00:00:00$/,
}

export function checkLayout(bytes: Uint8Array, layout: Layout): Checked<ReadRows> {
  const faults: string[] = []
  const text = decoded(bytes, layout, faults)
  const lines = text === null ? [] : splitLines(text, layout, faults)
  const body = lines.map((line, at) => (layout.kind === 'fixed' ? fixedCells(line, layout, at, faults) : line))
  if (
    layout.heading &&
    !sameCells(
      body.shift() ?? [],
      layout.columns.map((column) => column.heading),
    )
  )
    faults.push('The heading is another one.')
  const last = layout.total_row ? (body.pop() ?? null) : null
  if (body.length === 0) faults.push('The file has no rows.')
  const rows = body.map((cells, at) => readRow(cells, layout, at + 1, faults))
  const read = sums(rows, layout, lines.length, faults)
  if (last) totals(last, rows, read, layout, faults)
  const [first, ...rest] = faults
  return first === undefined ? { read, faults: [] } : { read: null, faults: [first, ...rest] }
}

function fixedCells([line = '']: readonly string[], { columns }: Layout, at: number, faults: string[]): string[] {
  const width = columns.reduce((sum, column) => sum + (column.width ?? 0), 0)
  if (line.length !== width) faults.push(`Line ${at + 1} has ${line.length} characters, not ${width}.`)
  let from = 0
  return columns.map((column) => {
    const cell = line.slice(from, from + (column.width ?? 0))
    from += column.width ?? 0
    return cell
  })
}

function readRow(cells: readonly string[], layout: Layout, at: number, faults: string[]): ReadRow {
  const values = new Map<ColumnSource, string>()
  for (const [place, column] of layout.columns.entries()) {
    const cell = cells[place] ?? ''
    const fault = cellFault(cell, column, layout)
    if (fault !== null) faults.push(`Row ${at}, ${column.heading}: ${fault}`)
    if (column.source !== null) values.set(column.source, bare(cell, column, layout))
  }
  return { values }
}

function cellFault(cell: string, column: LayoutColumn, layout: Layout): string | null {
  const { source, width, values, required } = column
  const value = bare(cell, column, layout)
  if (source === null) return value === column.text ? null : 'another text than the fixed one'
  if (width !== null && cell.length > width) return `more than ${width} characters`
  if (layout.kind === 'fixed' && justified(value, column) !== cell) return 'not justified as it should be'
  if (required && value === '') return 'empty'
  if (Object.keys(values).length > 0) return Object.values(values).includes(value) ? null : 'no word of this column'
  if (value === '') return null
  switch (columnSources[source].kind) {
    case 'amount':
      return amountPatterns[column.amount].test(value) ? null : 'no amount'
    case 'number':
      return /^\d+$/.test(value) ? null : 'no number'
    case 'date':
      return isDate(value, column) ? null : 'no day'
    case 'text':
      return textFault(value, source, layout)
  }
}

function justified(value: string, { width, justify, fill }: LayoutColumn): string {
  const filler = (fill === 'zero' ? '0' : ' ').repeat(Math.max(0, (width ?? 0) - value.length))
  return justify === 'right' ? filler + value : value + filler
}

function textFault(value: string, source: ColumnSource, { kind, formulas }: Layout): string | null {
  if (/^[=+\-@]/.test(value) && (kind === 'delimited' || formulas === 'refuse')) return 'a spreadsheet would run it'
  if (source === 'routing_number') return hasCheckDigit(value) ? null : 'no routing number'
  if (source === 'account_number' || source === 'payer_account') return /^[A-Z0-9-]{3,17}$/.test(value) ? null : 'no account number'
  if (source === 'payment_number') return /^VP-\d+$/.test(value) ? null : 'no payment'
  if (source === 'check_number') return /^\d+$/.test(value) || formulas === 'quote' ? null : 'no check number'
  return null
}

function isDate(value: string, { date }: LayoutColumn): boolean {
  const { y = '', m = '', d = '' } = patterns[date].exec(value)?.groups ?? {}
  return isCalendarDate(`${y.length === 2 ? `20${y}` : y}-${m}-${d}`)
}

function hasCheckDigit(nine: string): boolean {
  return /^\d{9}$/.test(nine) && [3, 7, 1, 3, 7, 1, 3, 7, 1].reduce((sum, weight, at) => sum + weight * Number(nine[at]), 0) % 10 === 0
}

function sameCells(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((cell, at) => cell === b[at])
}
