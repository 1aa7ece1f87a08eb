/** The reasons why a summary bill was not saved, by field and row, and which of its bills are duplicates. Pure. */
import type { SummaryEntry, SummaryRow } from '#contract/bills/summary-bill.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { fieldLabel, formErrors } from '../bill-entry/bill-entry.ts'
import { cellSpot, groupValues, spotInRows, subaccountValues, type Spot } from './summary-bills.ts'
import { childrenOf, columnsOf, faultyCells, rowKey, type SummaryValues } from './summary-values.ts'

export interface SummaryProblem {
  /** Null for the group's bill. */
  readonly account_id: number | null
  readonly spot: Spot
  readonly message: string
}

/** A bill of the summary that is stored already. */
export interface Repeat {
  readonly account_id: number | null
  readonly bill_id: number
}

const requiredOfHead = ['date', 'due_date', 'current_charges'] as const

/** Returns the errors that are found without the server. */
export function faultsOf(values: SummaryValues, entry: SummaryEntry): SummaryProblem[] {
  const missing = requiredOfHead.filter((key) => values.head[key].trim() === '')
  return [
    ...missing.map((key) => inHead(key, `${fieldLabel(key)} is required`)),
    ...faultyCells(values, entry, columnsOf(entry)).map(({ row, column }) => ({
      account_id: row.account_id,
      spot: { name: cellSpot(row, column.key), label: column.label },
      message: column.kind === 'date' ? 'This is no date' : 'This is no number',
    })),
  ]
}

/** Maps the server's field errors to their places: `children.2.amount_due` belongs to the third bill of the body. */
export function problemsOf(error: ApiProblem, values: SummaryValues, entry: SummaryEntry): SummaryProblem[] {
  const children = childrenOf(values, entry, columnsOf(entry))
  return Object.entries(error.fields).flatMap(([key, messages]) => {
    const [, place, rest = key.replace(/^bill\./, '')] = /^children\.(\d+)\.(.*)$/.exec(key) ?? []
    const rows = place === undefined ? undefined : children[Number(place)]
    const bill = rows ? subaccountValues(values, entry, rows) : groupValues(values)
    return Object.entries(formErrors({ [rest]: messages }, bill)).flatMap(([path, message]): SummaryProblem[] => {
      if (!rows) return [inHead(path, message)]
      const spot = spotInRows(rows, path, null)
      return spot ? [{ account_id: rows[0]?.account_id ?? null, spot, message }] : []
    })
  })
}

/** Returns the bills that the server found stored already, in the order of the sheet. */
export function repeatsOf(error: unknown, values: SummaryValues, entry: SummaryEntry): Repeat[] {
  if (!(error instanceof ApiProblem) || error.body?.code !== 'refused') return []
  const children = childrenOf(values, entry, columnsOf(entry))
  return Object.entries(error.body.record_ids ?? {}).map(([key, bill_id]) => {
    const [, place] = /^children\.(\d+)\./.exec(key) ?? []
    return { account_id: place === undefined ? null : (children[Number(place)]?.[0]?.account_id ?? null), bill_id }
  })
}

/** Whether the error still applies; it is dropped when its value changes. */
export function stillSaid(problem: SummaryProblem, before: SummaryValues, after: SummaryValues, entry: SummaryEntry): boolean {
  return problem.account_id === null
    ? Object.entries(before.head).every(([key, text]) => key !== problem.spot.name || textOf(after, key) === text)
    : rowsOf(entry, problem.account_id).every((row) => isUntouched(row, before, after))
}

/** Whether the values that make the bill a duplicate are unchanged. */
export function stillRepeats({ account_id }: Repeat, before: SummaryValues, after: SummaryValues, entry: SummaryEntry): boolean {
  const own = account_id === null ? (['current_charges', 'amount_due'] as const) : []
  const isSameHead = (['date', 'invoice_number', ...own] as const).every((key) => before.head[key] === after.head[key])
  return isSameHead && (account_id === null || rowsOf(entry, account_id).every((row) => isUntouched(row, before, after)))
}

const textOf = ({ head }: SummaryValues, key: string): string | undefined => new Map(Object.entries(head)).get(key)
const rowsOf = (entry: SummaryEntry, accountId: number): SummaryRow[] => entry.rows.filter((row) => row.account_id === accountId)
const isUntouched = (row: SummaryRow, before: SummaryValues, after: SummaryValues): boolean =>
  before.cells[rowKey(row)] === after.cells[rowKey(row)]

function inHead(path: string, message: string): SummaryProblem {
  return { account_id: null, spot: { name: path, label: fieldLabel(path) }, message }
}
