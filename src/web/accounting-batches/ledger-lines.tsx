/** The lines behind one ledger account of a batch: each opens its bill. */
import { useQuery } from '@tanstack/react-query'
import { accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import type { BatchLedgerRow } from '#contract/accounting-batches/batch-contents.ts'
import { batchLinesMax, type BatchLine } from '#contract/accounting-batches/booked-line.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { useGo } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { UiLink } from '../ui/link.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import styles from './accounting-batches.module.css'

interface LedgerLinesProps {
  readonly batch: Pick<AccountingBatch, 'client_id' | 'id'>
  readonly row: Pick<BatchLedgerRow, 'kind' | 'ledger_account_id'>
  readonly name: string
}

export function LedgerLines({ batch, row, name }: LedgerLinesProps) {
  const params = { client_id: batch.client_id, id: batch.id }
  const ledger_account_id = row.ledger_account_id === null ? undefined : String(row.ledger_account_id)
  const asked = useQuery(apiQuery(accountingBatchCalls.ledgerLines, { params, query: { kind: row.kind, ledger_account_id } }))
  return (
    <section aria-label={`Lines of ${name}`}>
      <h2 className={styles.uncodedTitle}>{`Lines of ${name}`}</h2>
      <RecordGate asked={asked}>
        {({ lines, line_count }) => (
          <>
            {line_count > lines.length && (
              <p className={styles.reason}>{`The first ${figure(batchLinesMax)} of ${figure(line_count)} lines.`}</p>
            )}
            <Lines clientId={batch.client_id} lines={lines} />
          </>
        )}
      </RecordGate>
    </section>
  )
}

const figure = (count: number) => count.toLocaleString('en-US')

function Lines({ clientId, lines }: { clientId: number; lines: readonly BatchLine[] }) {
  const go = useGo()
  const hrefOf = ({ bill_id }: BatchLine) => `/clients/${clientId}/bills/${bill_id}`
  const rows = lines.map((line, place) => ({ ...line, place }))
  const columns: readonly GridColumn<BatchLine & { readonly place: number }>[] = [
    {
      key: 'bill_date',
      label: 'Bill Date',
      kind: 'date',
      width: 98,
      cell: (line) => <UiLink href={hrefOf(line)}>{formatDate(line.bill_date)}</UiLink>,
    },
    { key: 'vendor_name', label: 'Vendor', width: 150, cell: (line) => line.vendor_name ?? <Missing /> },
    { key: 'account_number', label: 'Account', width: 130, cell: (line) => line.account_number },
    { key: 'description', label: 'Description', width: 260, grow: true, cell: (line) => line.description },
    { key: 'amount', label: 'Amount', kind: 'money', width: 130, cell: (line) => formatMoney(line.amount) },
  ]
  return (
    <DataGrid
      label="Ledger lines"
      columns={columns}
      rows={rows}
      rowId={(line) => line.place}
      rowLabel={(line) => `${line.account_number} ${formatDate(line.bill_date)} ${formatMoney(line.amount)}`}
      status={{ kind: 'ready' }}
      total={rows.length}
      onOpen={(line) => go(hrefOf(line))}
      empty={<EmptyState title="No lines">The bills of the batch have changed meanwhile.</EmptyState>}
    />
  )
}
