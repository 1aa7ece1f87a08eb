/** The generated reports with their files. A file that becomes ready appears without a reload. */
import { useEffect, useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  generatedReport,
  generatedReportCalls,
  reportCalls,
  reportDeletedMessage,
  reportDeletedTitle,
  reportDeleteFailedTitle,
  type GeneratedReport,
} from '#contract/reports/generated-report.ts'
import { callWith } from '../kernel/api.ts'
import { removeRow } from '../kernel/lists/list-rows.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { seconds } from '../kernel/notices/messages.ts'
import { onLiveProgress } from '../kernel/notices/live.ts'
import { problemWords } from '../kernel/notices/notices.ts'
import { Can, useCan } from '../kernel/permissions.tsx'
import { apiQuery, refresh } from '../kernel/query.ts'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import { dashboardHref, editReportHref } from './report-addresses.ts'
import { ReportTabs } from './report-tabs.tsx'
import styles from './reports.module.css'

export function GeneratedReportList() {
  const client_id = usePathId('client_id')
  const mayEdit = useCan('generated_report.update')
  const mayDelete = useCan('generated_report.destroy')
  const params = useMemo(() => ({ client_id }), [client_id])
  const { data } = useQuery(apiQuery(reportCalls.list, { params }))
  const columns = useMemo(() => columnsOf(data?.reports ?? []), [data])
  useReportsInWork()
  return (
    <>
      <ReportTabs clientId={client_id} current="generated" />
      <ListPage
        entity={generatedReport}
        calls={generatedReportCalls}
        params={params}
        columns={columns}
        cells={cells}
        rowHref={mayEdit ? editReportHref : undefined}
        rowLabel={nameOf}
        actions={mayEdit || mayDelete ? actions : undefined}
        empty={
          <EmptyState title="No reports were made yet" actions={<UiLink href={dashboardHref(client_id)}>Reports Dashboard</UiLink>}>
            Choose a report on the dashboard. Its files appear here when they are ready.
          </EmptyState>
        }
      />
    </>
  )
}

function columnsOf(reports: readonly { id: number; name: string }[]) {
  return [
    { key: 'name', width: 210 },
    {
      key: 'report',
      width: 160,
      filter: {
        kind: 'choice' as const,
        key: 'report_id_in',
        options: reports.map(({ id, name }) => ({ value: String(id), label: name })),
      },
    },
    { key: 'assignable_name', width: 130 },
    { key: 'user', width: 120, cell: userText },
    { key: 'created_at', width: 120 },
    { key: 'updated_at', width: 120 },
    { key: 'state', width: 140, tip: ({ error }: GeneratedReport) => error ?? undefined, sortable: true },
    { key: 'file_url', width: 150, grow: false },
  ]
}

/** The end of the task is reported by a message, which reloads the list; its start is reported by progress. */
function useReportsInWork(): void {
  useEffect(
    () =>
      onLiveProgress((progress) => {
        if (progress.kind === 'generated_report' && (progress.state !== 'running' || progress.rows_done === 0)) refresh('generated_reports')
      }),
    [],
  )
}

const cells = {
  name: nameOf,
  created_at: ({ created_at }: GeneratedReport) => <NewYorkTime at={created_at} show="near" />,
  updated_at: ({ updated_at }: GeneratedReport) => <NewYorkTime at={updated_at} show="near" />,
  state: stateOf,
  file_url: filesOf,
}

/** A report without its own name gets that of its kind. */
function nameOf({ name, report }: GeneratedReport): string {
  return name ?? report
}

function filesOf(row: GeneratedReport) {
  const { file_url, extra_file_url, workbook_url, filename, extra_filename, workbook_filename } = row
  if (file_url === null) return <Missing word="no file yet" />
  const files = [
    { href: file_url, name: filename },
    { href: extra_file_url, name: extra_filename },
    { href: workbook_url, name: workbook_filename },
  ]
  return files.flatMap(({ href, name }) => (href === null ? [] : [<FileLink key={href} href={href} filename={name} of={row} />]))
}

function FileLink({ href, filename, of }: { href: string; filename: string | null; of: GeneratedReport }) {
  return (
    <UiLink href={href} className={styles.file}>
      <span className="sr-only">Download {nameOf(of)} as </span>
      {filename?.split('.').at(-1)?.toUpperCase() ?? 'File'}
    </UiLink>
  )
}

function stateOf({ state, error }: GeneratedReport) {
  switch (state) {
    case 'waiting':
    case 'running':
      return (
        <StatusDot tone="info" shape="ring">
          {state === 'waiting' ? 'Waiting' : 'Working'}
        </StatusDot>
      )
    case 'failed':
      return (
        <StatusDot tone="bad" shape="triangle">
          {error ?? 'Failed'}
        </StatusDot>
      )
    case 'done':
      return <StatusDot tone="ok">Ready</StatusDot>
  }
}

function userText({ user }: GeneratedReport) {
  const name = [user?.first_name, user?.last_name].filter(Boolean).join(' ')
  return name === '' ? <Missing /> : name
}

function actions(row: GeneratedReport) {
  return (
    <>
      <Can do="generated_report.update">
        <MenuItem href={editReportHref(row)}>Edit</MenuItem>
      </Can>
      <Can do="generated_report.destroy">
        <MenuItem danger onSelect={() => void deleteReport(row)}>
          Delete
        </MenuItem>
      </Can>
    </>
  )
}

async function deleteReport(row: GeneratedReport): Promise<void> {
  const message = 'Are you sure you want to delete this report? This action cannot be undone.'
  if (!(await confirm({ message, consequence: nameOf(row), confirmLabel: 'Delete', danger: true }))) return
  try {
    await callWith(generatedReportCalls.destroy, { params: { client_id: row.client_id, id: row.id } })
    notify({ kind: 'success', title: reportDeletedTitle, message: reportDeletedMessage, duration: seconds.usual })
    removeRow('generated_reports', row.id)
  } catch (error) {
    const { title, message: reason = title } = problemWords(error)
    notify({ kind: 'error', title: reportDeleteFailedTitle, message: reason, duration: seconds.usual })
  }
}
