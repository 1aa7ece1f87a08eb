/** The inbox columns. */
import { scanStates, type BillScan } from '#contract/bill-scans/bill-scan.ts'
import { confidentFrom } from '#contract/bill-reading/bill-reading.ts'
import { formatInstant } from '#contract/kernel/zone.ts'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { Badge, StatusDot, type StatusDotProps } from '../ui/status.tsx'
import { ageNow } from './age-words.ts'
import styles from './bill-scans.module.css'

export const scanColumns: readonly ColumnWish<BillScan>[] = [
  { key: 'filename', width: 142 },
  { key: 'pages', width: 58, grow: false },
  { key: 'state', width: 190, grow: false, tip: ({ error }) => error ?? undefined },
  { key: 'vendor_name', width: 100 },
  { key: 'account_number', width: 108 },
  { key: 'bill_date', width: 98, hidden: true },
  { key: 'due_date', width: 100 },
  { key: 'amount_due', width: 92 },
  { key: 'confidence', width: 64, grow: false },
  { key: 'lines_missing', width: 70, grow: false, tip: linesTip },
  { key: 'created_at', label: 'Age', width: 92, grow: false, tip: (row) => exactTime(row.created_at ?? '') },
  { key: 'created_by_name', width: 120, hidden: true },
]

const looks: Readonly<Record<string, Pick<StatusDotProps, 'tone' | 'shape'>>> = {
  waiting: { tone: 'grey', shape: 'ring' },
  reading: { tone: 'info', shape: 'ring' },
  read: { tone: 'info' },
  failed: { tone: 'warn', shape: 'triangle' },
  done: { tone: 'ok' },
  ignored: { tone: 'grey' },
}

export const scanCells: Cells<BillScan> = {
  state: (row) => (
    <span className={styles.state}>
      <StatusDot {...(looks[row.state ?? ''] ?? { tone: 'grey' })}>{stateWords(row)}</StatusDot>
      {(row.bills_inside ?? 1) > 1 && row.state === 'read' && <Badge tone="warn">{`${row.bills_inside} bills?`}</Badge>}
      {(row.pages_failed ?? 0) > 0 && row.state === 'read' && <Badge tone="warn">{failedPages(row.pages_failed ?? 0)}</Badge>}
      {row.same_bill_id !== null && <Badge tone="warn">Entered already</Badge>}
      {row.same_bill_id === null && row.same_scan_id !== null && <Badge tone="warn">Here already</Badge>}
    </span>
  ),
  confidence: ({ confidence }) =>
    confidence === null ? null : <span className={confidence < confidentFrom * 100 ? styles.doubtful : undefined}>{`${confidence}%`}</span>,
  lines_missing: ({ lines_found, lines_missing }) =>
    lines_found === null || lines_missing === null ? null : (
      <span className={lines_missing > 0 ? styles.doubtful : undefined}>{linesText({ lines_found, lines_missing })}</span>
    ),
  created_at: ({ created_at }) => ageNow(created_at ?? ''),
}

/** 'Reading, page 7 of 30'; also shown between two turns, while the document waits for the next. */
function stateWords({ state, pages, pages_read, pages_failed }: BillScan): string | undefined {
  const label = scanStates.find(({ value }) => value === state)?.label
  const settled = (pages_read ?? 0) + (pages_failed ?? 0)
  const isUnderway = state === 'reading' || (state === 'waiting' && settled > 0)
  if (!isUnderway || pages === null || pages < 2) return label
  return `Reading, page ${Math.min(pages, settled + 1)} of ${pages}`
}

export function failedPages(count: number): string {
  return count === 1 ? '1 page not read' : `${count} pages not read`
}

/** '6 of 8': number of line values that were read, of those that the bill needs. */
export function linesText({ lines_found, lines_missing }: { lines_found: number; lines_missing: number }): string {
  return `${lines_found} of ${lines_found + lines_missing}`
}

function linesTip({ lines_found, lines_missing }: BillScan): string | undefined {
  if (lines_found === null || lines_missing === null) return undefined
  return `Lines: ${linesText({ lines_found, lines_missing })} values were read`
}

function exactTime(at: string): string {
  return at === '' ? '' : formatInstant(at)
}
