import { useQuery } from '@tanstack/react-query'
import { accountingBatchCalls, type AccountingBatch, type BatchFile } from '#contract/accounting-batches/accounting-batch.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { batchStyles } from '../batches/batches.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { openFile } from '../kernel/open-file.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { BatchHead } from './batch-head.tsx'
import { generateUploadFile, whyNoUploadFile } from './generate-upload-file.ts'

export function BatchFiles() {
  const params = { client_id: usePathId('client_id'), id: usePathId('accounting_batch_id') }
  const asked = useQuery(apiQuery(accountingBatchCalls.get, { params }))
  const files = useQuery(apiQuery(accountingBatchCalls.files, { params }))
  const both = asked.data && files.data ? { batch: asked.data.accounting_batch, files: files.data.files } : undefined
  const retry = () => {
    void asked.refetch()
    void files.refetch()
  }
  return (
    <RecordGate asked={{ data: both, error: asked.error ?? files.error, refetch: retry }}>
      {(found) => <Files batch={found.batch} files={found.files} />}
    </RecordGate>
  )
}

/** Each version of the upload file, with what was read back from it. */
function Files({ batch, files }: { batch: AccountingBatch; files: readonly BatchFile[] }) {
  return (
    <section className={batchStyles.page} aria-label="Files of the batch">
      <BatchHead batch={batch} tab="files" />
      <div className={batchStyles.bar}>
        <p className={batchStyles.chosen}>
          A version is kept as it was written. Its rows and sums are read back from the file; debits and credits are equal.
        </p>
        <Button busy={batch.generating_file} disabledReason={whyNoUploadFile(batch)} onClick={() => void generateUploadFile(batch)}>
          Generate Upload File
        </Button>
      </div>
      <DataGrid
        label="Upload files"
        columns={columns}
        rows={files}
        rowId={(file) => file.id}
        rowLabel={(file) => file.filename}
        status={{ kind: 'ready' }}
        total={files.length}
        rowActions={(file) => <MenuItem onSelect={() => void download(batch, file.version)}>Download</MenuItem>}
        onOpen={(file) => void download(batch, file.version)}
        empty={
          <EmptyState title="No upload file yet">
            The upload file holds a row for each ledger line, for the client’s ledger to load.
          </EmptyState>
        }
      />
    </section>
  )
}

function download({ client_id, id }: AccountingBatch, version: number): Promise<unknown> {
  return openFile(`/api/v5/clients/${client_id}/accounting_batches/${id}/upload_file?version=${version}`)
}

const HASH_SHOWN = 8

const columns: readonly GridColumn<BatchFile>[] = [
  { key: 'version', label: 'Version', kind: 'number', width: 90, cell: (file) => String(file.version) },
  { key: 'filename', label: 'File', width: 280, grow: true, cell: (file) => file.filename },
  { key: 'created_at', label: 'Made', width: 170, cell: (file) => <NewYorkTime at={file.created_at} /> },
  { key: 'created_by', label: 'By', width: 160, cell: (file) => file.created_by ?? '' },
  { key: 'row_count', label: 'Lines', kind: 'number', width: 90, cell: (file) => file.row_count.toLocaleString('en-US') },
  { key: 'total', label: 'Debits = Credits', kind: 'money', width: 140, cell: (file) => formatMoney(file.total) },
  { key: 'sha256', label: 'SHA-256', width: 110, tip: (file) => file.sha256, cell: (file) => file.sha256.slice(0, HASH_SHOWN) },
]
