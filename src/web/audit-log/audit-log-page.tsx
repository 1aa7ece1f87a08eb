import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FilterX, FoldVertical, UnfoldVertical } from 'lucide-react'
import { auditLogCalls, auditVersion } from '#contract/audit-log/audit-log.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { connectionId } from '../kernel/connection.ts'
import { ExportStart } from '../kernel/lists/export-button.tsx'
import { apiQuery } from '../kernel/query.ts'
import { SettingsTabs } from '../settings/settings.ts'
import { Button } from '../ui/button.tsx'
import { Pager } from '../ui/grid/pager.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState, ErrorState, ForbiddenState, Skeleton } from '../ui/states.tsx'
import { AuditFilterFields } from './audit-filters.tsx'
import { useAuditLogState, type AuditLogState } from './audit-log-state.ts'
import { AuditTable } from './audit-table.tsx'
import styles from './audit-log.module.css'

const SIZES = [10, 20, 50, 100]
const none: ReadonlySet<number> = new Set()

/** The audit log: user, action and time of every change. */
export function AuditLogPage() {
  const state = useAuditLogState()
  const asked = useAuditLog(state)
  const [open, setOpen] = useState(none)
  const rows = asked.rows ?? []
  const all = rows.filter((row) => row.changes.length > 0)
  const allOpen = all.length > 0 && all.every((row) => open.has(row.id))
  return (
    <>
      <SettingsTabs />
      <section aria-label="Audit Log">
        <PageHeader
          title="Audit Log"
          count={asked.total?.toLocaleString('en-US')}
          actions={
            <>
              <Button
                onClick={() => setOpen(allOpen ? none : new Set(all.map((row) => row.id)))}
                disabledReason={all.length === 0 ? 'Nothing here has changed fields' : undefined}
                reasonHidden
              >
                {allOpen ? <FoldVertical size={14} aria-hidden="true" /> : <UnfoldVertical size={14} aria-hidden="true" />}
                {allOpen ? 'Hide Changes' : 'Show Changes'}
              </Button>
              <Button
                onClick={state.reset}
                disabledReason={Object.keys(state.texts).length === 0 ? 'No filter is set' : undefined}
                reasonHidden
              >
                <FilterX size={14} aria-hidden="true" />
                Reset Filters
              </Button>
              <ExportAuditLog state={state} />
            </>
          }
        />
        <AuditFilterFields state={state} />
        <Versions state={state} asked={asked} open={open} onOpen={setOpen} />
        {rows.length > 0 || state.page > 1 ? (
          <Pager
            page={state.page}
            per={state.per}
            total={asked.total}
            rowsOnPage={rows.length}
            sizes={SIZES}
            onPage={state.setPage}
            onPer={state.setPer}
            noun="versions"
          />
        ) : null}
      </section>
    </>
  )
}

type Asked = ReturnType<typeof useAuditLog>

/** Rows are cheap and their count is not, so they are requested separately. The previous rows stay while others load. */
function useAuditLog({ filters, page, per }: AuditLogState) {
  const rows = useQuery({
    ...apiQuery(auditLogCalls.list, { query: { ...filters, page, per, with_total: 'false' } }),
    placeholderData: keepPreviousData,
  })
  const count = useQuery(apiQuery(auditLogCalls.list, { query: { ...filters, with_rows: 'false' } }))
  return {
    rows: rows.data?.audit_log,
    total: count.data?.total,
    error: rows.error,
    waiting: rows.isPlaceholderData,
    retry: () => void rows.refetch(),
  }
}

interface VersionsProps {
  readonly state: AuditLogState
  readonly asked: Asked
  readonly open: ReadonlySet<number>
  readonly onOpen: (open: ReadonlySet<number>) => void
}

function Versions({ state, asked, open, onOpen }: VersionsProps) {
  const { rows, error } = asked
  if (error instanceof ApiProblem && error.forbidden) return <ForbiddenState what="the audit log" />
  if (error && !rows) return <ErrorState title="The audit log could not be loaded" message={error.message} onRetry={asked.retry} />
  if (!rows) return <Waiting />
  if (rows.length > 0) return <AuditTable rows={rows} stale={asked.waiting} open={open} onOpen={onOpen} />
  if (Object.keys(state.texts).length === 0) return <EmptyState title="Nothing has been written down yet" />
  return (
    <EmptyState title="Nothing fits these filters" actions={<Button onClick={state.reset}>Reset Filters</Button>}>
      Take one of them away, or widen the dates.
    </EmptyState>
  )
}

function Waiting() {
  return (
    <div className={styles.waiting} aria-busy="true">
      {['a', 'b', 'c', 'd', 'e'].map((key) => (
        <Skeleton key={key} height={20} />
      ))}
    </div>
  )
}

/** Starts the export; the file arrives over the live channel in this window. */
function ExportAuditLog({ state }: { state: AuditLogState }) {
  const start = () => callApi(auditLogCalls.exportCsv, { query: { ...state.filters, f: 'b', connection_id: connectionId } })
  return <ExportStart labels={auditVersion.labels} start={start} />
}
