/**
 * Turns payments into the rows of a layout. The same function reports values that do not fit, before anything is written, and writes those that
 * fit.
 */
import { withoutFormula } from '../kernel/import.ts'
import { sumCents } from '../kernel/money.ts'
import { byPayerAndVendor } from './file-order.ts'
import { totalWord, type Layout, type LayoutColumn } from './layout.ts'
import { columnSources } from './layout-sources.ts'
import type { BillForFile, PaymentForFile } from './payment-file.ts'
import { type RowsInput, type RowPart, amountText, valueOf } from './row-values.ts'

/** The reason a value does not fit its column. */
export interface CellFault {
  /** Null for the last row, which sums up the others. */
  readonly payment: PaymentForFile | null
  readonly bill: BillForFile | null
  readonly column: LayoutColumn
  /** The line of the file and the place of the column, both from 1. */
  readonly line: number
  readonly place: number
  readonly code: 'empty' | 'too_long' | 'no_word' | 'formula' | 'characters' | 'negative'
}
type Tell = (fault: CellFault) => void

/** Returns the cells of the rows in the order of the file, without the heading; values that do not fit are reported to `tell`. */
export function layoutRows(input: RowsInput, tell: Tell): string[][] {
  const { layout } = input
  const above = layout.heading ? 1 : 0
  const rows = rowParts(input).map((part) =>
    layout.columns.map((column, at) =>
      cellOf(input, part, column, (code) =>
        tell({ payment: part.payment, bill: part.bill, column, line: above + part.number, place: at + 1, code }),
      ),
    ),
  )
  return layout.total_row ? [...rows, totals(input, above + rows.length + 1, tell)] : rows
}

/** Returns the text of the file. Without `tell` its cells come from layoutRows without a fault. */
export function layoutText(input: RowsInput, tell: Tell = refuse): string {
  const { layout } = input
  const rows = layoutRows(input, tell)
  const all = layout.heading ? [layout.columns.map((column) => column.heading), ...rows] : rows
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

function refuse({ column, code }: CellFault): never {
  throw new RangeError(`${column.heading}: ${code}`)
}

function totals({ layout, payments }: RowsInput, line: number, tell: Tell): string[] {
  const values = {
    label: totalWord,
    batches: String(new Set(payments.map((payment) => `${payment.payer.client_id} ${payment.batch_id}`)).size),
    payments: String(payments.length),
    bills: String(payments.reduce((sum, payment) => sum + payment.bills.length, 0)),
    amount: '',
  }
  const amount = sumCents(payments.map((payment) => payment.amount))
  return layout.columns.map((column, at) => {
    const text = column.total === null ? '' : column.total === 'amount' ? amountText(amount, column) : values[column.total]
    if (column.width !== null && text.length > column.width)
      tell({ payment: null, bill: null, column, line, place: at + 1, code: 'too_long' })
    // A column without a total is blank in the last row, also where its numbers have zeros in front.
    return padded(layout, text === '' ? { ...column, fill: 'space' } : column, text)
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
  if (column.fill === 'zero' && /^-\d/.test(word)) fail('negative')
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
