/**
 * Turns payments into the rows of a layout. The same function reports values that do not fit, before anything is written, and writes those that
 * fit.
 */
import type { CalendarDate } from '../kernel/date.ts'
import { withoutFormula } from '../kernel/import.ts'
import { sumCents, wireOf, type Cents } from '../kernel/money.ts'
import { paymentNumber } from '../payment-batches/vendor-payment.ts'
import { effectiveDate } from './banking-days.ts'
import { byPayerAndVendor } from './file-order.ts'
import { accountDigits, lastFour } from './file-text.ts'
import { columnSources, type ColumnSource, type DateFormat, type Layout, type LayoutColumn } from './layout.ts'
import type { BillForFile, FileMoment, PaymentForFile, ProfileForFile } from './payment-file.ts'

export interface RowsInput {
  readonly layout: Layout
  readonly payments: readonly PaymentForFile[]
  readonly profiles: ReadonlyMap<number, ProfileForFile>
  readonly moment: FileMoment
  readonly file_reference: string
}

/** The reason a value does not fit its column. */
export interface CellFault {
  readonly payment: PaymentForFile
  readonly bill: BillForFile | null
  readonly column: LayoutColumn
  readonly code: 'empty' | 'too_long' | 'no_word' | 'formula' | 'characters'
}

interface RowPart {
  readonly payment: PaymentForFile
  readonly bill: BillForFile | null
  readonly profile: ProfileForFile | null
  readonly number: number
}

/** Returns the cells of the rows in the order of the file, without heading and totals; values that do not fit are reported to `tell`. */
export function layoutRows(input: RowsInput, tell: (fault: CellFault) => void): string[][] {
  return rowParts(input).map((part) =>
    input.layout.columns.map((column) =>
      cellOf(input, part, column, (code) => tell({ payment: part.payment, bill: part.bill, column, code })),
    ),
  )
}

/** Returns the text of the file. Its cells come from layoutRows without a fault. */
export function layoutText(input: RowsInput): string {
  const { layout } = input
  const rows = layoutRows(input, ({ column, code }) => {
    throw new RangeError(`${column.heading}: ${code}`)
  })
  const all = [
    ...(layout.heading ? [layout.columns.map((column) => column.heading)] : []),
    ...rows,
    ...(layout.total_row ? [totals(input)] : []),
  ]
  const end = layout.line_end === 'crlf' ? '\r\n' : '\n'
  return all.map((cells) => lineOf(layout, cells) + end).join('')
}

function rowParts({ layout, payments, profiles }: RowsInput): RowPart[] {
  const ordered = payments.toSorted(byPayerAndVendor)
  const parts = ordered.flatMap((payment): Omit<RowPart, 'number'>[] => {
    const profile = profiles.get(payment.profile_id ?? -1) ?? null
    if (layout.grain === 'payment') return [{ payment, bill: null, profile }]
    return payment.bills.toSorted((a, b) => a.id - b.id).map((bill) => ({ payment, bill, profile }))
  })
  return parts.map((part, at) => ({ ...part, number: at + 1 }))
}

function totals({ layout, payments }: RowsInput): string[] {
  const values = {
    label: 'TOTAL',
    batches: String(new Set(payments.map((payment) => `${payment.payer.client_id} ${payment.batch_id}`)).size),
    payments: String(payments.length),
    bills: String(payments.reduce((sum, payment) => sum + payment.bills.length, 0)),
    amount: '',
  }
  const amount = sumCents(payments.map((payment) => payment.amount))
  return layout.columns.map((column) => {
    if (column.total === null) return padded(layout, column, '')
    return padded(layout, column, column.total === 'amount' ? amountText(amount, column) : values[column.total])
  })
}

function lineOf({ kind, delimiter }: Layout, cells: readonly string[]): string {
  if (kind === 'fixed') return cells.join('')
  return cells.map((cell) => (needsQuotes(cell, delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)
}

function needsQuotes(cell: string, delimiter: string): boolean {
  return cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell)
}

function cellOf(input: RowsInput, part: RowPart, column: LayoutColumn, fail: (code: CellFault['code']) => void): string {
  const { layout } = input
  const written = column.source === null ? column.text : valueOf(input, part, column.source, column)
  if (written === '' && column.required) {
    fail('empty')
    return ''
  }
  const word = worded(written, column)
  if (word === null) {
    fail('no_word')
    return ''
  }
  let text = column.source !== null && columnSources[column.source].kind === 'text' ? plainText(word, layout) : word
  if (text === '' && word !== '' && column.required) fail('characters')
  if (isFormula(text, column)) {
    if (layout.formulas === 'refuse') fail('formula')
    else text = layout.kind === 'fixed' ? text : withoutFormula(text)
  }
  if (column.width !== null && text.length > column.width) {
    if (column.too_long === 'cut') text = text.slice(0, column.width).trimEnd()
    else fail('too_long')
  }
  return padded(layout, column, text)
}

/** Amounts and numbers may begin with a minus; a text may not. */
function isFormula(text: string, column: LayoutColumn): boolean {
  const kind = column.source === null ? 'text' : columnSources[column.source].kind
  return kind === 'text' && withoutFormula(text) !== text
}

function worded(text: string, { values }: LayoutColumn): string | null {
  if (Object.keys(values).length === 0) return text
  return Object.hasOwn(values, text) ? (values[text] ?? null) : null
}

/** Returns one line, without characters that a bank cannot read if the layout is ASCII. */
function plainText(text: string, { characters }: Layout): string {
  const oneLine = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
  const plain =
    characters === 'utf8'
      ? oneLine.toWellFormed()
      : oneLine
          .normalize('NFD')
          .replaceAll(/\p{M}/gu, '')
          .replaceAll('’', "'")
          .replaceAll(/[^\x20-\x7e]/gu, ' ')
  return plain.replaceAll(/ +/g, ' ').trim()
}

function padded({ kind }: Layout, { width, justify, fill }: LayoutColumn, text: string): string {
  if (kind !== 'fixed' || width === null) return text
  const filler = fill === 'zero' ? '0' : ' '
  return justify === 'right' ? text.padStart(width, filler) : text.padEnd(width, filler)
}

function amountText(cents: Cents, { amount }: LayoutColumn): string {
  return amount === 'cents' ? String(cents) : wireOf(cents)
}

export function dateText(date: CalendarDate, format: DateFormat): string {
  const [year = '', month = '', day = ''] = date.split('-')
  switch (format) {
    case 'YYYY-MM-DD':
      return date
    case 'MM/DD/YYYY':
      return `${month}/${day}/${year}`
    case 'MMDDYY':
      return month + day + year.slice(2)
    case 'MMDDYYYY':
      return month + day + year
    case 'YYMMDD':
      return year.slice(2) + month + day
    case 'YYYYMMDD':
      return year + month + day
    case 'YYYY-MM-DD THH:MM:SS':
      return `${date} T00:00:00`
  }
}

function valueOf(input: RowsInput, part: RowPart, source: ColumnSource, column: LayoutColumn): string {
  const value = facts(input, part, source)
  if (value === null) return ''
  switch (columnSources[source].kind) {
    case 'amount':
      return typeof value === 'number' ? amountText(value, column) : ''
    case 'date':
      return typeof value === 'string' ? dateText(value, column.date) : ''
    case 'text':
    case 'number':
      return String(value)
  }
}

function facts(
  { moment, file_reference }: RowsInput,
  { payment, bill, profile, number }: RowPart,
  source: ColumnSource,
): string | number | null {
  const { payer, vendor } = payment
  switch (source) {
    case 'file_reference':
      return file_reference
    case 'row_number':
      return number
    case 'batch_id':
      return payment.batch_id
    case 'batch_date':
      return payment.batch_date
    case 'effective_date':
      return profile && effectiveDate(moment, profile)
    case 'creation_date':
      return moment.date
    case 'payer':
      return payer.name
    case 'payer_code':
      return payer.short_code
    case 'payer_account':
      return profile && accountDigits(profile.account_number ?? '')
    case 'payer_account_last4':
      return profile && lastFour(profile.account_number)
    case 'payer_street_address_1':
      return profile && profile.payer_address.street_address_1
    case 'payer_street_address_2':
      return profile && profile.payer_address.street_address_2
    case 'payer_city':
      return profile && profile.payer_address.city
    case 'payer_state':
      return profile && profile.payer_address.state
    case 'payer_zip':
      return profile && profile.payer_address.zip
    case 'avid_payer_id':
      return profile && profile.avid_payer_id
    case 'avid_bank_account_id':
      return profile && profile.avid_bank_account_id
    case 'vendor':
      return vendor.name
    case 'vendor_short_code':
      return vendor.short_code
    case 'client_vendor_number':
      return vendor.client_vendor_number
    case 'payee':
      return vendor.remit_name ?? vendor.name
    case 'payee_street_address_1':
      return vendor.remit_address.street_address_1
    case 'payee_street_address_2':
      return vendor.remit_address.street_address_2
    case 'payee_city':
      return vendor.remit_address.city
    case 'payee_state':
      return vendor.remit_address.state
    case 'payee_zip':
      return vendor.remit_address.zip
    case 'payee_phone':
      return vendor.phone
    case 'account_holder':
      return vendor.account_holder ?? vendor.name
    case 'routing_number':
      return vendor.routing_number
    case 'account_number':
      return vendor.account_number && accountDigits(vendor.account_number)
    case 'account_last4':
      return vendor.account_number && lastFour(accountDigits(vendor.account_number))
    case 'account_type':
      return vendor.account_type
    case 'payment_number':
      return paymentNumber(payment.id)
    case 'payment_type':
      return payment.payment_type
    case 'effective_type':
      return payment.effective_type
    case 'check_number':
      return payment.check_number
    case 'check_date':
      return payment.payment_date ?? moment.date
    case 'delivery':
      return payment.effective_type === 'Check - OVERNIGHT' ? 'OVERNIGHT' : 'STANDARD'
    case 'check_state':
      return payment.is_void ? 'void' : 'issued'
    case 'payment_amount':
      return payment.amount
    case 'bill_count':
      return payment.bills.length
    case 'bill_id':
      return bill && bill.id
    case 'utility_account_number':
      return bill && bill.account_number
    case 'invoice_number':
      return bill && bill.invoice_number
    case 'bill_date':
      return bill && bill.date
    case 'due_date':
      return bill && bill.due_date
    case 'amount_due':
      return bill && bill.amount_due
    case 'amount_paid':
      return bill && bill.amount_paid
    case 'notes':
      return bill && bill.notes
  }
}
