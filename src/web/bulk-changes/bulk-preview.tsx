/** The effect of a bulk change on each record: its current and its new value, or why it is left out. */
import { useMemo, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BulkAction, BulkKindName, BulkReply } from '#contract/bulk-changes/bulk-change.ts'
import { bulkChangeCalls } from '#contract/bulk-changes/bulk-change-calls.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import type { Chosen } from '../kernel/lists/list-selection.ts'
import { useDebounced } from '../kernel/use-debounced.ts'
import { Button } from '../ui/button.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridStatus } from '../ui/grid/grid-types.ts'
import { Pager } from '../ui/grid/pager.tsx'
import { EmptyState } from '../ui/states.tsx'
import { StatusDot } from '../ui/status.tsx'
import styles from './bulk-changes.module.css'
import type { BulkDraft } from './bulk-fields.tsx'
import { bodyOf } from './rows-meant.ts'
import { columnsOf } from './bulk-columns.tsx'

const sizes = [50, 200, 1000]
const perDefault = 50
/** Pause (ms) after the last key before the server is asked, because choosing a field takes several keys. */
const PAUSE_MS = 250

export interface PreviewAsked {
  readonly kind: BulkKindName
  readonly clientId: number
  readonly which: Chosen['which']
  readonly changes: BulkDraft
}

/** Requests the effect of a change from the server. The answer is not cached, because it is valid only for a moment. */
export function useBulkPreview({ kind, clientId, which, changes }: PreviewAsked) {
  const [place, setPlace] = useState<{ page: number; per: number; action: BulkAction | undefined }>({
    page: 1,
    per: perDefault,
    action: undefined,
  })
  const settled = useDebounced(changes, PAUSE_MS)
  const isSettled = settled === changes
  const isAsked = Object.keys(settled).length > 0
  const { page, per, action } = place
  const asked = useQuery({
    queryKey: ['bulk_preview', kind, clientId, which, settled, page, per, action],
    queryFn: ({ signal }) =>
      callApi(bulkChangeCalls[kind], {
        params: { client_id: clientId },
        body: { ...bodyOf(which), changes: settled, dry_run: true, page, per, ...(action ? { action } : {}) },
        signal,
      }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  const { error, data, isPlaceholderData, refetch } = asked
  return {
    ...place,
    turn: (to: Partial<typeof place>) => setPlace({ ...place, page: 1, ...to }),
    isAsked: Object.keys(changes).length > 0,
    shown: isAsked ? data : undefined,
    /** The effect that the button would have; only an answer to exactly these changes. */
    reply: isAsked && isSettled && !error && !isPlaceholderData ? data : undefined,
    error: isAsked ? error : null,
    fields: isAsked && error instanceof ApiProblem ? error.fields : {},
    status: statusOf(asked),
    again: () => void refetch(),
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
  if (error) {
    const requestId = error instanceof ApiProblem ? error.requestId : undefined
    return { kind: 'error', message: error.message, requestId, onRetry: () => void refetch() }
  }
  return isPending ? { kind: 'loading' } : { kind: 'ready', refetching: isFetching }
}

type Preview = ReturnType<typeof useBulkPreview>

export function BulkPreview({ kind, preview, changes }: { kind: BulkKindName; preview: Preview; changes: BulkDraft }) {
  const { shown, page, per, turn, status } = preview
  const rows = status.kind === 'error' ? [] : (shown?.bulk_rows ?? [])
  const isSaid = shown !== undefined && shown.counts.refused + shown.counts.warned > 0
  const columns = useMemo(() => columnsOf(kind, changes, isSaid), [kind, changes, isSaid])
  if (!preview.isAsked)
    return <EmptyState title="Choose fields to change">What it would do to each record is shown here before anything happens.</EmptyState>
  return (
    <section aria-label="Preview" className={styles.preview}>
      {shown && status.kind !== 'error' && <Counts reply={shown} action={preview.action} onChoose={(action) => turn({ action })} />}
      <DataGrid
        label="What would change"
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        rowLabel={(row) => `${row.title} ${row.detail}`}
        status={status}
        total={shown?.total}
        empty={<EmptyState title="No record is like that" />}
        footer={
          <Pager
            page={page}
            per={per}
            total={shown?.total}
            rowsOnPage={rows.length}
            sizes={sizes}
            noun="records"
            onPage={(next) => turn({ page: next })}
            onPer={(next) => turn({ per: next })}
          />
        }
      />
    </section>
  )
}

const figure = (count: number) => count.toLocaleString('en-US')

/** The numbers of records that would be changed, kept or rejected; each filters the list. */
function Counts({
  reply: { counts },
  action,
  onChoose,
}: {
  reply: BulkReply
  action: BulkAction | undefined
  onChoose: (action: BulkAction | undefined) => void
}) {
  const parts: readonly { action: BulkAction | undefined; count: number; words: string }[] = [
    { action: undefined, count: counts.selected, words: 'selected' },
    { action: 'change', count: counts.change, words: 'would change' },
    { action: 'unchanged', count: counts.unchanged, words: 'stay as they are' },
    { action: 'refused', count: counts.refused, words: 'refused' },
  ]
  return (
    <div className={styles.counts} role="group" aria-label="Rows that are shown">
      {parts.map((part) => (
        <Button
          key={part.words}
          small
          kind="quiet"
          aria-pressed={action === part.action}
          disabled={part.count === 0 && action !== part.action}
          onClick={() => onChoose(part.action)}
        >
          <span className="num">
            {figure(part.count)} {part.words}
          </span>
        </Button>
      ))}
      {counts.warned > 0 && <StatusDot tone="warn" shape="triangle">{`${figure(counts.warned)} with a warning`}</StatusDot>}
      <span className="sr-only" role="status">
        {`${figure(counts.change)} of ${figure(counts.selected)} would change, ${figure(counts.refused)} refused`}
      </span>
    </div>
  )
}
