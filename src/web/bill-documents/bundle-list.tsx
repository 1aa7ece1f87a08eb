/** The repository: bundles of bill copies, each with the progress of its file. */
import { useEffect, useMemo, useState } from 'react'
import { billDocument, type BillDocument } from '#contract/bill-documents/bill-document.ts'
import { billDocumentCalls } from '#contract/bill-documents/bill-document-calls.ts'
import type { TaskProgress } from '#contract/notifications/notification.ts'
import { BillTabs } from '../bill-tabs/bill-tabs.tsx'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { onLiveProgress } from '../kernel/notices/live.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { refresh } from '../kernel/query.ts'
import { sizeText } from '../ui/fields/file-field.tsx'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import { useRequestErrors } from './use-request-errors.ts'

const question = 'Are you sure you want to delete this bill document repository? This action cannot be undone.'

export function BundleList() {
  const client_id = usePathId('client_id')
  const mayEdit = useCan('bill_document.update')
  const mayDelete = useCan('bill_document.destroy')
  const params = useMemo(() => ({ client_id }), [client_id])
  const told = useBundleProgress()
  const cells = useMemo(() => cellsWith(told), [told])
  useRequestErrors()
  return (
    <>
      <BillTabs clientId={client_id} />
      <ListPage
        entity={billDocument}
        calls={billDocumentCalls}
        params={params}
        columns={columns}
        cells={cells}
        title="Bill Document Repository"
        rowHref={mayEdit ? editHref : undefined}
        rowLabel={({ name }) => name}
        actions={mayEdit || mayDelete ? actions : undefined}
        addNew={{ href: `/clients/${client_id}/bills/bill_document_repository/new`, may: 'bill_document.create' }}
        empty={
          <EmptyState title="No bundles yet">
            A bundle gathers the copies of the bills that you choose, by dates, vendors, places and accounts, in one ZIP file for others to
            fetch.
          </EmptyState>
        }
      />
    </>
  )
}

const columns = [
  { key: 'name', width: 220 },
  { key: 'assignable_name', width: 140 },
  { key: 'user', width: 130, cell: userText },
  { key: 'created_at', width: 100 },
  { key: 'updated_at', width: 100 },
  { key: 'state', width: 180, tip: ({ error }: BillDocument) => error ?? undefined },
  { key: 'file_url', width: 168, grow: false },
] as const

/** Returns the progress of the files being written, by task. Finished ones are loaded again. */
function useBundleProgress(): ReadonlyMap<number, TaskProgress> {
  const [told, setTold] = useState<ReadonlyMap<number, TaskProgress>>(new Map())
  useEffect(
    () =>
      onLiveProgress((progress) => {
        if (progress.kind !== 'bill_documents') return
        setTold((known) => new Map(known).set(progress.task_id, progress))
        if (progress.state !== 'running' || progress.rows_done === 0) refresh('bill_documents')
      }),
    [],
  )
  return told
}

function cellsWith(told: ReadonlyMap<number, TaskProgress>) {
  return {
    state: (row: BillDocument) => stateOf(row, row.task_id === null ? undefined : told.get(row.task_id)),
    file_url: ({ file_url, name, byte_size }: BillDocument) =>
      file_url === null ? (
        <Missing word="no file yet" />
      ) : (
        <>
          <UiLink href={file_url}>
            Download<span className="sr-only"> {name}</span>
          </UiLink>
          {byte_size !== null && ` (${sizeText(byte_size)})`}
        </>
      ),
  }
}

function stateOf(row: BillDocument, progress: TaskProgress | undefined) {
  switch (row.state) {
    case 'waiting':
    case 'running': {
      const { rows_done: done, rows_total: total } = progress ?? row
      const words = total === null ? 'Starting' : `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} files`
      return (
        <StatusDot tone="info" shape="ring">
          {words}
        </StatusDot>
      )
    }
    case 'failed':
      return (
        <StatusDot tone="bad" shape="triangle">
          {row.error ?? 'Failed'}
        </StatusDot>
      )
    case 'done':
      return <StatusDot tone="ok">Ready</StatusDot>
  }
}

function userText({ user }: BillDocument) {
  const name = [user?.first_name, user?.last_name].filter(Boolean).join(' ')
  return name === '' ? <Missing /> : name
}

function actions(row: BillDocument) {
  return (
    <>
      <Can do="bill_document.update">
        <MenuItem href={editHref(row)}>Edit</MenuItem>
      </Can>
      <Can do="bill_document.destroy">
        <DeleteItem
          call={billDocumentCalls.destroy}
          params={{ client_id: row.client_id, id: row.id }}
          name={row.name}
          question={question}
        />
      </Can>
    </>
  )
}

function editHref({ client_id, id }: BillDocument): string {
  return `/clients/${client_id}/bills/bill_document_repository/${id}/edit`
}
