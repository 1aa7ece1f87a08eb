/** The records of one bulk change: its effect on each, and which of them prevent an undo. */
import { useMemo, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { bulkKindNames, bulkKinds, type BulkChange, type BulkDoneRow } from '#contract/bulk-changes/bulk-change.ts'
import { bulkChangeCalls } from '#contract/bulk-changes/bulk-change-calls.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { Pager } from '../ui/grid/pager.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import styles from './bulk-changes.module.css'
import { detailText } from './bulk-columns.tsx'
import { ChangeCell, changeWords } from './change-cell.tsx'

const sizes = [50, 200, 1000]
const width = 900

export function ChangeRows({ clientId, row, onClose }: { clientId: number; row: BulkChange; onClose: () => void }) {
  const [{ page, per }, turn] = useState({ page: 1, per: 50 })
  const columns = useMemo(() => columnsOf(row), [row])
  const asked = useQuery({
    ...apiQuery(bulkChangeCalls.rows, { params: { client_id: clientId, id: row.id }, query: { page, per } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return (
    <Modal open drawer width={width} title="Changed records" onClose={onClose}>
      <div className={styles.panel}>
        <RecordGate asked={asked}>
          {({ bulk_rows, total }) => (
            <DataGrid
              label="Changed records"
              columns={columns}
              rows={bulk_rows}
              rowId={(one) => one.id}
              rowLabel={(one) => one.title ?? `record ${one.id}`}
              status={{ kind: 'ready', refetching: asked.isFetching }}
              total={total}
              empty="None of these records is within what you may see."
              footer={
                <Pager
                  page={page}
                  per={per}
                  total={total}
                  rowsOnPage={bulk_rows.length}
                  sizes={sizes}
                  noun="records"
                  onPage={(next) => turn({ page: next, per })}
                  onPer={(next) => turn({ page: 1, per: next })}
                />
              }
            />
          )}
        </RecordGate>
      </div>
    </Modal>
  )
}

const wayWords = { changed: 'Changed since', deleted: 'Deleted since' } as const

function columnsOf({ changed, undone_at, kind }: BulkChange): readonly GridColumn<BulkDoneRow>[] {
  const { columns } = bulkKinds[bulkKindNames.find((name) => name === kind) ?? 'billable_account']
  return [
    { key: 'title', label: columns.title, width: 150, pinned: true, cell: (row) => row.title ?? <Missing word="deleted" /> },
    {
      key: 'detail',
      label: columns.detail,
      width: 180,
      cell: (row) => (row.detail === null ? <Missing word="deleted" /> : detailText(row.detail)),
    },
    ...(undone_at === null ? [{ key: 'in_the_way', label: 'Since then', width: 140, grow: false, cell: wayCell }] : []),
    ...changed.map(({ key, label }): GridColumn<BulkDoneRow> => ({
      key: `change_${key}`,
      label,
      width: 220,
      cell: (row) => <ChangeCell change={row.changes[key]} />,
      tip: (row) => changeWords(row.changes[key]),
    })),
  ]
}

function wayCell({ in_the_way: way }: BulkDoneRow) {
  if (way === null) return <Missing word="nothing" />
  return (
    <StatusDot tone="warn" shape="triangle">
      {wayWords[way]}
    </StatusDot>
  )
}
