/**
 * Writes an upload file by its layout: ledger lines in, text out. The task that makes the file and the preview of the profile both use it, so
 * the preview matches the file. It reads no clock or database.
 */
import { formatDate, type CalendarDate } from '../kernel/date.ts'
import { delimitedLine } from '../kernel/import.ts'
import { centsOf, wireOf, type Cents } from '../kernel/money.ts'
import { kindOfSource, type ColumnFormat, type DateFormat, type UploadColumn, type UploadLayout } from './upload-layout.ts'
import type { UploadField, UploadLine } from './upload-file.ts'

/** A value that is too long for its column. */
export interface WidthFault {
  /** Row of the file, counted from 1 without headings. */
  readonly row: number
  readonly column: string
  readonly value: string
  readonly width: number
}

/** A row of the file. Rows of an IIF file without an amount have none. */
export interface UploadRow {
  readonly cells: readonly string[]
  /** Cents; a debit is positive. */
  readonly amount: Cents | null
  readonly faults: readonly WidthFault[]
}

export interface UploadWriter {
  /** Lines before the first row; empty if the layout has none. */
  readonly heading: readonly (readonly string[])[]
  /** Returns the rows that these further lines complete. Lines of one bill are consecutive. */
  take(lines: readonly UploadLine[]): UploadRow[]
  /** Returns the rows that were waiting for further lines. */
  end(): UploadRow[]
  /** Returns the cents of the payable lines that the layout leaves out, negative if vendors are owed. */
  leftOut(): Cents
  text(cells: readonly string[]): string
}

/** `ledgerFields` are the client's ledger fields in their order. */
export function uploadWriter(layout: UploadLayout, ledgerFields: readonly UploadField[]): UploadWriter {
  return layout.kind === 'iif' ? iifWriter() : columnWriter(layout, ledgerFields)
}

/** Returns the columns with `ledger_fields` expanded to one for each field. */
export function columnsOf({ columns }: Pick<UploadLayout, 'columns'>, ledgerFields: readonly UploadField[]): UploadColumn[] {
  return columns.flatMap((column) =>
    column.source === 'ledger_fields'
      ? ledgerFields.map(({ id, name }): UploadColumn => ({ ...column, source: 'ledger_field', field_id: id, heading: name }))
      : [column],
  )
}

/** 'Row 12, column Vendor Name: “Municipal …” has 60 characters, and the width is 40'. */
export function widthFaultText({ row, column, value, width }: WidthFault): string {
  return `Row ${row.toLocaleString('en-US')}, column ${column}: “${value}” has ${lengthOf(value)} characters, and the width is ${width}`
}

function columnWriter(layout: UploadLayout, ledgerFields: readonly UploadField[]): UploadWriter {
  const columns = columnsOf(layout, ledgerFields)
  const merged = layout.grain === 'line' ? null : new Map<string, UploadLine>()
  let written = 0
  let leftOut = 0
  const rowOf = (line: UploadLine): UploadRow => {
    written += 1
    const row = written
    const parts = columns.map((column) => cellOf(line, column, layout, row))
    return {
      cells: parts.map(({ cell }) => cell),
      amount: line.amount,
      faults: parts.flatMap(({ fault }) => (fault === null ? [] : [fault])),
    }
  }
  return {
    heading: layout.header ? [columns.map((column) => fitted(column.heading, column, layout))] : [],
    take(lines) {
      for (const line of lines) if (line.is_payable && !layout.include_payable) leftOut += line.amount
      const kept = layout.include_payable ? lines : lines.filter((line) => !line.is_payable)
      if (merged === null) return kept.map(rowOf)
      for (const line of kept) mergeInto(merged, line, layout)
      return []
    },
    // Equal debits and credits on one account need no row: they cancel out.
    end: () => [...(merged?.values() ?? [])].filter(({ amount }) => amount !== 0).map(rowOf),
    leftOut: () => leftOut,
    text: (cells) => lineText(cells, layout),
  }
}

function mergeInto(merged: Map<string, UploadLine>, line: UploadLine, { grain }: UploadLayout): void {
  const key = JSON.stringify([
    line.is_payable,
    line.ledger_account_name,
    Object.entries(line.ledger_values).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ...(grain === 'account' ? [line.vendor_number, line.account_number] : []),
  ])
  const known = merged.get(key)
  merged.set(key, known ? { ...commonOf(known, line), amount: known.amount + line.amount } : { ...line, ...ofOneLine })
}

/** Values of a single line, which a row of several lines leaves empty. */
const ofOneLine = {
  line_no: null,
  description: '',
  usage: null,
  unit: null,
  bill_id: null,
  image_file_name: null,
  invoice_number: '',
  invoice_amount: '',
}

/** Returns the first line without the values in which the second differs. */
function commonOf(first: UploadLine, second: UploadLine): UploadLine {
  const same = <T>(a: T, b: T, none: T): T => (a === b ? a : none)
  return {
    ...first,
    division_code: same(first.division_code, second.division_code, null),
    facility_number: same(first.facility_number, second.facility_number, null),
    vendor_number: same(first.vendor_number, second.vendor_number, ''),
    vendor_name: same(first.vendor_name, second.vendor_name, ''),
    account_number: same(first.account_number, second.account_number, ''),
    bill_date: same(first.bill_date, second.bill_date, ''),
    due_date: same(first.due_date, second.due_date, ''),
    utility_service_name: same(first.utility_service_name, second.utility_service_name, null),
  }
}

function cellOf(line: UploadLine, column: UploadColumn, layout: UploadLayout, row: number): { cell: string; fault: WidthFault | null } {
  const value = valueOf(line, column, layout, row) || column.default
  const { width } = column
  if (width === null || lengthOf(value) <= width) return { cell: fitted(value, column, layout), fault: null }
  if (column.cut) return { cell: fitted(Array.from(value).slice(0, width).join(''), column, layout), fault: null }
  return { cell: value, fault: { row, column: column.heading || column.source, value, width } }
}

/** Returns the value as written in the file, before padding; empty if there is none. */
function valueOf(line: UploadLine, column: UploadColumn, layout: UploadLayout, row: number): string {
  const { source, format } = column
  switch (source) {
    case 'record_no':
      return String(row)
    case 'line_no':
      return line.line_no === null ? '' : String(line.line_no)
    case 'bill_id':
      return line.bill_id === null ? '' : String(line.bill_id)
    case 'usage':
      return line.usage ?? ''
    case 'batch_date':
    case 'bill_date':
    case 'due_date':
      return dateText(line[source], dateFormatOf(format, layout))
    case 'posting_period':
      return (line.batch_date ?? '').slice(0, 7).replace('-', '')
    case 'debit':
      return line.amount > 0 ? moneyText(line.amount, column, layout) : ''
    case 'credit':
      return line.amount < 0 ? moneyText(-line.amount, column, layout) : ''
    case 'amount':
      return moneyText(line.amount, column, layout)
    case 'invoice_amount':
      return line.invoice_amount === '' ? '' : moneyText(centsOf(line.invoice_amount), column, layout)
    case 'invoice_number':
      return text(invoiceNumberOf(line), column, layout)
    case 'ledger_field':
      return text(line.ledger_values[String(column.field_id)] ?? '', column, layout)
    // It was expanded to a column for each field.
    case 'ledger_fields':
    case 'fixed':
      return ''
    default:
      return text(line[source] ?? '', column, layout)
  }
}

/** Returns the vendor's invoice number, or else one from account and date: '5582-1-110526'. */
function invoiceNumberOf({ invoice_number, account_number, bill_date }: UploadLine): string {
  if (invoice_number !== null) return invoice_number
  return bill_date === '' ? '' : `${account_number}-${dateText(bill_date, 'MMDDYY')}`
}

function text(value: string, { format }: UploadColumn, { kind }: UploadLayout): string {
  const shown = format === 'upper' ? value.toUpperCase() : value
  return kind === 'delimited' ? safe(shown) : shown.replaceAll(/[\r\n\t]+/g, ' ')
}

function dateFormatOf(format: ColumnFormat, layout: UploadLayout): DateFormat {
  switch (format) {
    case 'usual':
    case 'upper':
    case 'cents':
    case 'zeros':
      return layout.date_format
    default:
      return format
  }
}

function dateText(date: CalendarDate | null, format: DateFormat): string {
  if (date === null || date === '') return ''
  const [year = '', month = '', day = ''] = date.split('-')
  switch (format) {
    case 'YYYY-MM-DD':
      return date
    case 'MM/DD/YYYY':
      return formatDate(date)
    case 'MM/DD/YY':
      return `${month}/${day}/${year.slice(2)}`
    case 'YYYYMMDD':
      return `${year}${month}${day}`
    case 'MMDDYY':
      return `${month}${day}${year.slice(2)}`
  }
}

function moneyText(amount: Cents, { format, width }: UploadColumn, { sign_style }: UploadLayout): string {
  const size = Math.abs(amount)
  const digits = format === 'cents' ? String(size) : wireOf(size)
  const isNegative = amount < 0
  const marks = isNegative ? (sign_style === 'parentheses' ? 2 : 1) : 0
  // The sign comes before the zeros.
  const shown = format === 'zeros' && width !== null ? digits.padStart(width - marks, '0') : digits
  if (!isNegative) return shown
  switch (sign_style) {
    case 'minus':
      return `-${shown}`
    case 'trailing':
      return `${shown}-`
    case 'parentheses':
      return `(${shown})`
  }
}

/** Returns the cents of a written amount. Throws a RangeError if it is not an amount. */
export function amountOf(written: string, { format }: Pick<UploadColumn, 'format'>): Cents {
  const shown = written.trim()
  const isNegative = /^-|-$|^\(.*\)$/.test(shown)
  const digits = shown.replaceAll(/[-()]/g, '')
  if (!/^\d+(\.\d\d)?$/.test(digits)) throw new RangeError(`not an amount: ${written}`)
  const size = format === 'cents' ? Number(digits) : centsOf(digits.replace(/^0+(?=\d)/, ''))
  return isNegative && size !== 0 ? -size : size
}

/** Pads a fixed-width cell: amounts and numbers on the left, everything else on the right. */
function fitted(value: string, { width, source, format }: UploadColumn, { kind }: UploadLayout): string {
  const kindOf = kindOfSource(source)
  const withZeros = format === 'zeros' && width !== null && kindOf !== 'money' && value !== '' ? value.padStart(width, '0') : value
  if (kind !== 'fixed_width' || width === null) return withZeros
  const room = ' '.repeat(Math.max(0, width - lengthOf(withZeros)))
  const shown = Array.from(withZeros).slice(0, width).join('')
  return kindOf === 'money' || kindOf === 'number' ? room + shown : shown + room
}

function lineText(cells: readonly string[], { kind, delimiter }: UploadLayout): string {
  return kind === 'fixed_width' ? `${cells.join('')}\r\n` : delimitedLine(cells, delimiter)
}

/** A text that a spreadsheet would run as a formula gets a leading quote. */
function safe(value: string): string {
  return /^[=+@\t\r]|^-\D/.test(value) ? `'${value}` : value
}

/** Returns the length in characters, not in UTF-16 units. */
function lengthOf(value: string): number {
  return Array.from(value).length
}

// ---------------------------------------------------------------- QuickBooks

/** Used if a ledger has no payable account of its own. */
const payableName = 'Accounts Payable'
const iifHeading = [
  ['!TRNS', 'TRNSTYPE', 'DATE', 'ACCNT', 'NAME', 'AMOUNT', 'DOCNUM', 'MEMO', 'DUEDATE'],
  ['!SPL', 'TRNSTYPE', 'DATE', 'ACCNT', 'NAME', 'AMOUNT', 'DOCNUM', 'MEMO'],
  ['!ENDTRNS'],
] as const
/** Position of the amount in the rows of an IIF file. */
export const iifAmountAt = 5

/** Writes one transaction per bill: the amount owed to the vendor, then the accounts it is booked on. Together they are zero. */
function iifWriter(): UploadWriter {
  let waiting: UploadLine[] = []
  const flush = (): UploadRow[] => {
    const rows = transactionOf(waiting)
    waiting = []
    return rows
  }
  return {
    heading: iifHeading,
    take: (lines) =>
      lines.flatMap((line) => {
        const done = waiting[0] !== undefined && waiting[0].bill_id !== line.bill_id ? flush() : []
        waiting.push(line)
        return done
      }),
    end: flush,
    leftOut: () => 0,
    text: (cells) => `${cells.join('\t')}\r\n`,
  }
}

function transactionOf(lines: readonly UploadLine[]): UploadRow[] {
  const owed = lines.find((line) => line.is_payable)
  if (!owed) return []
  // A credit of the vendor is another transaction type.
  const type = owed.amount > 0 ? 'BILL REFUND' : 'BILL'
  const cells = (word: 'TRNS' | 'SPL', line: UploadLine): string[] => [
    word,
    type,
    formatDate(line.bill_date),
    plain(line.ledger_account_name || (line.is_payable ? payableName : '')),
    plain(line.vendor_name),
    wireOf(line.amount),
    plain(invoiceNumberOf(line)),
    plain(line.description),
    ...(word === 'TRNS' ? [formatDate(line.due_date)] : []),
  ]
  return [
    { cells: cells('TRNS', owed), amount: owed.amount, faults: [] },
    ...lines.filter((line) => line !== owed).map((line) => ({ cells: cells('SPL', line), amount: line.amount, faults: [] })),
    { cells: ['ENDTRNS'], amount: null, faults: [] },
  ]
}

/** IIF has no quoting: a tab or line break in a text would split it. */
function plain(value: string): string {
  return value.replaceAll(/[\r\n\t"]+/g, ' ').trim()
}
