/** The cells of an upload file: the value of each source as text, within the width of its column. */
import { formatDate, type CalendarDate } from '../kernel/date.ts'
import { centsOf, wireOf, type Cents } from '../kernel/money.ts'
import type { ColumnFormat, DateFormat, UploadLayout } from './upload-layout.ts'
import { kindOfSource, type UploadColumn } from './upload-column.ts'
import type { UploadLine } from './upload-file.ts'

/** A value that is too long for its column. */
export interface WidthFault {
  /** Row of the file, counted from 1 without headings. */
  readonly row: number
  readonly column: string
  readonly value: string
  readonly width: number
}

export function cellOf(
  line: UploadLine,
  column: UploadColumn,
  layout: UploadLayout,
  row: number,
): { cell: string; fault: WidthFault | null } {
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
export function invoiceNumberOf({ invoice_number, account_number, bill_date }: UploadLine): string {
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

/** Pads a fixed-width cell: amounts and numbers on the left, everything else on the right. */
export function fitted(value: string, { width, source, format }: UploadColumn, { kind }: UploadLayout): string {
  const kindOf = kindOfSource(source)
  const withZeros = format === 'zeros' && width !== null && kindOf !== 'money' && value !== '' ? value.padStart(width, '0') : value
  if (kind !== 'fixed_width' || width === null) return withZeros
  const room = ' '.repeat(Math.max(0, width - lengthOf(withZeros)))
  const shown = Array.from(withZeros).slice(0, width).join('')
  return kindOf === 'money' || kindOf === 'number' ? room + shown : shown + room
}

/** A text that a spreadsheet would run as a formula gets a leading quote. */
function safe(value: string): string {
  return /^[=+@\t\r]|^-\D/.test(value) ? `'${value}` : value
}

/** Returns the length in characters, not in UTF-16 units. */
export function lengthOf(value: string): number {
  return Array.from(value).length
}
