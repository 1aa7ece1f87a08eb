import { useMemo, useState } from 'react'
import { previewRowsMax, reportCalls, type PreviewAsked, type Report, type ReportPreview } from '#contract/reports/generated-report.ts'
import { shownCell } from '#contract/reports/report-cell.ts'
import { missingChoice, type ReportColumn } from '#contract/reports/report-form.ts'
import { callWith } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridColumn } from '../ui/grid/grid-types.ts'
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
      {shown && <Rows preview={shown.preview} />}
    </section>
  )
}

type PreviewRow = { readonly place: number; readonly cells: readonly (string | null)[] }

function Rows({ preview }: { preview: ReportPreview }) {
  const { columns, row_count: count, control, remarks, filters, totals } = preview
  const rows = useMemo(() => preview.rows.map((cells, place): PreviewRow => ({ place, cells })), [preview])
  const shownColumns = useMemo(() => columns.map(gridColumn), [columns])
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

function gridColumn({ key, label, kind }: Pick<ReportColumn, 'key' | 'label' | 'kind'>, at: number): GridColumn<PreviewRow> {
  const isFigure = kind === 'integer' || kind === 'decimal' || kind === 'percent'
  return {
    key,
    label,
    kind: kind === 'money' ? 'money' : isFigure ? 'number' : kind === 'date' || kind === 'month' ? 'date' : 'text',
    width: kind === 'text' ? 140 : 112,
    cell: ({ cells }) => shownCell(kind, cells[at] ?? null),
  }
}

function figure(count: number): string {
  return count.toLocaleString('en-US')
}
