import type { ReactNode } from 'react'
import type { AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import type { BatchFile } from '#contract/accounting-batches/batch-contents.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { openFile } from '../kernel/open-file.ts'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { MenuItem } from '../ui/menu.tsx'
import { Missing } from '../ui/status.tsx'

export interface BatchVersionsProps {
  readonly batch: Pick<AccountingBatch, 'client_id' | 'id'>
  readonly label: string
  readonly files: readonly BatchFile[]
  readonly totalLabel: string
  readonly rowsLabel: string
  /** Columns of only one kind of file, placed after the creator. */
  readonly more?: readonly GridColumn<BatchFile>[] | undefined
  readonly empty: ReactNode
}

/** The versions of a batch's file, newest first; each downloads as it was written. */
export function BatchVersions({ batch, label, files, totalLabel, rowsLabel, more = [], empty }: BatchVersionsProps) {
  const columns: readonly GridColumn<BatchFile>[] = [
    { key: 'version', label: 'Version', kind: 'number', width: 84, cell: (file) => String(file.version) },
    { key: 'filename', label: 'File', width: 240, grow: true, cell: (file) => file.filename },
    { key: 'created_at', label: 'Made', width: 164, cell: (file) => <NewYorkTime at={file.created_at} /> },
    { key: 'created_by', label: 'By', width: 140, cell: (file) => file.created_by ?? '' },
    ...more,
    { key: 'row_count', label: rowsLabel, kind: 'number', width: 84, cell: (file) => file.row_count.toLocaleString('en-US') },
    { key: 'total', label: totalLabel, kind: 'money', width: 136, cell: (file) => formatMoney(file.total) },
    {
      key: 'bills_total',
      label: 'Bills Total',
      kind: 'money',
      width: 120,
      cell: (file) => (file.bills_total === null ? <Missing word="not kept" /> : formatMoney(file.bills_total)),
    },
    {
      key: 'read_at',
      label: 'State Of',
      width: 164,
      cell: (file) => (file.read_at === null ? <Missing word="not kept" /> : <NewYorkTime at={file.read_at} />),
    },
    { key: 'sha256', label: 'SHA-256', width: 104, tip: (file) => file.sha256, cell: (file) => file.sha256.slice(0, HASH_SHOWN) },
  ]
  const download = (file: BatchFile) => void openFile(`/api/v5/clients/${batch.client_id}/accounting_batches/${batch.id}/files/${file.id}`)
  return (
    <DataGrid
      label={label}
      columns={columns}
      rows={files}
      rowId={(file) => file.id}
      rowLabel={(file) => file.filename}
      status={{ kind: 'ready' }}
      total={files.length}
      rowActions={(file) => <MenuItem onSelect={() => download(file)}>Download</MenuItem>}
      onOpen={download}
      empty={empty}
    />
  )
}

const HASH_SHOWN = 8
