/** One statement beside the list: its figures, its PDF, and its actions. */
import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { billableAccountCalls } from '#contract/accounts/billable-account.ts'
import { compareHeads } from '#contract/bills/compare-values.ts'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import type { RetrievedStatement } from '#contract/bill-retrieval/retrieved-statement.ts'
import { billRetrievalCalls } from '#contract/bill-retrieval/retrieval-calls.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { ComparedTable } from '../bills/bills.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { usePath, useSearchText, withSearch } from '../kernel/navigation.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { EntityPicker, optionsOf } from '../kernel/forms/picker.tsx'
import { apiQuery, refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Figure } from '../ui/status.tsx'
import styles from './bill-retrieval.module.css'
import { StatementMeters } from './statement-meters.tsx'
import { StatementPaper } from './statement-paper.tsx'
import { StatementStateWord } from './statement-state.tsx'

export function StatementBeside({ clientId, id }: { clientId: number; id: number }) {
  const params = { client_id: clientId }
  const asked = useQuery(apiQuery(billRetrievalCalls.list, { params, query: { q: { id }, per: 1 } }))
  const { statement: _here, ...rest } = useSearchText()
  const path = usePath()
  return (
    <aside className={styles.aside} aria-label="Statement">
      <RecordGate asked={asked}>
        {({ records: [record] }) => (record ? <Statement record={record} /> : <EmptyState title="There is no such statement" />)}
      </RecordGate>
      <UiLink href={withSearch(path, rest)} className={styles.close} aria-label="Close the statement">
        <X size={16} aria-hidden="true" />
      </UiLink>
    </aside>
  )
}

function Statement({ record }: { record: RetrievedStatement }) {
  return (
    <>
      <h2 className={styles.heading}>
        {record.provider_name} <span className="num">{record.account_number}</span>
      </h2>
      <p className={styles.line}>
        <StatementStateWord state={record.state} />
        {record.bill_id !== null && <UiLink href={`/clients/${record.client_id}/bills/${record.bill_id}`}>Bill {record.bill_id}</UiLink>}
      </p>
      {record.reason !== null && <p className={styles.quiet}>{record.reason}</p>}
      <p className={styles.marks}>{marksOf(record)}</p>
      {record.state === 'duplicate' && record.bill_id !== null ? (
        <BesideBill record={record} billId={record.bill_id} />
      ) : (
        <Facts record={record} />
      )}
      {record.notes !== null && <p className={styles.notes}>{record.notes}</p>}
      {record.state === 'needs_account' && <MatchField record={record} />}
      <StatementMeters meters={record.meters} />
      <StatementPaper clientId={record.client_id} fileId={record.file_id} name={record.attachment || `Statement ${record.statement_id}`} />
    </>
  )
}

/** Returns the statement's identification and the flags of its future bill. */
function marksOf({ statement_id, client, attachment, rebill_adjustment, qc, parked }: RetrievedStatement): string {
  const marks = [rebill_adjustment && 'Rebill/Adjustment', qc && 'QC', parked && 'Parked'].filter((one) => one !== false)
  return [`Statement ${statement_id} of ${client}`, attachment, ...marks].filter((one) => one !== '').join(' · ')
}

function Facts({ record }: { record: RetrievedStatement }) {
  const dates: [string, string | null][] = [
    ['Bill Date', record.bill_date],
    ['Due Date', record.due_date],
    ['From', record.interval_start],
    ['To', record.interval_end],
  ]
  const amounts: [string, string | null][] = [
    ['Balance Forward', record.balance_forward],
    ['Current Charges', record.current_charges],
    ['Late Fee', record.late_fee],
    ['Amount Due', record.amount_due],
  ]
  return (
    <dl className={styles.facts}>
      {dates.map(([label, date]) => (
        <div key={label}>
          <dt>
            {label}
            {label === 'Due Date' && record.assumed.includes('due_date') ? ' (assumed)' : ''}
          </dt>
          <dd className="num">{formatDate(date) || '–'}</dd>
        </div>
      ))}
      {amounts.map(([label, amount]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Figure value={amount} places={2} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Compares the statement with the bill that it duplicates. */
function BesideBill({ record, billId }: { record: RetrievedStatement; billId: number }) {
  const asked = useQuery(apiQuery(billDetailCalls.get, { params: { client_id: record.client_id, id: billId } }))
  const said = {
    account_number: record.account_number,
    date: record.bill_date,
    due_date: record.due_date,
    previous_read_date: record.interval_start,
    read_date: record.interval_end,
    balance_forward: record.balance_forward,
    current_charges: record.current_charges,
    late_fee: record.late_fee,
    amount_due: record.amount_due,
  }
  return (
    <RecordGate asked={asked}>
      {({ bill }) => (
        <ComparedTable
          label={`The statement and bill ${billId}`}
          groups={compareHeads(said, bill)}
          left="Statement"
          right={<UiLink href={`/clients/${record.client_id}/bills/${billId}`}>{`Bill ${billId}`}</UiLink>}
        />
      )}
    </RecordGate>
  )
}

/** Chooses the account of a number, if it exists under another number. */
function MatchField({ record }: { record: RetrievedStatement }) {
  const { client_id, account_number, provider_name } = record
  const [account, setAccount] = useState<number | null>(null)
  const attempt = useAttempt()
  const accounts = useMemo(() => optionsOf('billable_accounts', billableAccountCalls.selectOptions, { client_id }), [client_id])
  const match = () =>
    attempt.run(async () => {
      if (account === null) return
      resultNotice(
        await callApi(billRetrievalCalls.match, { params: { client_id }, body: { account_number, provider_name, account_id: account } }),
      )
      refresh('bill_retrieval', 'billable_accounts')
    })
  return (
    <div className={styles.match}>
      <EntityPicker label="It belongs to the account" source={accounts} value={account} onChange={setAccount} />
      <Button
        busy={attempt.busy}
        disabledReason={account === null ? 'Choose an account' : undefined}
        reasonHidden
        onClick={() => void match()}
      >
        Match this number
      </Button>
      <FailedAttempt attempt={attempt} what="Not matched" again={() => void match()} />
    </div>
  )
}
