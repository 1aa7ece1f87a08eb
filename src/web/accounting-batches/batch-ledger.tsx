import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import type { BatchLedgerRow, BatchLedger } from '#contract/accounting-batches/batch-contents.ts'
import { centsOf, formatMoney, wireOf } from '#contract/kernel/money.ts'
import { batchStyles } from '../batches/batches.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import styles from './accounting-batches.module.css'
import { BatchHead } from './batch-head.tsx'
import { LedgerLines } from './ledger-lines.tsx'
import { UncodedServices } from './uncoded-services.tsx'

export function BatchLedgerPage() {
  const params = { client_id: usePathId('client_id'), id: usePathId('accounting_batch_id') }
  const asked = useQuery(apiQuery(accountingBatchCalls.get, { params }))
  const ledger = useQuery(apiQuery(accountingBatchCalls.ledger, { params }))
  const both = asked.data && ledger.data ? { batch: asked.data.accounting_batch, ledger: ledger.data } : undefined
  const retry = () => {
    void asked.refetch()
    void ledger.refetch()
  }
  return (
    <RecordGate asked={{ data: both, error: asked.error ?? ledger.error, refetch: retry }}>
      {(found) => <Ledger batch={found.batch} ledger={found.ledger} />}
    </RecordGate>
  )
}

function Ledger({ batch, ledger }: { batch: AccountingBatch; ledger: BatchLedger }) {
  const [sort, setSort] = useState<null>(null)
  const [opened, setOpened] = useState<BatchLedgerRow | null>(null)
  return (
    <section className={batchStyles.page} aria-label="Ledger of the batch">
      <BatchHead batch={batch} tab="ledger" />
      <Controls ledger={ledger} />
      {ledger.faults.map((fault) => (
        <p key={fault} role="alert" className={styles.fault}>
          {fault} <UiLink href={`/clients/${batch.client_id}/ledger_settings`}>Ledger settings</UiLink>
        </p>
      ))}
      {ledger.uncoded.length > 0 && <UncodedServices clientId={batch.client_id} services={ledger.uncoded} />}
      <DataGrid
        label="Ledger accounts"
        columns={columns}
        rows={ledger.rows}
        rowId={(row) => `${row.kind} ${row.ledger_account_id}`}
        rowLabel={nameOf}
        status={{ kind: 'ready' }}
        total={ledger.rows.length}
        sort={sort}
        onSortChange={() => setSort(null)}
        onOpen={setOpened}
        rowActions={(row) => <MenuItem onSelect={() => setOpened(row)}>Lines and bills</MenuItem>}
        totals={[{ label: 'Total', values: { debit: formatMoney(ledger.debits), credit: formatMoney(ledger.credits) } }]}
        empty={<EmptyState title="No ledger lines yet">They follow from the bills of the batch.</EmptyState>}
      />
      {opened ? (
        <LedgerLines batch={batch} row={opened} name={nameOf(opened)} />
      ) : (
        ledger.rows.length > 0 && <p className={styles.reason}>Open a ledger account to see its lines and their bills.</p>
      )}
    </section>
  )
}

/** Shows pairs of figures that must be equal; a difference is red. */
function Controls({ ledger }: { ledger: BatchLedger }) {
  const owed = wireOf(centsOf(ledger.bills_total) + centsOf(ledger.reversals))
  const isBalanced = ledger.debits === ledger.credits
  const isWhole = ledger.booked === owed
  return (
    <p className={`${styles.controls} num`} role="status">
      <StatusDot
        tone={isBalanced ? 'ok' : 'bad'}
      >{`Debits ${formatMoney(ledger.debits)} ${isBalanced ? '=' : '≠'} credits ${formatMoney(ledger.credits)}`}</StatusDot>
      <StatusDot tone={isWhole ? 'ok' : 'bad'}>
        {`Booked ${formatMoney(ledger.booked)} ${isWhole ? '=' : '≠'} bills ${formatMoney(ledger.bills_total)}${ledger.reversals === '0.00' ? '' : ` and reversals ${formatMoney(ledger.reversals)}`}`}
      </StatusDot>
      <span>{ledger.frozen ? 'Frozen when the batch was closed' : 'Computed from the bills as they are now'}</span>
    </p>
  )
}

const kindWords: Readonly<Record<BatchLedgerRow['kind'], string>> = {
  expense: 'Expense',
  late_fee: 'Late Fee',
  prior_balance: 'Prior Balance',
  payable: 'Accounts Payable',
}
/** Changes from the previous batch are marked from this share on. */
const MARKED_CHANGE = 0.25

const columns: readonly GridColumn<BatchLedgerRow>[] = [
  {
    key: 'ledger_account_name',
    label: 'Ledger Account',
    width: 260,
    grow: true,
    cell: (row) => row.ledger_account_name || (row.kind === 'payable' ? 'Left to the ledger' : 'No ledger account'),
  },
  { key: 'kind', label: 'Kind', width: 150, cell: (row) => kindWords[row.kind] },
  { key: 'line_count', label: 'Lines', kind: 'number', width: 90, cell: (row) => row.line_count.toLocaleString('en-US') },
  { key: 'debit', label: 'Debit', kind: 'money', width: 140, cell: (row) => (row.debit === '0.00' ? '' : formatMoney(row.debit)) },
  { key: 'credit', label: 'Credit', kind: 'money', width: 140, cell: (row) => (row.credit === '0.00' ? '' : formatMoney(row.credit)) },
  {
    key: 'before',
    label: 'Batch Before',
    kind: 'money',
    width: 140,
    cell: (row) => (row.before === null ? <Missing word="no batch before" /> : formatMoney(row.before)),
  },
  { key: 'change', label: 'Change', width: 120, cell: changeOf },
]

function changeOf(row: BatchLedgerRow) {
  if (row.before === null || row.before === '0.00') return ''
  const before = centsOf(row.before)
  const share = (centsOf(row.debit) - centsOf(row.credit) - before) / Math.abs(before)
  const text = `${share > 0 ? '+' : ''}${Math.round(share * 100)}%`
  return Math.abs(share) > MARKED_CHANGE ? <StatusDot tone="warn">{text}</StatusDot> : text
}

function nameOf(row: BatchLedgerRow): string {
  return `${row.ledger_account_name} ${kindWords[row.kind]}`.trim()
}
