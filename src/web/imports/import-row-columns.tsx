/** The columns of the rows of an imported file. */
import { importKinds, type ImportAction, type ImportRow, type ImportSummary } from '#contract/imports/import.ts'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { UiLink } from '../ui/link.tsx'
import { Missing, StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'
import styles from './imports.module.css'

const actionWords: Readonly<Record<ImportAction, { word: string; tone: Tone; shape?: StatusShape }>> = {
  create: { word: 'New', tone: 'ok' },
  update: { word: 'Changed', tone: 'info' },
  unchanged: { word: 'Unchanged', tone: 'grey', shape: 'ring' },
  refused: { word: 'Refused', tone: 'bad', shape: 'triangle' },
}

export function columnsOf({ kind, headers, counts }: ImportSummary, hrefOf: (line: number) => string): readonly GridColumn<ImportRow>[] {
  const { columns, part, noted } = importKinds[kind]
  const named = headers.flatMap(({ column }) => (column === null ? [] : [column]))
  // The columns in the kind's own order, followed by those of the client.
  const shown = [
    ...columns.map(({ name }) => name).filter((name) => named.includes(name)),
    ...named.filter((name) => !columns.some((one) => one.name === name)),
  ]
  return [
    {
      key: 'line',
      label: 'Line',
      kind: 'number',
      width: 64,
      pinned: true,
      fixed: true,
      cell: (row) => <span className="num">{row.line}</span>,
    },
    { key: 'action', label: 'Row', width: 110, pinned: true, fixed: true, cell: actionCell },
    ...(part ? [partColumn(part.label)] : []),
    ...(counts.refused > 0 ? [wrongColumn(hrefOf)] : []),
    ...(noted === undefined ? [] : [notesColumn(noted)]),
    ...[...new Set(shown)].map((name): GridColumn<ImportRow> => ({
      key: `cell_${name}`,
      label: name,
      width: 150,
      cell: (row) => <Cell row={row} column={name} />,
      tip: (row) => tipOf(row, name),
    })),
  ]
}

function wrongColumn(hrefOf: (line: number) => string): GridColumn<ImportRow> {
  return {
    key: 'errors',
    label: 'What is wrong',
    width: 380,
    grow: true,
    cell: (row) => (
      <>
        {row.repeats_id !== null && <UiLink href={hrefOf(row.line)}>{`Compare with bill ${row.repeats_id}`}</UiLink>}{' '}
        <span className={styles.wrong}>{wrongWords(row)}</span>
      </>
    ),
    tip: (row) => wrongWords(row) || undefined,
  }
}

/** Notes on rows that can be stored. */
function notesColumn(label: string): GridColumn<ImportRow> {
  return {
    key: 'notes',
    label,
    width: 260,
    cell: ({ notes }) => <span className={notes.length > 0 ? styles.noted : undefined}>{notes.join(' · ')}</span>,
    tip: ({ notes }) => notes.join(' · ') || undefined,
  }
}

/** The row's action on a part of its record, e.g. a service of its account. */
function partColumn(label: string): GridColumn<ImportRow> {
  return {
    key: 'part_action',
    label,
    width: 110,
    cell: (row) => (row.part_action === null ? <Missing word="none" /> : actionCell({ action: row.part_action })),
  }
}

function actionCell({ action }: Pick<ImportRow, 'action'>) {
  const { word, tone, shape } = actionWords[action]
  return (
    <StatusDot tone={tone} shape={shape}>
      {word}
    </StatusDot>
  )
}

/** Returns 'division_code: Did you mean D09? This record cannot be found'. */
function wrongWords({ errors }: ImportRow): string {
  return errors
    .map(({ column, message, suggestions }) => `${column === null ? '' : `${column}: `}${sentence(message, suggestions)}`)
    .join(' · ')
}

/** The suggestion comes first, so that a narrow cell cuts off the reason and not the remedy. */
function sentence(message: string, suggestions: readonly string[]): string {
  return suggestions.length === 0 ? message : `Did you mean ${suggestions.join(' or ')}? ${message}`
}

function Cell({ row, column }: { row: ImportRow; column: string }) {
  const text = row.cells[column] ?? ''
  const change = row.changes[column]
  if (row.errors.some((error) => error.column === column))
    return (
      <span className={styles.badCell}>
        {text === '' ? '(blank)' : text}
        <span className="sr-only">, wrong</span>
      </span>
    )
  if (!change) return <span className={row.action === 'create' ? undefined : styles.same}>{text}</span>
  return (
    <span>
      <del className={styles.old}>{change.from ?? '(empty)'}</del>
      <span aria-hidden="true"> → </span>
      <ins className={styles.new}>{change.to ?? '(empty)'}</ins>
    </span>
  )
}

function tipOf(row: ImportRow, column: string): string | undefined {
  const wrong = row.errors.filter((error) => error.column === column)
  if (wrong.length > 0) return wrong.map(({ message, suggestions }) => sentence(message, suggestions)).join(' · ')
  const change = row.changes[column]
  return change ? `${change.from ?? '(empty)'} → ${change.to ?? '(empty)'}` : undefined
}
