/** Reads a report's table in either form: some rows, all rows, and the totals over all of them. */
import type { ReportColumn } from '#contract/reports/report-form.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { reportSums, scaleOfColumn, withoutZeros } from './report-sums.ts'
import type { Cell, ReportRow, ReportStatement, ReportTable } from './report-table.ts'

/** Rows of one part. */
const rowsAtOnce = 500

export interface ReadReport {
  readonly rows: readonly ReportRow[]
  /** The keys of a statement's rows; null of others. */
  readonly keys: readonly Cell[]
  readonly totals: readonly Cell[]
  readonly rowCount: number
}

/** Returns the first rows, with the count and the totals of all rows. */
export async function readReport(tx: Tx, table: ReportTable, most: number): Promise<ReadReport> {
  if ('statement' in table) {
    const { cells, from, order, key = sql`null` } = table.statement
    const { rows } = await sql<
      Record<string, Cell>
    >`select ${textCells(cells)}, (${key})::text as key ${from} order by ${order} limit ${most}`.execute(tx)
    const totals = await statementTotals(tx, table.statement, table.columns)
    return {
      rows: rows.map((row) => cells.map((_, place) => row[`c${place}`] ?? null)),
      keys: rows.map(({ key: of = null }) => of),
      ...totals,
    }
  }
  const sums = reportSums(table.columns)
  const rows: ReportRow[] = []
  for await (const some of table.rows) {
    for (const row of some) sums.add(row)
    rows.push(...some.slice(0, most - rows.length))
  }
  return { rows, keys: rows.map(() => null), totals: sums.totals(), rowCount: sums.rows() }
}

/** Rows that are few by their nature, such as those of months or ledger accounts, as the readers of a table take them. */
export async function* rowsInParts(rows: readonly ReportRow[]): AsyncGenerator<readonly ReportRow[]> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) yield await Promise.resolve(rows.slice(from, from + rowsAtOnce))
}

/** The statement for the row count and the totals, as `count` and `s0`, `s1` and so on. */
function totalsStatement({ cells, from }: ReportStatement, columns: readonly ReportColumn[]): RawBuilder<Record<string, string | null>> {
  const sums = columns.flatMap((column, place) => {
    const cell = cells[place]
    return scaleOfColumn(column) === null || cell === undefined ? [] : [sql`sum(${cell})::text as ${sql.ref(`s${place}`)}`]
  })
  return sql`select ${sql.join([sql`count(*)::text as count`, ...sums])} ${from}`
}

function totalsOf(
  row: Readonly<Record<string, string | null>> | undefined,
  columns: readonly ReportColumn[],
): Omit<ReadReport, 'rows' | 'keys'> {
  const totals = columns.map((column, place) => {
    const sum = row?.[`s${place}`] ?? null
    return sum !== null && column.kind === 'decimal' ? withoutZeros(sum) : sum
  })
  return { totals, rowCount: Number(row?.['count'] ?? 0) }
}

async function statementTotals(
  tx: Tx,
  statement: ReportStatement,
  columns: readonly ReportColumn[],
): Promise<Omit<ReadReport, 'rows' | 'keys'>> {
  const { rows } = await totalsStatement(statement, columns).execute(tx)
  return totalsOf(rows[0], columns)
}

function textCells(cells: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(cells.map((cell, place) => sql`(${cell})::text as ${sql.ref(`c${place}`)}`))
}
