import { useMemo, useState, type ReactNode } from 'react'
import type { FigureBills } from '#contract/reports/figure-bills.ts'
import { previewRowsMax, reportCalls, type PreviewAsked, type Report, type ReportPreview } from '#contract/reports/generated-report.ts'
import { shownCell } from '#contract/reports/report-cell.ts'
import { missingChoice, type ReportColumn } from '#contract/reports/report-form.ts'
import { callWith } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { withSearch } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { Button } from '../ui/button.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { UiLink } from '../ui/link.tsx'
import { EmptyState } from '../ui/states.tsx'
import styles from './reports.module.css'

type PaneProps = { clientId: number; report: Report; asked: PreviewAsked }

/** The first rows and the sums for the current choices, computed like the files. */
export function ReportPreviewPane({ clientId, report, asked }: PaneProps) {
  const attempt = useAttempt()
  const [shown, setShown] = useState<{ of: string; preview: ReportPreview } | null>(null)
  const now = JSON.stringify(asked)
  const missing = missingChoice(report, asked.form_data)
  const look = async () => {
    const params = { client_id: clientId, id: report.id }
    const preview = await attempt.run(() => callWith(reportCalls.preview, { params, body: asked }))
    if (preview) setShown({ of: now, preview })
  }
  return (
    <section className={styles.preview} aria-label="Preview">
      <div className={styles.previewHead}>
        <h2 className={styles.cardTitle}>Preview</h2>
        <Button busy={attempt.busy} disabled={missing !== null} onClick={() => void look()}>
          {shown ? 'Preview again' : 'Preview'}
        </Button>
        {shown && shown.of !== now && <span className={styles.quiet}>The choices have changed since</span>}
        <FailedAttempt attempt={attempt} again={() => void look()} what="No preview" />
      </div>
      {missing && <p className={styles.quiet}>{missing.message}</p>}
      {!missing && !shown && <p className={styles.quiet}>The first {previewRowsMax} rows and the totals, before anything is made.</p>}
      {shown && <Rows preview={shown.preview} clientId={clientId} report={report} ofAll={asked.form_data.all_clients} />}
    </section>
  )
}

type PreviewRow = { readonly place: number; readonly cells: readonly (string | null)[]; readonly behind: ReportPreview['behind'][number] }

function Rows({ preview, clientId, report, ofAll }: { preview: ReportPreview; clientId: number; report: Report; ofAll: boolean }) {
  const { columns, row_count: count, control, remarks, filters, totals } = preview
  const rows = useMemo(
    () => preview.rows.map((cells, place): PreviewRow => ({ place, cells, behind: preview.behind[place] ?? [] })),
    [preview],
  )
  const reads = useCan('bill.read')
  const shownColumns = useMemo(() => {
    const way: WayToBills | null = reads
      ? { of: report.name, hrefOfBill: (id) => (ofAll ? `/bills?id=${id}` : `/clients/${clientId}/bills/${id}`) }
      : null
    return columns.map((column, at) => gridColumn(column, at, way))
  }, [columns, reads, report.name, ofAll, clientId])
  const sums = columns.flatMap(({ key, kind }, at) => {
    const sum = totals[at] ?? null
    return sum === null ? [] : [[key, shownCell(kind, sum)] as const]
  })
  return (
    <>
      <p className={`${styles.quiet} num`}>
        {rows.length < count ? `The first ${rows.length} of ${figure(count)} rows` : `${figure(count)} ${count === 1 ? 'row' : 'rows'}`}
        {control &&
          ` · ${figure(control.bill_count)} ${control.bill_count === 1 ? 'bill' : 'bills'}, amount due ${shownCell('money', control.amount_due)}, current charges ${shownCell('money', control.current_charges)}`}
        {control && preview.control_bills && reads && ' · '}
        {control && preview.control_bills && reads && (
          <BesideLink href={billsHref({ client_id: clientId, filters: preview.control_bills }, { of: report.name })}>
            See these bills
          </BesideLink>
        )}
      </p>
      {filters.length > 0 && <p className={styles.quiet}>{filters.map(({ label, text }) => `${label}: ${text}`).join(' · ')}</p>}
      {remarks.map((remark) => (
        <p key={remark} className={styles.quiet}>
          {remark}
        </p>
      ))}
      <DataGrid
        label="Preview of the report"
        columns={shownColumns}
        rows={rows}
        rowId={(row) => row.place}
        rowLabel={(row) => `Row ${row.place + 1}`}
        status={{ kind: 'ready' }}
        total={count}
        totals={sums.length > 0 && rows.length > 0 ? [{ label: 'Total', values: Object.fromEntries(sums) }] : undefined}
        empty={<EmptyState title="No rows">Nothing fits these choices.</EmptyState>}
      />
    </>
  )
}

interface WayToBills {
  /** The name of the report, as the list of bills shows it. */
  readonly of: string
  readonly hrefOfBill: (id: string) => string
}

function gridColumn(column: Pick<ReportColumn, 'key' | 'label' | 'kind'>, at: number, way: WayToBills | null): GridColumn<PreviewRow> {
  const { key, label, kind } = column
  const isFigure = kind === 'integer' || kind === 'decimal' || kind === 'percent'
  return {
    key,
    label,
    kind: kind === 'money' ? 'money' : isFigure ? 'number' : kind === 'date' || kind === 'month' ? 'date' : 'text',
    width: kind === 'text' ? 140 : 112,
    cell: (row) => {
      const text = shownCell(kind, row.cells[at] ?? null)
      const href = way && hrefBehind(row, column, at, way)
      return href === null ? text : <BesideLink href={href}>{text}</BesideLink>
    },
  }
}

/** A line of a bill leads to its bill; a figure leads to the list of the bills that come to it. */
function hrefBehind({ cells, behind }: PreviewRow, { key }: Pick<ReportColumn, 'key'>, at: number, way: WayToBills): string | null {
  const value = cells[at] ?? null
  if (value === null || /^-?0*(\.0*)?$/.test(value)) return null
  if (key === 'bill_id') return way.hrefOfBill(value)
  const found = behind.find(({ column }) => column === key)
  return found ? billsHref(found, way) : null
}

function billsHref({ client_id, filters }: Pick<FigureBills, 'client_id' | 'filters'>, { of }: Pick<WayToBills, 'of'>): string {
  return withSearch(`/clients/${client_id}/bills`, { ...filters, of })
}

/** Opens another window: the form keeps its choices, and its preview stays beside the bills. */
function BesideLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <UiLink href={href} target="_blank" rel="noopener">
      {children}
    </UiLink>
  )
}

function figure(count: number): string {
  return count.toLocaleString('en-US')
}
