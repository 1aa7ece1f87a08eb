/**
 * Reads a file of rows and columns back from its bytes and checks it: complete lines, columns, widths, dates, amounts, check digits, formulas,
 * the heading, and the last row against the rows above it. It knows only the layout, not how the file was written.
 */
import { isCalendarDate } from '../kernel/date.ts'
import { columnSources, type ColumnSource, type Layout, type LayoutColumn } from './layout.ts'
import type { Checked } from './nacha-check.ts'

export interface ReadRow {
  /** Values by source, as read; undefined if the layout has no such column. */
  readonly values: ReadonlyMap<ColumnSource, string>
}

export interface ReadRows {
  /** Lines including heading and totals. */
  readonly records: number
  readonly rows: readonly ReadRow[]
  readonly batches: number
  /** The total paid, from the bytes: amounts paid of bills, or of each payment once. Null if the layout has no such column. */
  readonly credit: number | null
}

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

function decoded(bytes: Uint8Array, { characters, line_end }: Layout, faults: string[]): string | null {
  const end = line_end === 'crlf' ? '\r\n' : '\n'
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (characters === 'ascii' && /[^\x20-\x7e\r\n]/.test(text)) faults.push('The file holds a character that is not plain ASCII.')
    if (/[\p{Cc}\p{Cf}]/u.test(text.replaceAll(end, ''))) faults.push('The file holds a control character.')
    if (!text.endsWith(end)) faults.push('The last line is not ended.')
    return text
  } catch {
    faults.push('The file is not UTF-8.')
    return null
  }
}

/** Returns lines as cells; in a fixed layout each line is still one cell. */
function splitLines(text: string, layout: Layout, faults: string[]): string[][] {
  const end = layout.line_end === 'crlf' ? '\r\n' : '\n'
  const lines = text.split(end).slice(0, -1)
  if (layout.kind === 'fixed') return lines.map((line) => [line])
  return lines.map((line, at) => {
    const cells = cellsOf(line, layout.delimiter)
    // Writing it again must give the same line: a stray quote, or unneeded quotes, are refused.
    const again = cells?.map((cell) => quoted(cell, layout.delimiter)).join(layout.delimiter)
    if (!cells || again !== line) faults.push(`Line ${at + 1} is not quoted as it should be.`)
    else if (cells.length !== layout.columns.length)
      faults.push(`Line ${at + 1} has ${cells.length} columns, not ${layout.columns.length}.`)
    return cells ?? []
  })
}

function cellsOf(line: string, delimiter: string): string[] | null {
  const cells: string[] = []
  let at = 0
  for (;;) {
    let cell = ''
    if (line[at] === '"') {
      let end = at + 1
      for (;;) {
        const quote = line.indexOf('"', end)
        if (quote < 0) return null
        cell += line.slice(end, quote)
        end = quote + 1
        if (line[end] !== '"') break
        cell += '"'
        end += 1
      }
      at = end
    } else {
      const next = line.indexOf(delimiter, at)
      const stop = next < 0 ? line.length : next
      cell = line.slice(at, stop)
      at = stop
    }
    cells.push(cell)
    if (at >= line.length) return cells
    if (line[at] !== delimiter) return null
    at += 1
  }
}

function quoted(cell: string, delimiter: string): string {
  const isPlain = ![delimiter, '"', '\r', '\n'].some((one) => cell.includes(one)) && cell === cell.trim()
  return isPlain ? cell : `"${cell.split('"').join('""')}"`
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

/** Returns the value without the filler of a fixed column. */
function bare(cell: string, { justify, fill }: LayoutColumn, { kind }: Layout): string {
  if (kind !== 'fixed') return cell
  if (fill === 'zero') return justify === 'right' ? cell.replace(/^0+(?=.)/, '') : cell
  return justify === 'right' ? cell.trimStart() : cell.trimEnd()
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
      return (column.amount === 'cents' ? /^-?\d+$/ : /^-?(0|[1-9]\d*)\.\d\d$/).test(value) ? null : 'no amount'
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

function cents(row: ReadRow, source: ColumnSource): number {
  return Number((row.values.get(source) ?? '').replace('.', ''))
}

function sums(rows: readonly ReadRow[], layout: Layout, records: number, faults: string[]): ReadRows {
  const has = (source: ColumnSource) => layout.columns.some((column) => column.source === source)
  const distinct = (source: ColumnSource) => new Set(rows.map((row) => row.values.get(source)))
  const batches = has('batch_id') ? distinct('batch_id').size : 1
  // A row that names a bank account moves its amount there.
  if (has('routing_number') && has('payment_amount') && rows.some((row) => !(cents(row, 'payment_amount') > 0)))
    faults.push('A payment to an account is not more than zero.')
  if (layout.grain === 'payment' && has('payment_number') && distinct('payment_number').size !== rows.length)
    faults.push('A payment stands in the file twice.')
  if (has('bill_id') && distinct('bill_id').size !== rows.length) faults.push('A bill stands in the file twice.')
  if (has('row_number') && rows.some((row, at) => row.values.get('row_number') !== String(at + 1))) faults.push('The rows are not counted.')
  if (layout.grain === 'payment')
    return {
      records,
      rows,
      batches,
      credit: has('payment_amount') ? rows.reduce((sum, row) => sum + cents(row, 'payment_amount'), 0) : null,
    }
  const credit = has('amount_paid') ? rows.reduce((sum, row) => sum + cents(row, 'amount_paid'), 0) : null
  if (has('amount_paid') && has('payment_amount') && has('payment_number'))
    for (const [payment, ofOne] of Map.groupBy(rows, (row) => row.values.get('payment_number'))) {
      const paid = ofOne.reduce((sum, row) => sum + cents(row, 'amount_paid'), 0)
      if (ofOne.some((row) => cents(row, 'payment_amount') !== paid)) faults.push(`The bills of ${payment} do not add up to its amount.`)
    }
  return { records, rows, batches, credit }
}

/** Compares the last row with the rows above it. */
function totals(cells: readonly string[], rows: readonly ReadRow[], read: ReadRows, layout: Layout, faults: string[]): void {
  const payments = new Set(rows.map((row, at) => row.values.get('payment_number') ?? String(at))).size
  const bills = layout.grain === 'bill' ? rows.length : rows.reduce((sum, row) => sum + Number(row.values.get('bill_count') ?? 0), 0)
  for (const [place, column] of layout.columns.entries()) {
    const said = bare(cells[place] ?? '', column, layout)
    const amount = column.amount === 'cents' ? Number(said) : Number(said.replace('.', ''))
    const holds =
      column.total === null
        ? said.trim() === ''
        : column.total === 'label'
          ? said === 'TOTAL'
          : column.total === 'amount'
            ? /^-?\d+(\.\d\d)?$/.test(said) && amount === read.credit && said.includes('.') === (column.amount === 'point')
            : said === String({ batches: read.batches, payments, bills }[column.total])
    if (!holds) faults.push(`The last row is wrong in ${column.heading}.`)
  }
}

function sameCells(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((cell, at) => cell === b[at])
}
