import { useQuery } from '@tanstack/react-query'
import { accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import type { BatchFile } from '#contract/accounting-batches/batch-contents.ts'
import type { Invoice } from '#contract/accounting-batches/invoice.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { batchStyles } from '../batches/batches.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import styles from './accounting-batches.module.css'
import { BatchHead } from './batch-head.tsx'
import { BatchVersions } from './batch-versions.tsx'
import { startInvoiceCsv, startInvoicePdf, whyNoInvoice } from './start-invoice.ts'

export function BatchInvoice() {
  const params = { client_id: usePathId('client_id'), id: usePathId('accounting_batch_id') }
  const asked = useQuery(apiQuery(accountingBatchCalls.get, { params }))
  const invoice = useQuery(apiQuery(accountingBatchCalls.invoice, { params }))
  const files = useQuery(apiQuery(accountingBatchCalls.files, { params }))
  const all =
    asked.data && invoice.data && files.data
      ? { batch: asked.data.accounting_batch, invoice: invoice.data.invoice, files: files.data.files }
      : undefined
  const retry = () => {
    void asked.refetch()
    void invoice.refetch()
    void files.refetch()
  }
  return (
    <RecordGate asked={{ data: all, error: asked.error ?? invoice.error ?? files.error, refetch: retry }}>
      {(found) => <InvoiceTab batch={found.batch} invoice={found.invoice} files={found.files} />}
    </RecordGate>
  )
}

/** The amounts invoiced to the client by division, and the invoice files. */
function InvoiceTab({ batch, invoice, files }: { batch: AccountingBatch; invoice: Invoice; files: readonly BatchFile[] }) {
  const why = whyNoInvoice(batch)
  return (
    <section className={batchStyles.page} aria-label="Invoice of the batch">
      <BatchHead batch={batch} tab="invoice" />
      <div className={batchStyles.bar}>
        <p className={`${batchStyles.chosen} num`} role="status">
          {`${invoice.is_final ? 'Invoice' : 'Draft invoice'} ${invoice.number} of ${formatDate(invoice.date)} · Terms: ${invoice.terms} · Total due ${formatMoney(invoice.total_due)}`}
        </p>
        <Button disabledReason={why} onClick={() => void startInvoiceCsv(batch)}>
          Invoice CSV
        </Button>
        <Button disabledReason={why} onClick={() => void startInvoicePdf(batch)}>
          Invoice PDF
        </Button>
      </div>
      {!invoice.is_final && (
        <p className={styles.reason}>The batch is open: its bills may still change, and its paper is marked as a draft.</p>
      )}
      <DataGrid
        label="Divisions of the invoice"
        columns={columns}
        rows={invoice.divisions}
        rowId={(row) => row.name ?? ''}
        rowLabel={(row) => row.name ?? 'No division'}
        status={{ kind: 'ready' }}
        total={invoice.divisions.length}
        totals={totalsOf(invoice)}
        empty={<EmptyState title="No bills yet">The invoice asks for the bills of the batch.</EmptyState>}
      />
      <BatchVersions
        batch={batch}
        label="Invoices"
        files={files.filter(({ kind }) => kind !== 'upload')}
        totalLabel="Total Due"
        rowsLabel="Bills"
        empty={<EmptyState title="No invoice yet">Each version of the PDF and the CSV is kept as it was made.</EmptyState>}
      />
    </section>
  )
}

function totalsOf(invoice: Invoice) {
  const bills = {
    label: `Total of ${invoice.bill_count.toLocaleString('en-US')} ${invoice.bill_count === 1 ? 'bill' : 'bills'}`,
    values: {
      current_charges: formatMoney(invoice.current_charges),
      balance_forward: formatMoney(invoice.balance_forward),
      late_fee: formatMoney(invoice.late_fee),
      amount_due: formatMoney(invoice.amount_due),
    },
  }
  if (invoice.service_fee === '0.00') return [bills]
  return [
    bills,
    { label: invoice.service_fee_text, values: { amount_due: formatMoney(invoice.service_fee) } },
    { label: 'Total due', values: { amount_due: formatMoney(invoice.total_due) } },
  ]
}

type Division = Invoice['divisions'][number]

const columns: readonly GridColumn<Division>[] = [
  { key: 'name', label: 'Division', width: 240, grow: true, cell: (row) => row.name ?? <Missing word="no division" /> },
  { key: 'facility_count', label: 'Facilities', kind: 'number', width: 96, cell: (row) => row.facility_count.toLocaleString('en-US') },
  { key: 'bill_count', label: 'Bills', kind: 'number', width: 80, cell: (row) => row.bill_count.toLocaleString('en-US') },
  moneyColumn('current_charges', 'Current Charges'),
  moneyColumn('balance_forward', 'Balance Forward'),
  moneyColumn('late_fee', 'Late Fee'),
  moneyColumn('amount_due', 'Amount Due'),
]

function moneyColumn(key: 'current_charges' | 'balance_forward' | 'late_fee' | 'amount_due', label: string): GridColumn<Division> {
  return { key, label, kind: 'money', width: 134, cell: (row) => formatMoney(row[key]) }
}
