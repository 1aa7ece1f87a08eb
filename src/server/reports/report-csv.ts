/** A report as CSV: one heading, numbers unformatted, dates as the client has them, no row of totals. */
import { csvLine, withoutFormula } from '#contract/kernel/import.ts'
import type { ReportColumn } from '#contract/reports/report-form.ts'
import { sql, type RawBuilder } from 'kysely'
import { defusedText } from '../kernel/lists/list.ts'
import type { Cell, ReportRow, ReportStatement } from './report-table.ts'

/** As a client keeps it. */
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
