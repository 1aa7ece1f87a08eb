/** The subaccounts of a group as rows to type into: a cell is a plain field, arrows and Enter go between them, and a spreadsheet's cells are pasted over them. */
import type { ClipboardEvent, KeyboardEvent } from 'react'
import { formatDate, isCalendarDate } from '#contract/kernel/date.ts'
import { formatMoney, wireOf } from '#contract/kernel/money.ts'
import type { SummaryEntry, SummaryRow } from '#contract/summary-bill.ts'
import { readTable } from '../../ui/preview/read-csv.ts'
import styles from './summary.module.css'
import {
  cellOf,
  chargesOfRow,
  readCell,
  rowKey,
  takes,
  withCell,
  withPasted,
  type SummaryColumn,
  type SummaryValues,
} from './summary-values.ts'

export interface SummaryGridProps {
  entry: SummaryEntry
  columns: readonly SummaryColumn[]
  values: SummaryValues
  onChange: (values: SummaryValues) => void
  /** What the server said of a subaccount's bill, by account. */
  errors: ReadonlyMap<number, readonly string[]>
}

export function SummaryGrid({ entry, columns, values, onChange, errors }: SummaryGridProps) {
  return (
    <div className={styles.scroll}>
      <table className={styles.grid} aria-label="Bills of the subaccounts">
        <thead>
          <tr>
            <th scope="col">Subaccount</th>
            <th scope="col">Meter</th>
            {columns.map((column) => (
              <th key={column.key} scope="col">
                {column.label}
              </th>
            ))}
            <th scope="col" className={styles.money}>
              Charges
            </th>
          </tr>
        </thead>
        <tbody>
          {entry.rows.map((row, at) => (
            <tr key={rowKey(row)} className={errors.has(row.account_id) ? styles.wrong : undefined}>
              <th scope="row">
                <span className={styles.number}>{row.account_number}</span>{' '}
                <span className={styles.name}>{row.facility_name ?? row.account_name}</span>
              </th>
              <td>{row.meter_number === null ? 'No meter' : [row.utility_service_name, row.meter_number].filter(Boolean).join(' ')}</td>
              {columns.map((column, place) => (
                <td key={column.key}>
                  {takes(row, column) ? (
                    <Cell {...{ entry, columns, values, onChange, row, at, column, place }} />
                  ) : (
                    <span className={styles.none} aria-hidden="true">
                      –
                    </span>
                  )}
                </td>
              ))}
              <td className={styles.money}>{formatMoney(wireOf(chargesOfRow(values, row, columns, entry.today)))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface CellProps extends Omit<SummaryGridProps, 'errors'> {
  row: SummaryRow
  at: number
  column: SummaryColumn
  place: number
}

function Cell({ entry, columns, values, onChange, row, at, column, place }: CellProps) {
  const text = cellOf(values, row, column)
  const shown = column.kind === 'date' && isCalendarDate(text) ? formatDate(text) : text
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const table = readTable(event.clipboardData.getData('text/plain'))
    if (table.length < 2 && (table[0]?.length ?? 0) < 2) return
    event.preventDefault()
    onChange(withPasted(values, entry, columns, { row: at, column: place }, table))
  }
  // What is typed takes its form when the cell is left: a date the wire's, so that the rows below follow it.
  const leave = () => {
    const read = readCell(text, column, entry.today)
    if (read !== null && read !== text) onChange(withCell(values, entry, at, column, read))
  }
  return (
    <input
      className={styles.cell}
      aria-label={`${row.account_number} ${row.meter_number ?? ''} ${column.label}`.replaceAll(/\s+/g, ' ')}
      aria-invalid={readCell(text, column, entry.today) === null || undefined}
      data-row={at}
      data-column={place}
      autoComplete="off"
      inputMode={column.kind === 'date' ? undefined : 'decimal'}
      value={shown}
      onChange={(event) => onChange(withCell(values, entry, at, column, event.currentTarget.value))}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={leave}
      onPaste={paste}
      onKeyDown={goBetweenCells}
    />
  )
}

/** Up and down always leave the cell; left and right where the caret stands at that end, or all of it is selected. */
function goBetweenCells(event: KeyboardEvent<HTMLInputElement>): void {
  const step = stepOf(event)
  if (step === null) return
  const { row = '0', column = '0' } = event.currentTarget.dataset
  const table = event.currentTarget.closest('table')
  let [down, right] = [Number(row) + step.down, Number(column) + step.right]
  // Rows that do not take the column are passed over.
  for (let tried = 0; tried < cellsTried; tried += 1) {
    const next = table?.querySelector(`input[data-row="${down}"][data-column="${right}"]`)
    if (next instanceof HTMLInputElement) {
      event.preventDefault()
      next.focus()
      return
    }
    down += step.down
    right += step.right
  }
  if (event.key === 'Enter') event.preventDefault()
}

/** More than a summary bill has rows. */
const cellsTried = 250

function stepOf(event: KeyboardEvent<HTMLInputElement>): { down: number; right: number } | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  const { selectionStart, selectionEnd, value } = event.currentTarget
  const isAll = selectionStart === 0 && selectionEnd === value.length
  if (event.key === 'Enter') return { down: event.shiftKey ? -1 : 1, right: 0 }
  if (event.shiftKey) return null
  if (event.key === 'ArrowDown') return { down: 1, right: 0 }
  if (event.key === 'ArrowUp') return { down: -1, right: 0 }
  if (event.key === 'ArrowRight' && (isAll || selectionStart === value.length)) return { down: 0, right: 1 }
  if (event.key === 'ArrowLeft' && (isAll || selectionEnd === 0)) return { down: 0, right: -1 }
  return null
}
