/**
 * The subaccounts of a group as editable rows: a cell is a plain field, arrows and Enter move between them, and spreadsheet cells can be pasted.
 */
import { useLayoutEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { formatDate, isCalendarDate } from '#contract/kernel/date.ts'
import { formatDecimal, isDecimal } from '#contract/kernel/decimal.ts'
import { formatMoney, wireOf } from '#contract/kernel/money.ts'
import type { SummaryRow } from '#contract/bills/summary-bill.ts'
import { figureText, withoutIdleZeros } from '../ui/status.tsx'
import { readTable } from '../ui/preview/read-csv.ts'
import { type FormFinding, FindingMark } from '../bill-entry/bill-entry.ts'
import { cellSpot, chargesSpot, rowSpot } from './summary-bills.ts'
import styles from './summary.module.css'
import { cellOf, chargesOfRow, readCell, rowKey, takes, withCell, withPasted, type SummaryColumn } from './summary-values.ts'
import type { SummaryFormState } from './use-summary-form.ts'

export function SummaryGrid({ form }: { form: SummaryFormState }) {
  const { entry, columns, values, findings, problems } = form
  const foundAt = (spot: string) => findings.filter((one) => one.spot.name === spot).map((one) => one.finding)
  const wrong = new Map(problems.map((problem) => [problem.spot.name, problem.message]))
  return (
    <div className={styles.scroll}>
      <table className={styles.grid} aria-label="Bills of the subaccounts">
        <thead>
          <tr>
            <th scope="col">Subaccount</th>
            <th scope="col">Meter</th>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={styles.figure}>
                {column.label}
              </th>
            ))}
            <th scope="col" className={styles.figure}>
              Charges
            </th>
          </tr>
        </thead>
        <tbody>
          {entry.rows.map((row, at) => (
            <tr key={rowKey(row)} data-spot={rowSpot(row)}>
              <th scope="row">
                <Said findings={foundAt(rowSpot(row))} wrong={wrong.get(rowSpot(row))} />
                <span className={styles.who} title={`${row.account_number} ${row.facility_name ?? row.account_name}`}>
                  <span className={styles.number}>{row.account_number}</span>{' '}
                  <span className={styles.name}>{row.facility_name ?? row.account_name}</span>
                </span>
              </th>
              <td>
                <span className={styles.meter}>{meterOf(row)}</span>
              </td>
              {columns.map((column, place) => (
                <td key={column.key}>
                  {takes(row, column) ? (
                    <>
                      <Said findings={foundAt(cellSpot(row, column.key))} wrong={wrong.get(cellSpot(row, column.key))} />
                      <Cell form={form} row={row} at={at} column={column} place={place} isWrong={wrong.has(cellSpot(row, column.key))} />
                    </>
                  ) : (
                    <span className={styles.none} aria-hidden="true">
                      –
                    </span>
                  )}
                </td>
              ))}
              <td className={styles.figure} data-spot={chargesSpot(row)}>
                <Said findings={foundAt(chargesSpot(row))} wrong={wrong.get(chargesSpot(row))} />
                {formatMoney(wireOf(chargesOfRow(values, row, columns, entry.today)))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function meterOf(row: SummaryRow): string {
  return row.meter_number === null ? 'No meter' : [row.utility_service_name, row.meter_number].filter(Boolean).join(' ')
}

/** Marks a place that has messages; the messages are in the list below. */
function Said({ findings, wrong }: { findings: readonly FormFinding[]; wrong: string | undefined }) {
  if (findings.length === 0 && wrong === undefined) return null
  return (
    <span className={styles.said}>
      {wrong !== undefined && (
        <span className={styles.refused} title={wrong}>
          <span aria-hidden="true">!</span>
          <span className="sr-only">Not saved: {wrong}</span>
        </span>
      )}
      {findings.length > 0 && <FindingMark findings={findings} />}
    </span>
  )
}

interface CellProps {
  readonly form: SummaryFormState
  readonly row: SummaryRow
  readonly at: number
  readonly column: SummaryColumn
  readonly place: number
  readonly isWrong: boolean
}

function Cell({ form: { entry, columns, values, set }, row, at, column, place, isWrong: refused }: CellProps) {
  const text = cellOf(values, row, column)
  const field = useRef<HTMLInputElement>(null)
  const [isHere, setHere] = useState(false)
  // The cell's text changes on focus, which would put the cursor at its end; selecting all lets typing replace it.
  useLayoutEffect(() => {
    if (isHere) field.current?.select()
  }, [isHere])
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const table = readTable(event.clipboardData.getData('text/plain'))
    if (table.length < 2 && (table[0]?.length ?? 0) < 2) return
    event.preventDefault()
    set((before) => withPasted(before, entry, columns, { row: at, column: place }, table))
  }
  // Typed text is converted on blur; a date gets its wire format, so that the rows below can follow it.
  const leave = () => {
    const read = readCell(text, column, entry.today)
    if (read !== null && read !== text) set((before) => withCell(before, entry, at, column, read))
  }
  return (
    <input
      ref={field}
      className={styles.cell}
      aria-label={`${row.account_number} ${row.meter_number ?? ''} ${column.label}`.replaceAll(/\s+/g, ' ')}
      aria-invalid={refused || readCell(text, column, entry.today) === null || undefined}
      data-row={at}
      data-column={place}
      data-spot={cellSpot(row, column.key)}
      autoComplete="off"
      inputMode={column.kind === 'date' ? undefined : 'decimal'}
      value={shownText(text, column, isHere)}
      onChange={(event) => {
        const typed = event.currentTarget.value
        set((before) => withCell(before, entry, at, column, typed))
      }}
      onFocus={() => setHere(true)}
      onBlur={() => {
        setHere(false)
        leave()
      }}
      onPaste={paste}
      onKeyDown={goBetweenCells}
    />
  )
}

/** Formats a figure, except in the focused cell. */
function shownText(text: string, { kind }: SummaryColumn, isHere: boolean): string {
  if (kind === 'date') return isCalendarDate(text) ? formatDate(text) : text
  if (isHere || !isDecimal(text)) return text
  return kind === 'money' ? formatDecimal(text, 2) : figureText(withoutIdleZeros(text))
}

/** Up and down always leave the cell; left and right do so if the caret is at that end, or all text is selected. */
function goBetweenCells(event: KeyboardEvent<HTMLInputElement>): void {
  const step = stepOf(event)
  if (step === null) return
  const { row = '0', column = '0' } = event.currentTarget.dataset
  const table = event.currentTarget.closest('table')
  let [down, right] = [Number(row) + step.down, Number(column) + step.right]
  // Rows without this column are skipped.
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

/** More rows than a summary bill can have. */
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
