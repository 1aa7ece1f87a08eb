/** Adds up the amounts of a read file and compares them with its totals. */
import type { Layout, LayoutColumn } from './layout.ts'
import type { ColumnSource } from './layout-sources.ts'

export interface ReadRow {
  /** Values by source, as read; undefined if the layout has no such column. */
  readonly values: ReadonlyMap<ColumnSource, string>
}

export interface ReadRows {
  /** Lines including heading and totals. */
  readonly records: number
  readonly rows: readonly ReadRow[]
  readonly batches: number
  /** The total paid, from the bytes: amounts paid of bills, or of each payment once. Null if the layout has no such column. */
  readonly credit: number | null
}

/** Whole cents, or dollars with a point; a fixed column has its zeros in front as filler. */
export const amountPatterns = { cents: /^-?\d+$/, point: /^-?(0|[1-9]\d*)\.\d\d$/ } as const

/** Returns the value without the filler of a fixed column. */
export function bare(cell: string, { justify, fill }: LayoutColumn, { kind }: Layout): string {
  if (kind !== 'fixed') return cell
  // The zero before the point of an amount below one is no filler.
  if (fill === 'zero') return justify === 'right' ? cell.replace(/^0+(?=[^.])/, '') : cell
  return justify === 'right' ? cell.trimStart() : cell.trimEnd()
}

function cents(row: ReadRow, source: ColumnSource): number {
  return Number((row.values.get(source) ?? '').replace('.', ''))
}

export function sums(rows: readonly ReadRow[], layout: Layout, records: number, faults: string[]): ReadRows {
  const has = (source: ColumnSource) => layout.columns.some((column) => column.source === source)
  const distinct = (source: ColumnSource) => new Set(rows.map((row) => row.values.get(source)))
  const batches = has('batch_id') ? distinct('batch_id').size : 1
  // A row that names a bank account moves its amount there.
  if (has('routing_number') && has('payment_amount') && rows.some((row) => !(cents(row, 'payment_amount') > 0)))
    faults.push('A payment to an account is not more than zero.')
  if (layout.grain === 'payment' && has('payment_number') && distinct('payment_number').size !== rows.length)
    faults.push('A payment stands in the file twice.')
  if (has('bill_id') && distinct('bill_id').size !== rows.length) faults.push('A bill stands in the file twice.')
  if (has('row_number') && rows.some((row, at) => row.values.get('row_number') !== String(at + 1))) faults.push('The rows are not counted.')
  if (layout.grain === 'payment')
    return {
      records,
      rows,
      batches,
      credit: has('payment_amount') ? rows.reduce((sum, row) => sum + cents(row, 'payment_amount'), 0) : null,
    }
  const credit = has('amount_paid') ? rows.reduce((sum, row) => sum + cents(row, 'amount_paid'), 0) : null
  if (has('amount_paid') && has('payment_amount') && has('payment_number'))
    for (const [payment, ofOne] of Map.groupBy(rows, (row) => row.values.get('payment_number'))) {
      const paid = ofOne.reduce((sum, row) => sum + cents(row, 'amount_paid'), 0)
      if (ofOne.some((row) => cents(row, 'payment_amount') !== paid)) faults.push(`The bills of ${payment} do not add up to its amount.`)
    }
  return { records, rows, batches, credit }
}

/** Compares the last row with the rows above it. */
export function totals(cells: readonly string[], rows: readonly ReadRow[], read: ReadRows, layout: Layout, faults: string[]): void {
  const payments = new Set(rows.map((row, at) => row.values.get('payment_number') ?? String(at))).size
  const bills = layout.grain === 'bill' ? rows.length : rows.reduce((sum, row) => sum + Number(row.values.get('bill_count') ?? 0), 0)
  for (const [place, column] of layout.columns.entries()) {
    const cell = cells[place] ?? ''
    const said = bare(cell, column, layout)
    const amount = column.amount === 'cents' ? Number(said) : Number(said.replace('.', ''))
    const holds =
      column.total === null
        ? cell.trim() === ''
        : column.total === 'label'
          ? said === 'TOTAL'
          : column.total === 'amount'
            ? amountPatterns[column.amount].test(said) && amount === read.credit
            : said === String({ batches: read.batches, payments, bills }[column.total])
    if (!holds) faults.push(`The last row is wrong in ${column.heading}.`)
  }
}
