/**
 * Converts the bills of a summary to the values of the bill form, so that its audits and messages apply here too, and maps form paths to places
 * in the grid. Pure.
 */
import { wireOf } from '#contract/kernel/money.ts'
import type { SummaryEntry, SummaryRow } from '#contract/bills/summary-bill.ts'
import { type BillValues, type LineValues, fieldLabel, emptyBill, emptyLine } from '../bill-entry/bill-entry.ts'
import {
  accountCharge,
  cellOf,
  chargesOfRows,
  columnsOf,
  readCell,
  rowKey,
  takes,
  type SummaryColumn,
  type SummaryValues,
} from './summary-values.ts'

/** Key of a row among the lines and charges of its account's bill. */
const keyOf = (row: SummaryRow): string => (row.service_id === null ? `a${row.account_id}` : `n${row.service_id}`)

/** Returns the group's bill, without its account. */
export function groupValues({ head }: SummaryValues): BillValues {
  return { ...emptyBill, ...head }
}

/** Returns a subaccount's bill from the typed cells. Its amounts stay empty until a cell contains a cost. */
export function subaccountValues(values: SummaryValues, entry: SummaryEntry, rows: readonly SummaryRow[]): BillValues {
  const columns = columnsOf(entry)
  const text = (row: SummaryRow, column: SummaryColumn): string => {
    const typed = cellOf(values, row, column)
    return readCell(typed, column, entry.today) ?? typed
  }
  const isCharged = rows.some((row) => columns.some((column) => column.kind === 'money' && takes(row, column) && text(row, column) !== ''))
  const { date, due_date, invoice_number } = values.head
  return {
    ...emptyBill,
    date,
    due_date,
    invoice_number,
    balance_forward: isCharged ? '0.00' : '',
    current_charges: isCharged ? wireOf(chargesOfRows(values, rows, columns, entry.today)) : '',
    lines: rows.flatMap((row) => (row.service_id === null ? [] : [lineOf(row, columns, text)])),
    charges: rows.flatMap((row) => {
      const column = columns.find((one) => one.key === 'account')
      const amount = column ? text(row, column) : ''
      return amount === '' ? [] : [{ key: keyOf(row), id: null, name: accountCharge, amount }]
    }),
  }
}

function lineOf(row: SummaryRow, columns: readonly SummaryColumn[], text: (row: SummaryRow, column: SummaryColumn) => string): LineValues {
  const of = (key: string): string => {
    const column = columns.find((one) => one.key === key)
    return column ? text(row, column) : ''
  }
  return {
    ...emptyLine(keyOf(row)),
    service_id: row.service_id,
    previous_read_date: of('from'),
    read_date: of('to'),
    usage: of('usage'),
    service_bill_entry_fields: Object.fromEntries(row.entry_fields.map((name) => [name, of(`field ${name}`)])),
  }
}

/** The place of a message: `name` identifies the field of the head, the cell or the row. */
export interface Spot {
  readonly name: string
  /** Label of the place for people. */
  readonly label: string
}

export const cellSpot = (row: SummaryRow, columnKey: string): string => `${rowKey(row)} ${columnKey}`
export const chargesSpot = (row: SummaryRow): string => cellSpot(row, 'charges')
export const rowSpot = (row: SummaryRow): string => cellSpot(row, 'row')

/** The columns other than charges, by field. */
const columnOfField: Readonly<Record<string, { readonly key: string; readonly label: string }>> = {
  previous_read_date: { key: 'from', label: 'From' },
  read_date: { key: 'to', label: 'To' },
  usage: { key: 'usage', label: 'Usage' },
}
const chargeFields: readonly string[] = ['current_charges', 'amount_due', 'service_bill_entry_fields', 'bill_charges']

/** Returns the place of a form path in the rows of a subaccount; a path without a cell belongs to its row. */
export function spotInRows(rows: readonly SummaryRow[], path: string | null, lineKey: string | null): Spot | null {
  const [, , key = lineKey, field = path ?? ''] = /^(lines|charges)\.([^.]+)\.(.*)$/.exec(path ?? '') ?? []
  const row = rows.find((one) => keyOf(one) === key) ?? rows[0]
  if (!row) return null
  const label = field === '' ? '' : fieldLabel(field)
  if (path?.startsWith('charges.')) return { name: cellSpot(row, 'account'), label: accountCharge }
  const column = columnOfField[field] ?? (row.entry_fields.includes(label) ? { key: `field ${label}`, label } : undefined)
  if (column) return { name: cellSpot(row, column.key), label: column.label }
  return { name: chargeFields.includes(field) ? chargesSpot(row) : rowSpot(row), label }
}

/** Scrolls to the field, cell or row and focuses it. */
export function goToSpot(root: HTMLElement | null, name: string): void {
  const quoted = CSS.escape(name)
  const found = root?.querySelector(`[data-spot="${quoted}"], [name="${quoted}"]`)
  const field = found instanceof HTMLInputElement ? found : (found?.closest('tr') ?? root)?.querySelector('input')
  field?.focus({ preventScroll: true })
  field?.scrollIntoView({ block: 'center', inline: 'nearest' })
}
