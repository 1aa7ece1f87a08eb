/** Reads an upload file back as the importing program would: its rows and totals, using only its layout. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { UploadField } from '#contract/accounting-batches/upload-file.ts'
import type { UploadLayout } from '#contract/accounting-batches/upload-layout.ts'
import type { UploadColumn } from '#contract/accounting-batches/upload-column.ts'
import { amountOf, columnsOf } from '#contract/accounting-batches/upload-writer.ts'
import { iifAmountAt } from '#contract/accounting-batches/iif-writer.ts'
import type { Cents } from '#contract/kernel/money.ts'
import { delimitedRecords } from './delimited-records.ts'

export interface ReadUpload {
  readonly rows: number
  readonly debits: Cents
  readonly credits: Cents
}

/** Throws a RangeError if an amount or the file itself cannot be read. */
export async function readUpload(file: Readable, layout: UploadLayout, ledgerFields: readonly UploadField[]): Promise<ReadUpload> {
  const sums = { rows: 0, debits: 0, credits: 0 }
  for await (const amounts of amountsOf(file, layout, columnsOf(layout, ledgerFields))) {
    sums.rows += amounts.length
    for (const amount of amounts) {
      if (amount > 0) sums.debits += amount
      else sums.credits -= amount
    }
  }
  return sums
}

/** Yields the amounts of the rows in portions. */
async function* amountsOf(file: Readable, layout: UploadLayout, columns: readonly UploadColumn[]): AsyncGenerator<Cents[]> {
  if (layout.kind === 'iif') {
    for await (const line of createInterface({ input: file, crlfDelay: Infinity })) {
      const cells = line.split('\t')
      if (cells[0] === 'TRNS' || cells[0] === 'SPL') yield [amountOf(cells[iifAmountAt] ?? '', { format: 'usual' })]
    }
    return
  }
  const ofAmounts = amountColumns(columns)
  const amountIn = amountReader(ofAmounts)
  let isHeading = layout.header
  for await (const rows of rowsOf(file, layout, columns, ofAmounts)) {
    yield (isHeading ? rows.slice(1) : rows).map(amountIn)
    isHeading &&= rows.length === 0
  }
}

interface AmountColumn {
  readonly column: UploadColumn
  readonly place: number
}

function amountColumns(columns: readonly UploadColumn[]): AmountColumn[] {
  return columns.flatMap((column, place) =>
    column.source === 'amount' || column.source === 'debit' || column.source === 'credit' ? [{ column, place }] : [],
  )
}

/** Yields the cells with amounts of the rows in portions. */
async function* rowsOf(
  file: Readable,
  layout: UploadLayout,
  columns: readonly UploadColumn[],
  ofAmounts: readonly AmountColumn[],
): AsyncGenerator<readonly string[][]> {
  const places = ofAmounts.map(({ place }) => place)
  if (layout.kind === 'delimited') {
    yield* delimitedRecords(file.setEncoding('utf8'), layout.delimiter, places)
    return
  }
  const starts = columns.map((_, place) => columns.slice(0, place).reduce((sum, { width }) => sum + (width ?? 0), 0))
  for await (const line of createInterface({ input: file, crlfDelay: Infinity })) {
    const signs = Array.from(line)
    yield [places.map((place) => signs.slice(starts[place], (starts[place] ?? 0) + (columns[place]?.width ?? 0)).join(''))]
  }
}

/** If a row has an amount besides debit and credit, only the amount counts. */
function amountReader(ofAmounts: readonly AmountColumn[]): (cells: readonly string[]) => Cents {
  const readers = ofAmounts.map(({ column }) => ({ column, standard: column.default.trim() }))
  return (cells) => {
    let whole: Cents | null = null
    let sum = 0
    for (const [place, { column, standard }] of readers.entries()) {
      const cell = (cells[place] ?? '').trim()
      if (cell === '' || cell === standard) continue
      const amount = amountOf(cell, column)
      if (column.source === 'amount') whole ??= amount
      else sum += column.source === 'debit' ? amount : -amount
    }
    return whole ?? sum
  }
}
