import { globalBatchFile, globalBatchFileCalls, type GlobalBatchFile } from '#contract/global-batches/global-batch-file.ts'
import type { ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { openFile } from '../kernel/open-file.ts'
import { useCan } from '../kernel/permissions.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { UiLink } from '../ui/link.tsx'
import { EmptyState } from '../ui/states.tsx'
import { StatusDot } from '../ui/status.tsx'

/** All payment files and accounting files, newest first; each downloads as it was first written. */
export function FileHistory() {
  const may = useCan('global_batch.update')
  return (
    <ListPage
      entity={globalBatchFile}
      calls={globalBatchFileCalls}
      title="Global Batch File History"
      columns={columns}
      rowLabel={(file) => file.file_name}
      actions={(file) => (
        <MenuItem disabledReason={may ? undefined : 'You may not download it'} onSelect={() => void openFile(file.batch_file_url)}>
          {downloadWords(file)}
        </MenuItem>
      )}
      headerActions={
        <>
          <ButtonLink href="/global_batch/releases">Releases</ButtonLink>
          <ButtonLink href="/global_batch/checks">Checks</ButtonLink>
          <ButtonLink href="/global_batch/advices">Remittance Advices</ButtonLink>
          <ButtonLink href="/global_batch/returns">Bank Returns</ButtonLink>
          <ButtonLink href="/global_batch/statements">Bank Statements</ButtonLink>
        </>
      }
      empty={
        <EmptyState title="No file yet">
          Each payment export, each accounting export, each positive pay export and each test file for a bank stands here.
        </EmptyState>
      }
    />
  )
}

/** 'Download again (1 time)' if it was downloaded before. */
function downloadWords({ downloads }: GlobalBatchFile): string {
  return downloads === 0 ? 'Download' : `Download again (${downloads} ${downloads === 1 ? 'time' : 'times'})`
}

const columns: readonly ColumnWish<GlobalBatchFile>[] = [
  { key: 'file_name', width: 260, grow: true, pinned: true },
  { key: 'created_at', label: 'Created Date', width: 110 },
  {
    key: 'created_time',
    label: 'Created Time',
    width: 108,
    sortable: false,
    cell: (file) => <NewYorkTime at={file.created_at} show="time" />,
  },
  { key: 'export_type', width: 150 },
  { key: 'batch_file_url', label: 'File', width: 90, cell: (file) => <UiLink href={file.batch_file_url}>Download</UiLink> },
  {
    key: 'is_test',
    width: 90,
    grow: false,
    filter: { kind: 'boolean', key: 'is_test', yes: 'Test', no: 'Real' },
    cell: ({ is_test }) => is_test && <StatusDot tone="warn">Test</StatusDot>,
  },
  { key: 'batch_count', width: 76 },
  { key: 'payment_count', width: 90 },
  { key: 'bill_count', width: 66 },
  { key: 'total', width: 116 },
  { key: 'bank_name', width: 130 },
  { key: 'layout_version', width: 150, sortable: false },
  { key: 'effective_date', width: 110 },
  { key: 'sha256', width: 110, cell: (file) => file.sha256.slice(0, 8), tip: (file) => file.sha256 },
  { key: 'created_by_name', width: 130 },
  { key: 'released_by_name', width: 130 },
  { key: 'first_payments', width: 200, tip: (file) => file.first_payments ?? undefined },
]
