/** The typed values of a summary bill and what follows from them: sums, the body of the save, cells that are carried down or pasted. Pure. */
import { parseDate } from '#contract/kernel/date.ts'
import { centsOf, sumCents, wireOf, type Cents } from '#contract/kernel/money.ts'
import type { SummaryBillBody, SummaryEntry, SummaryRow } from '#contract/bills/summary-bill.ts'
import { z } from 'zod'
import { evaluate } from '../ui/fields/arithmetic.ts'

export const headKeys = ['date', 'due_date', 'invoice_number', 'balance_forward', 'current_charges', 'late_fee', 'amount_due'] as const
export type HeadKey = (typeof headKeys)[number]

export const summaryValues = z.object({
  head: z.object({
    date: z.string(),
    due_date: z.string(),
    invoice_number: z.string(),
    balance_forward: z.string(),
    current_charges: z.string(),
    late_fee: z.string(),
    /** Empty means the sum of its parts. */
    amount_due: z.string(),
  }),
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
  const head = { date: '', due_date: '', invoice_number: '', balance_forward: '0.00', current_charges: '', late_fee: '', amount_due: '' }
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

/** Reasons to save duplicate bills anyway, by account; null is the group's. */
export type OverrideReasons = ReadonlyMap<number | null, string>

/**
 * Returns the body of the save. The children get the dates and the invoice number of the group's bill; their amount due is the sum of their
 * charges.
 */
export function bodyOf(
  values: SummaryValues,
  entry: SummaryEntry,
  columns: readonly SummaryColumn[],
  reasons: OverrideReasons,
): SummaryBillBody {
  const { head } = values
  const override = (accountId: number | null) => {
    const reason = reasons.get(accountId)
    return reason === undefined ? {} : { override_reason: reason }
  }
  const money = (text: string): string => evaluate(text.trim() === '' ? '0' : text, 2) ?? text
  const invoice_number = head.invoice_number.trim() === '' ? null : head.invoice_number.trim()
  const dates = { date: head.date, due_date: head.due_date, invoice_number }
  const bill = {
    ...dates,
    balance_forward: money(head.balance_forward),
    current_charges: money(head.current_charges),
    late_fee: money(head.late_fee),
    amount_due: wireOf(sumsOf(values, entry, columns).due),
    ...override(null),
  }
  const children = childrenOf(values, entry, columns).map((rows) => {
    const cell = (row: SummaryRow, key: string): string => {
      const column = columns.find((one) => one.key === key)
      return column ? (readCell(cellOf(values, row, column), column, entry.today) ?? '') : ''
    }
    const amount = wireOf(chargesOfRows(values, rows, columns, entry.today))
    const account_id = rows[0]?.account_id ?? 0
    return {
      ...dates,
      account_id,
      ...override(account_id),
      balance_forward: '0.00',
      current_charges: amount,
      amount_due: amount,
      service_bills_attributes: rows.flatMap((row) =>
        row.service_id === null
          ? []
          : [
              {
                service_id: row.service_id,
                previous_read_date: cell(row, 'from') || null,
                read_date: cell(row, 'to') || null,
                usage: cell(row, 'usage') || null,
                service_bill_entry_fields: row.entry_fields.map((name) => ({ name, value: cell(row, `field ${name}`) || '0.00' })),
              },
            ],
      ),
      bill_charges_attributes: rows.flatMap((row) => {
        const charge = cell(row, 'account')
        return charge === '' ? [] : [{ name: accountCharge, amount: charge }]
      }),
    }
  })
  return { bill, children }
}
