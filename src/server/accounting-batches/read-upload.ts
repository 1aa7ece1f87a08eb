/** Reads an upload file back as the importing program would: its rows and totals, using only its layout. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { UploadField } from '#contract/accounting-batches/upload-file.ts'
import type { UploadLayout } from '#contract/accounting-batches/upload-layout.ts'
import type { UploadColumn } from '#contract/accounting-batches/upload-column.ts'
import { amountOf, columnsOf } from '#contract/accounting-batches/upload-writer.ts'
import { iifAmountAt } from '#contract/accounting-batches/iif-writer.ts'
import type { Cents } from '#contract/kernel/money.ts'
import { parse } from 'csv-parse'

export interface ReadUpload {
  readonly rows: number
  readonly debits: Cents
  readonly credits: Cents
}

/** Throws a RangeError if an amount cannot be read. */
export async function readUpload(file: Readable, layout: UploadLayout, ledgerFields: readonly UploadField[]): Promise<ReadUpload> {
  const sums = { rows: 0, debits: 0, credits: 0 }
  for await (const amount of amountsOf(file, layout, columnsOf(layout, ledgerFields))) {
    sums.rows += 1
    if (amount > 0) sums.debits += amount
    else sums.credits -= amount
  }
  return sums
}

async function* amountsOf(file: Readable, layout: UploadLayout, columns: readonly UploadColumn[]): AsyncGenerator<Cents> {
  if (layout.kind === 'iif') {
    for await (const line of createInterface({ input: file, crlfDelay: Infinity })) {
      const cells = line.split('\t')
      if (cells[0] === 'TRNS' || cells[0] === 'SPL') yield amountOf(cells[iifAmountAt] ?? '', { format: 'usual' })
    }
    return
  }
  const places = columns.flatMap(({ source }, place) => (source === 'amount' || source === 'debit' || source === 'credit' ? [place] : []))
  let isHeading = layout.header
  for await (const cells of cellsOf(file, layout, columns)) {
    if (!isHeading) yield amountIn(cells, columns, places)
    isHeading = false
  }
}

async function* cellsOf(file: Readable, layout: UploadLayout, columns: readonly UploadColumn[]): AsyncGenerator<string[]> {
  if (layout.kind === 'delimited') {
    const records: AsyncIterable<string[]> = file.pipe(parse({ delimiter: layout.delimiter, record_delimiter: '\r\n' }))
    yield* records
    return
  }
  for await (const line of createInterface({ input: file, crlfDelay: Infinity })) {
    const signs = Array.from(line)
    let at = 0
    yield columns.map(({ width }) => signs.slice(at, (at += width ?? 0)).join(''))
  }
}

/** If a row has an amount besides debit and credit, only the amount counts. */
function amountIn(cells: readonly string[], columns: readonly UploadColumn[], places: readonly number[]): Cents {
  const written = places.flatMap((place) => {
    const column = columns[place]
    const cell = (cells[place] ?? '').trim()
    return column === undefined || cell === '' || cell === column.default.trim() ? [] : [{ column, amount: amountOf(cell, column) }]
  })
  const whole = written.find(({ column }) => column.source === 'amount')
  if (whole) return whole.amount
  return written.reduce((sum, { column, amount }) => sum + (column.source === 'debit' ? amount : -amount), 0)
}
