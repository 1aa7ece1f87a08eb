/** The typed values of a summary bill and what follows from them: sums, the body of the save, cells that are carried down or pasted. Pure. */
import { formFields, printedHeads } from '#contract/bills/bill-fields.ts'
import { parseDate } from '#contract/kernel/typed-date.ts'
import { centsOf, sumCents, type Cents } from '#contract/kernel/money.ts'
import { emptyOf, schemasOf, someOf } from '#contract/kernel/record.ts'
import type { SummaryEntry, SummaryRow } from '#contract/bills/summary-bill.ts'
import { z } from 'zod'
import { evaluate } from '../ui/fields/arithmetic.ts'

export const headKeys = printedHeads
export type HeadKey = (typeof headKeys)[number]
const headFields = someOf(formFields, headKeys)

export const summaryValues = z.object({
  /** An amount due of '' means the sum of its parts. */
  head: z.object(schemasOf(headFields, 'typed')),
  /** Typed and prefilled cells, by row and column. */
  cells: z.record(z.string(), z.record(z.string(), z.string())),
})
export type SummaryValues = z.infer<typeof summaryValues>

export interface SummaryColumn {
  readonly key: string
  readonly label: string
  readonly kind: 'date' | 'usage' | 'money'
}

/** The one money column that every row has: charges of the account that belong to no meter. */
export const accountCharge = 'Account charge'

export const rowKey = (row: Pick<SummaryRow, 'account_id' | 'service_id'>): string => `${row.account_id} ${row.service_id ?? 0}`

/** Returns the columns: dates and usage, then the entry fields of the group's meters, then the account's own charge. */
export function columnsOf({ rows }: SummaryEntry): SummaryColumn[] {
  const fields = [...new Set(rows.flatMap((row) => row.entry_fields))]
  return [
    { key: 'from', label: 'From', kind: 'date' },
    { key: 'to', label: 'To', kind: 'date' },
    { key: 'usage', label: 'Usage', kind: 'usage' },
    ...fields.map((name) => ({ key: `field ${name}`, label: name, kind: 'money' as const })),
    { key: 'account', label: accountCharge, kind: 'money' },
  ]
}

/** Whether the row has the column. A subaccount without a meter has only its charge; a meter has only the fields of its service. */
export function takes(row: SummaryRow, column: SummaryColumn): boolean {
  if (column.key === 'account') return true
  if (row.service_id === null) return false
  return column.kind !== 'money' || row.entry_fields.includes(column.label)
}

export function startingValues(entry: SummaryEntry): SummaryValues {
  const cells = entry.rows.map((row): [string, Record<string, string>] => [
    rowKey(row),
    row.last_read_date === null ? {} : { from: row.last_read_date },
  ])
  const head = { ...emptyOf(headFields), balance_forward: '0.00' }
  return { head, cells: Object.fromEntries(cells) }
}

export const cellOf = ({ cells }: SummaryValues, row: SummaryRow, column: SummaryColumn): string => cells[rowKey(row)]?.[column.key] ?? ''

/** Returns a cell's value in wire format, or null if it cannot be read. Parentheses and currency signs come from spreadsheets. */
export function readCell(text: string, { kind }: SummaryColumn, today: string): string | null {
  const plain = text.trim()
  if (plain === '') return ''
  if (kind === 'date') return parseDate(plain, today)
  const number = plain.replaceAll(/[$\s]/g, '').replace(/^\(([^()]*)\)$/, '-$1')
  return evaluate(number, kind === 'money' ? 2 : 3)
}

/** Sets a typed cell. A date is carried down to rows that are empty or have the cell's old value. */
export function withCell(values: SummaryValues, entry: SummaryEntry, at: number, column: SummaryColumn, text: string): SummaryValues {
  const row = entry.rows[at]
  if (!row) return values
  const before = cellOf(values, row, column)
  const changed = [row]
  if (column.kind === 'date' && text !== '') {
    for (const below of entry.rows.slice(at + 1)) {
      const own = cellOf(values, below, column)
      if (!takes(below, column)) continue
      if (own !== '' && own !== before) break
      changed.push(below)
    }
  }
  const cells = { ...values.cells }
  for (const one of changed) cells[rowKey(one)] = { ...cells[rowKey(one)], [column.key]: text }
  return { ...values, cells }
}

/** Pastes a spreadsheet table to the right of and below a cell. Cells that a row does not have are skipped. */
export function withPasted(
  values: SummaryValues,
  entry: SummaryEntry,
  columns: readonly SummaryColumn[],
  from: { readonly row: number; readonly column: number },
  table: readonly (readonly string[])[],
): SummaryValues {
  const cells = { ...values.cells }
  for (const [down, texts] of table.entries()) {
    const row = entry.rows[from.row + down]
    if (!row) break
    const own = { ...cells[rowKey(row)] }
    for (const [right, text] of texts.entries()) {
      const column = columns[from.column + right]
      if (column && takes(row, column)) own[column.key] = readCell(text, column, entry.today) ?? text.trim()
    }
    cells[rowKey(row)] = own
  }
  return { ...values, cells }
}

/** Whether a row counts as filled: it has usage or money; a prefilled date alone does not count. */
function isTyped(values: SummaryValues, row: SummaryRow, columns: readonly SummaryColumn[]): boolean {
  return columns.some((column) => column.kind !== 'date' && cellOf(values, row, column).trim() !== '')
}

/** Returns the total charges of several rows. */
export function chargesOfRows(values: SummaryValues, rows: readonly SummaryRow[], columns: readonly SummaryColumn[], today: string): Cents {
  return sumCents(rows.map((row) => chargesOfRow(values, row, columns, today)))
}

/** Returns the charges of a row in cents; a cell that cannot be read counts as zero. */
export function chargesOfRow(values: SummaryValues, row: SummaryRow, columns: readonly SummaryColumn[], today: string): Cents {
  return sumCents(
    columns
      .filter((column) => column.kind === 'money' && takes(row, column))
      .map((column) => centsOf(readCell(cellOf(values, row, column), column, today) || '0.00')),
  )
}

const centsOfHead = (text: string): Cents => centsOf(evaluate(text.trim() === '' ? '0' : text, 2) ?? '0.00')

export interface SummarySums {
  readonly children: Cents
  /** The group's current charges minus the children's charges; negative if the children charge more. */
  readonly left: Cents
  readonly bills: number
  readonly due: Cents
}

export function sumsOf(values: SummaryValues, entry: SummaryEntry, columns: readonly SummaryColumn[]): SummarySums {
  const children = chargesOfRows(values, entry.rows, columns, entry.today)
  const { head } = values
  const parts = centsOfHead(head.balance_forward) + centsOfHead(head.current_charges) + centsOfHead(head.late_fee)
  return {
    children,
    left: centsOfHead(head.current_charges) - children,
    bills: childrenOf(values, entry, columns).length,
    due: head.amount_due.trim() === '' ? parts : centsOfHead(head.amount_due),
  }
}

/** Returns the filled rows of each subaccount, in the order of the grid. */
export function childrenOf(values: SummaryValues, entry: SummaryEntry, columns: readonly SummaryColumn[]): SummaryRow[][] {
  return [...Map.groupBy(entry.rows, (row) => row.account_id).values()]
    .map((rows) => rows.filter((row) => isTyped(values, row, columns)))
    .filter((rows) => rows.length > 0)
}

/** Returns the cells that cannot be read. */
export function faultyCells(
  values: SummaryValues,
  { rows, today }: SummaryEntry,
  columns: readonly SummaryColumn[],
): { readonly row: SummaryRow; readonly column: SummaryColumn }[] {
  const cells = rows.flatMap((row) => columns.map((column) => ({ row, column })))
  return cells.filter(({ row, column }) => readCell(cellOf(values, row, column), column, today) === null)
}
