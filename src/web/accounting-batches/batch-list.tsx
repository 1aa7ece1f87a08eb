import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { accountingBatch, accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import { batchGroupCalls } from '#contract/clients/batch-group.ts'
import { formatMonth } from '#contract/kernel/date.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import type { ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import styles from './accounting-batches.module.css'
import { batchHref, stateOf } from './batch-state.tsx'
import { exportBills } from './export-bills.ts'
import { generateUploadFile, whyNoUploadFile } from './generate-upload-file.ts'
import { startInvoicePdf, whyNoInvoice } from './start-invoice.ts'

/** The client batches of one client, newest first, below a line with the progress of the month. */
export function BatchList() {
  const clientId = usePathId('client_id')
  const mayEdit = useCan('accounting_batch.update')
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const { data: groups } = useQuery(apiQuery(batchGroupCalls.selectOptions, { params }))
  const columns = useMemo(() => columnsOf(groups?.batch_groups ?? []), [groups])
  return (
    <ListPage
      entity={accountingBatch}
      calls={accountingBatchCalls}
      params={params}
      columns={columns}
      cells={cells}
      rowHref={mayEdit ? (row) => batchHref(row, 'bills') : (row) => batchHref(row, 'ledger')}
      addNew={{ href: `/clients/${clientId}/accounting_batches/new`, may: 'accounting_batch.create' }}
      actions={actions}
      headerActions={<Month clientId={clientId} />}
      empty={<EmptyState title="No client batches yet">A client batch gathers bills for the client’s ledger and its invoice.</EmptyState>}
    />
  )
}

function columnsOf(groups: readonly { id: number; name: string }[]): readonly ColumnWish<AccountingBatch>[] {
  return [
    { key: 'batch_code', width: 150, pinned: true },
    { key: 'batch_date', width: 112, card: 'second' },
    {
      key: 'batch_group_name',
      width: 130,
      card: 'second',
      filter: { kind: 'choice', key: 'batch_group_id_in', options: groups.map(({ id, name }) => ({ value: String(id), label: name })) },
    },
    { key: 'closed', width: 104, card: 'badge', filter: { kind: 'boolean', key: 'closed' } },
    { key: 'invoiced', width: 92, filter: { kind: 'boolean', key: 'invoiced' } },
    { key: 'bills_total', width: 120, card: 'figure' },
    { key: 'bill_count', width: 80, card: 'second' },
    { key: 'line_item_count', width: 94, sortable: false },
    { key: 'upload_file_url', width: 130, sortable: false },
    { key: 'created_at', width: 116 },
  ]
}

const cells = {
  batch_date: (row: AccountingBatch) => (row.batch_date === null ? <Missing /> : <NewYorkTime at={row.batch_date} show="day" />),
  closed: (row: AccountingBatch) => (row.closed ? stateOf(row) : 'No'),
  upload_file_url: (row: AccountingBatch) =>
    row.generating_file ? (
      'Being written'
    ) : row.upload_file_url === null ? (
      <Missing />
    ) : (
      <UiLink href={batchHref(row, 'files')}>Files</UiLink>
    ),
} as const

/** 'November: 3 open, 2 closed, 1 invoiced · 412 of 431 bills batched · 19 waiting'. */
function Month({ clientId }: { clientId: number }) {
  const { data } = useQuery(apiQuery(accountingBatchCalls.month, { params: { client_id: clientId } }))
  if (!data) return null
  const { month, open, closed, invoiced, bills, batched, waiting } = data.month
  const figure = (count: number) => count.toLocaleString('en-US')
  return (
    <p className={`${styles.month} num`}>
      {`${formatMonth(month)}: ${figure(open)} open, ${figure(closed)} closed, ${figure(invoiced)} invoiced · ${figure(batched)} of ${figure(bills)} bills batched · ${figure(waiting)} waiting`}
    </p>
  )
}

function actions(row: AccountingBatch) {
  return (
    <>
      <Can do="accounting_batch.update">
        <MenuItem href={batchHref(row, 'bills')}>Bills</MenuItem>
        <MenuItem href={batchHref(row, 'edit')}>Edit</MenuItem>
      </Can>
      <MenuItem href={batchHref(row, 'ledger')}>Ledger</MenuItem>
      <MenuItem disabledReason={whyNoUploadFile(row)} onSelect={() => void generateUploadFile(row)}>
        Generate Upload File
      </MenuItem>
      <MenuItem disabledReason={whyNoInvoice(row)} onSelect={() => void startInvoicePdf(row)}>
        Invoice PDF
      </MenuItem>
      <MenuItem onSelect={() => void exportBills(row)}>Export bills</MenuItem>
      <Can do="accounting_batch.destroy">
        <DeleteItem
          call={accountingBatchCalls.destroy}
          params={{ client_id: row.client_id, id: row.id }}
          name={row.batch_code}
          disabledReason={row.has_been_closed ? 'It has been closed, so it is kept' : undefined}
        />
      </Can>
    </>
  )
}
