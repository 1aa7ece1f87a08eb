/** The columns of the preview of a bulk change. */
import { bulkKinds, type BulkAction, type BulkKindName, type BulkRow } from '#contract/bulk-changes/bulk-change.ts'
import { formatDate, isCalendarDate } from '#contract/kernel/date.ts'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'
import styles from './bulk-changes.module.css'
import type { BulkDraft } from './bulk-fields.tsx'
import { ChangeCell, changeWords } from './change-cell.tsx'

const actionWords: Readonly<Record<BulkAction, { word: string; tone: Tone; shape?: StatusShape }>> = {
  change: { word: 'Changes', tone: 'info' },
  unchanged: { word: 'Stays', tone: 'grey', shape: 'ring' },
  refused: { word: 'Refused', tone: 'bad', shape: 'triangle' },
}

const said: GridColumn<BulkRow> = { key: 'said', label: 'To know', width: 260, cell: saidCell, tip: (row) => saidOf(row) || undefined }

export function columnsOf(kind: BulkKindName, changes: BulkDraft, isSaid: boolean): readonly GridColumn<BulkRow>[] {
  const fields = Object.entries(bulkKinds[kind].fields).filter(([key]) => key in changes)
  return [
    { key: 'title', label: bulkKinds[kind].columns.title, width: 150, pinned: true, cell: (row) => row.title },
    { key: 'detail', label: bulkKinds[kind].columns.detail, width: 170, cell: (row) => detailText(row.detail) },
    { key: 'action', label: 'Record', width: 104, grow: false, cell: actionCell },
    ...(isSaid ? [said] : []),
    ...fields.map(([key, field]): GridColumn<BulkRow> => ({
      key: `change_${key}`,
      label: field.label,
      width: field.refers === undefined ? 130 : 230,
      grow: field.refers !== undefined,
      cell: (row) => <ChangeCell change={row.changes[key]} />,
      tip: (row) => changeWords(row.changes[key]),
    })),
  ]
}

/** Formats the day of a record that is named by a day. */
export function detailText(detail: string): string {
  return isCalendarDate(detail) ? formatDate(detail) : detail
}

function actionCell({ action }: BulkRow) {
  const { word, tone, shape } = actionWords[action]
  return (
    <StatusDot tone={tone} shape={shape}>
      {word}
    </StatusDot>
  )
}

function saidOf({ reasons, warnings }: BulkRow): string {
  return [...reasons, ...warnings].join(' · ')
}

function saidCell(row: BulkRow) {
  return <span className={row.reasons.length > 0 ? styles.bad : styles.warn}>{saidOf(row)}</span>
}
