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

/** Writes one cell of a row. An overlong value is written as it is, and added to the faults. */
export type CellWriter = (line: UploadLine, row: number, faults: WidthFault[]) => string

/** Decides what a column needs once, and not again for each of its cells. */
export function cellWriter(column: UploadColumn, layout: UploadLayout): CellWriter {
  const valueOf = valueReader(column, layout)
  const fitted = fitter(column, layout)
  const { width, cut, default: standard } = column
  if (width === null) return (line, row) => fitted(valueOf(line, row) || standard)
  return (line, row, faults) => {
    const value = valueOf(line, row) || standard
    if (lengthOf(value) <= width) return fitted(value)
    if (cut) return fitted(Array.from(value).slice(0, width).join(''))
    faults.push({ row, column: column.heading || column.source, value, width })
    return value
  }
}

/** Returns the value of the column as written in the file, before padding; empty if there is none. */
function valueReader(column: UploadColumn, layout: UploadLayout): (line: UploadLine, row: number) => string {
  const { source, format } = column
  const textOf = textWriter(column, layout)
  const moneyOf = moneyWriter(column, layout)
  switch (source) {
    case 'record_no':
      return (_, row) => String(row)
    case 'line_no':
    case 'bill_id':
      return (line) => (line[source] === null ? '' : String(line[source]))
    case 'usage':
      return (line) => line.usage ?? ''
    case 'batch_date':
    case 'bill_date':
    case 'due_date': {
      const dateFormat = dateFormatOf(format, layout)
      return (line) => dateText(line[source], dateFormat)
    }
    case 'posting_period':
      return (line) => (line.batch_date ?? '').slice(0, 7).replace('-', '')
    case 'debit':
      return (line) => (line.amount > 0 ? moneyOf(line.amount) : '')
    case 'credit':
      return (line) => (line.amount < 0 ? moneyOf(-line.amount) : '')
    case 'amount':
      return (line) => moneyOf(line.amount)
    case 'invoice_amount': {
      const shown = remembering((amount) => (amount === '' ? '' : moneyOf(centsOf(amount))))
      return (line) => shown(line.invoice_amount)
    }
    case 'invoice_number':
      return (line) => textOf(invoiceNumberOf(line))
    case 'ledger_field': {
      const field = String(column.field_id)
      return (line) => textOf(line.ledger_values[field] ?? '')
    }
    // It was expanded to a column for each field.
    case 'ledger_fields':
    case 'fixed':
      return () => ''
    default:
      return (line) => textOf(line[source] ?? '')
  }
}

/** Returns the vendor's invoice number, or else one from account and date: '5582-1-110526'. */
export function invoiceNumberOf({ invoice_number, account_number, bill_date }: UploadLine): string {
  if (invoice_number !== null) return invoice_number
  return bill_date === '' ? '' : `${account_number}-${dateText(bill_date, 'MMDDYY')}`
}

function textWriter({ format }: UploadColumn, { kind }: UploadLayout): (value: string) => string {
  const plain = kind === 'delimited' ? safe : (value: string): string => value.replaceAll(/[\r\n\t]+/g, ' ')
  return remembering(format === 'upper' ? (value) => plain(value.toUpperCase()) : plain)
}

/** Keeps the result for the last value: neighbouring lines share the values of their bill. */
export function remembering(write: (value: string) => string): (value: string) => string {
  let last: string | null = null
  let written = ''
  return (value) => {
    if (value !== last) {
      written = write(value)
      last = value
    }
    return written
  }
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
  if (format === 'YYYY-MM-DD') return date
  const [year = '', month = '', day = ''] = date.split('-')
  switch (format) {
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

function moneyWriter({ format, width }: UploadColumn, { sign_style }: UploadLayout): (amount: Cents) => string {
  const digitsOf = format === 'cents' ? String : wireOf
  const signs = sign_style === 'parentheses' ? 2 : 1
  return (amount) => {
    const digits = digitsOf(Math.abs(amount))
    const marks = amount < 0 ? signs : 0
    // The sign comes before the zeros.
    const shown = format === 'zeros' && width !== null ? digits.padStart(width - marks, '0') : digits
    return amount < 0 ? withSign(shown, sign_style) : shown
  }
}

function withSign(shown: string, style: UploadLayout['sign_style']): string {
  switch (style) {
    case 'minus':
      return `-${shown}`
    case 'trailing':
      return `${shown}-`
    case 'parentheses':
      return `(${shown})`
  }
}

/** Pads the cells of a column: in a fixed-width file amounts and numbers on the left, everything else on the right. */
export function fitter({ width, source, format }: UploadColumn, { kind }: UploadLayout): (value: string) => string {
  const kindOf = kindOfSource(source)
  if (width === null) return (value) => value
  const isZeroed = format === 'zeros' && kindOf !== 'money'
  const zeroed = (value: string): string => (isZeroed && value !== '' ? value.padStart(width, '0') : value)
  if (kind !== 'fixed_width') return zeroed
  const isNumber = kindOf === 'money' || kindOf === 'number'
  return (value) => {
    const whole = zeroed(value)
    const length = lengthOf(whole)
    const room = ' '.repeat(Math.max(0, width - length))
    const shown = length > width ? Array.from(whole).slice(0, width).join('') : whole
    return isNumber ? room + shown : shown + room
  }
}

/** A text that a spreadsheet would run as a formula gets a leading quote. */
function safe(value: string): string {
  return /^[=+@\t\r]|^-\D/.test(value) ? `'${value}` : value
}

/** Returns the length in characters, not in UTF-16 units. */
export function lengthOf(value: string): number {
  return /[\ud800-\udfff]/.test(value) ? Array.from(value).length : value.length
}
