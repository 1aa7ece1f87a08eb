/** What the inbox shows of a document. */
import { scanStates, type BillScan } from '#contract/bill-scan.ts'
import { confidentFrom } from '#contract/bill-reading.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatTime, NEW_YORK, wallTimeIn } from '#contract/kernel/zone.ts'
import type { Cells, ColumnWish } from '../kernel/list-columns.tsx'
import { Badge, StatusDot, type StatusDotProps } from '../ui/status.tsx'
import { ageNow } from './age-words.ts'
import styles from './bill-scans.module.css'

export const scanColumns: readonly ColumnWish<BillScan>[] = [
  { key: 'filename', width: 202 },
  { key: 'pages', width: 62, grow: false },
  { key: 'state', width: 146, grow: false, tip: ({ error }) => error ?? undefined },
  { key: 'vendor_name', width: 118 },
  { key: 'account_number', width: 116 },
  { key: 'bill_date', width: 98, hidden: true },
  { key: 'due_date', width: 98 },
  { key: 'amount_due', width: 100 },
  { key: 'confidence', width: 90, grow: false },
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
      <StatusDot {...(looks[row.state ?? ''] ?? { tone: 'grey' })}>{scanStates.find(({ value }) => value === row.state)?.label}</StatusDot>
      {(row.bills_inside ?? 1) > 1 && row.state === 'read' && <Badge tone="warn">{`${row.bills_inside} bills?`}</Badge>}
    </span>
  ),
  confidence: ({ confidence }) =>
    confidence === null ? null : (
      <span className={confidence < confidentFrom * 100 ? styles.doubtful : undefined}>{`${confidence} %`}</span>
    ),
  created_at: ({ created_at }) => ageNow(created_at ?? ''),
}

function exactTime(at: string): string {
  if (at === '') return ''
  const { date, time } = wallTimeIn(NEW_YORK, at)
  return `${formatDate(date)} ${formatTime(time)}, New York time`
}
