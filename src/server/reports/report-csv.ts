/** A report as CSV: one heading, numbers unformatted, dates as the client has them, no row of totals. */
import type { Readable } from 'node:stream'
import { csvLine, withoutFormula } from '#contract/kernel/import.ts'
import type { ReportColumn } from '#contract/reports/report-form.ts'
import { parse } from 'csv-parse'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { defusedText } from '../kernel/lists/list.ts'
import type { Cell, ReportRow, ReportStatement } from './report-table.ts'

/** Date format of the client's settings. */
export type DateStyle = 'YYYY-MM-DD' | 'MM/DD/YYYY'

export function csvHeading(columns: readonly ReportColumn[]): string {
  return csvLine(columns.map((column) => withoutFormula(column.label)))
}

export function csvRow(columns: readonly ReportColumn[], row: ReportRow, dates: DateStyle): string {
  return csvLine(columns.map((column, place) => csvCell(column, row[place] ?? null, dates)))
}

function csvCell({ kind }: ReportColumn, cell: Cell, dates: DateStyle): string {
  if (cell === null) return ''
  if (kind === 'date' && dates === 'MM/DD/YYYY') return `${cell.slice(5, 7)}/${cell.slice(8)}/${cell.slice(0, 4)}`
  return kind === 'text' ? withoutFormula(cell) : cell
}

const record = z.array(z.string())

/** The rows of such a file as they were before they were written, apart from empty texts, which come back as null. */
export async function* rowsOfCsv(file: Readable, columns: readonly ReportColumn[], dates: DateStyle): AsyncGenerator<ReportRow> {
  const reader = parse({ from: 2 })
  file.once('error', (error) => reader.destroy(error))
  try {
    for await (const cells of file.pipe(reader)) yield record.parse(cells).map((cell, place) => readCell(columns[place], cell, dates))
  } finally {
    file.destroy()
  }
}

function readCell(column: ReportColumn | undefined, cell: string, dates: DateStyle): Cell {
  if (cell === '') return null
  if (column?.kind === 'date' && dates === 'MM/DD/YYYY') return `${cell.slice(6)}-${cell.slice(0, 2)}-${cell.slice(3, 5)}`
  const isQuoted = column?.kind === 'text' && cell.startsWith("'") && withoutFormula(cell.slice(1)) === cell
  return isQuoted ? cell.slice(1) : cell
}

/** The same rows as a statement for COPY, which the database writes as fast as it can. */
export function csvStatement(
  { cells, from, order }: ReportStatement,
  columns: readonly ReportColumn[],
  dates: DateStyle,
): RawBuilder<unknown> {
  const written = cells.map((cell, place) => {
    const kind = columns[place]?.kind
    if (kind === 'text') return defusedText(sql`(${cell})`)
    return kind === 'date' && dates === 'MM/DD/YYYY' ? sql`to_char(${cell}, 'MM/DD/YYYY')` : cell
  })
  return sql`select ${sql.join(written)} ${from} order by ${order}`
}
