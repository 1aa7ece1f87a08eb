/** The rows of a file with their actions; a cell shows the current and the new value, or its error. */
import { useCallback, useMemo } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { importActions, importCalls, importKinds, type ImportAction, type ImportRow, type ImportSummary } from '#contract/imports/import.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { useGo, usePath, useSearchText, withSearch } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridColumn, GridStatus } from '../ui/grid/grid-types.ts'
import { Pager } from '../ui/grid/pager.tsx'
import { UiLink } from '../ui/link.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing, StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'
import styles from './imports.module.css'
import { RepeatedRow } from './repeated-row.tsx'
import { isWorking } from './use-import.ts'

const sizes = [50, 100, 1000]
const perDefault = 50

export function ImportRows({ summary }: { summary: ImportSummary }) {
  const { page, per, action, turn, repeats, hrefOf, close } = usePlace()
  const asked = useQuery({
    ...apiQuery(importCalls.rows, { params: { id: summary.id }, query: { page, per, ...(action ? { action } : {}) } }),
    placeholderData: keepPreviousData,
  })
  const columns = useMemo(() => columnsOf(summary, hrefOf), [summary, hrefOf])
  const rows = asked.data?.import_rows ?? []
  const repeated = rows.find((row) => row.line === repeats)
  return (
    <>
      <DataGrid
        label="Rows of the file"
        columns={columns}
        rows={rows}
        rowId={(row) => row.line}
        rowLabel={(row) => `line ${row.line} ${row.label}`}
        status={statusOf(asked)}
        total={asked.data?.total}
        empty={<Nothing summary={summary} filtered={action !== undefined} />}
        footer={
          <Pager
            page={page}
            per={per}
            total={asked.data?.total}
            rowsOnPage={rows.length}
            sizes={sizes}
            noun="rows"
            onPage={(next) => turn({ page: next })}
            onPer={(next) => turn({ per: next, page: undefined })}
          />
        }
      />
      {repeated && repeated.repeats_id !== null && (
        <RepeatedRow clientId={summary.client_id} row={repeated} billId={repeated.repeats_id} onClose={close} />
      )}
    </>
  )
}

/** Page, size, action and the row compared with its bill are in the address. */
function usePlace() {
  const search = useSearchText()
  const path = usePath()
  const go = useGo()
  const positive = (text: string | undefined, usual: number) => (/^[1-9]\d{0,6}$/.test(text ?? '') ? Number(text) : usual)
  const per = positive(search['per'], perDefault)
  return {
    page: positive(search['page'], 1),
    per: sizes.includes(per) ? per : perDefault,
    action: importActions.find((one) => one === search['action']),
    repeats: positive(search['repeats'], 0),
    turn: (to: { page?: number | undefined; per?: number }) => go(withSearch(path, { ...search, ...to }), { resetScroll: false }),
    hrefOf: useCallback((line: number) => withSearch(path, { ...search, repeats: line }), [path, search]),
    close: () => go(withSearch(path, { ...search, repeats: undefined }), { resetScroll: false }),
  }
}

function statusOf({
  isPending,
  isFetching,
  error,
  refetch,
}: {
  isPending: boolean
  isFetching: boolean
  error: Error | null
  refetch: () => unknown
}): GridStatus {
  if (error)
    return {
      kind: 'error',
      message: error.message,
      requestId: error instanceof ApiProblem ? error.requestId : undefined,
      onRetry: () => void refetch(),
    }
  return isPending ? { kind: 'loading' } : { kind: 'ready', refetching: isFetching }
}

function Nothing({ summary, filtered }: { summary: ImportSummary; filtered: boolean }) {
  if (isWorking(summary)) return <EmptyState title="The rows are still being read" />
  if (filtered) return <EmptyState title="No row does that" />
  if (summary.error !== null) return <EmptyState title="The rows were not checked">Nothing was stored. Import the file again.</EmptyState>
  return <EmptyState title="The file has no rows">Only its header was found, or it could not be read at all.</EmptyState>
}

const actionWords: Readonly<Record<ImportAction, { word: string; tone: Tone; shape?: StatusShape }>> = {
  create: { word: 'New', tone: 'ok' },
  update: { word: 'Changed', tone: 'info' },
  unchanged: { word: 'Unchanged', tone: 'grey', shape: 'ring' },
  refused: { word: 'Refused', tone: 'bad', shape: 'triangle' },
}

function columnsOf({ kind, headers, counts }: ImportSummary, hrefOf: (line: number) => string): readonly GridColumn<ImportRow>[] {
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
