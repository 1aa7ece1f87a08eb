/** One month of an account in the calendar: a shape and a word, with more text on hover, on focus and for screen readers. */
import type { ReactNode } from 'react'
import type { CalendarCellRow, CellState } from '#contract/bill-calendar/bill-calendar.ts'
import { daysBetween, formatDate, type CalendarDate } from '#contract/kernel/date.ts'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import { figureText, Missing } from '../ui/status.tsx'
import styles from './bill-calendar.module.css'

type WaitingState = Exclude<CellState, 'billed' | 'none'>

/** Words and shapes of the states, for cells and for the legend. */
export const stateWords: Readonly<Record<WaitingState | 'billed', { word: string; meaning: string }>> = {
  billed: { word: 'Billed', meaning: 'the bill is there' },
  expected: { word: 'Due', meaning: 'expected, and not late yet' },
  late: { word: 'Late', meaning: 'up to 30 days behind' },
  missing: { word: 'Missing', meaning: 'more than 30 days behind' },
}

/** A shape that distinguishes the states without colours. */
export function StateShape({ state }: { state: WaitingState | 'billed' }) {
  return <span className={cx(styles.shape, styles[state])} aria-hidden="true" />
}

/** Renders a cell. `billsHref` is the path of the list for several bills. */
export function calendarCell(cell: CalendarCellRow | undefined, hrefs: { bill: (id: number) => string; bills: string }): ReactNode {
  if (!cell || cell.state === 'none') return <Missing word="no bill expected" />
  const [bill] = cell.bills
  const { word } = stateWords[cell.state]
  const count = cell.state === 'billed' && cell.bills.length > 1 ? `${cell.bills.length} bills` : word
  const inside = (
    <span className={styles.cell}>
      <StateShape state={cell.state} />
      <span className={styles.word}>{count}</span>
    </span>
  )
  if (cell.state !== 'billed' || !bill) return inside
  return <UiLink href={cell.bills.length === 1 ? hrefs.bill(bill.id) : hrefs.bills}>{inside}</UiLink>
}

/** Returns the tooltip of a cell. */
export function cellTip(cell: CalendarCellRow | undefined, today: CalendarDate): string | undefined {
  if (!cell || cell.state === 'none') return undefined
  const bills = cell.bills.map(({ date, amount_due }) => `Bill of ${formatDate(date)}, ${figureText(amount_due, 2, true)}`)
  return [...waitOf(cell, today), ...bills].join('. ') || 'The bill of its group account'
}

function waitOf({ state, expected_on }: CalendarCellRow, today: CalendarDate): string[] {
  if (expected_on === null) return []
  if (state === 'expected') return [`Expected by ${formatDate(expected_on)}`]
  const days = daysBetween(expected_on, today)
  return [`Expected by ${formatDate(expected_on)}, ${days} ${days === 1 ? 'day' : 'days'} late`]
}
