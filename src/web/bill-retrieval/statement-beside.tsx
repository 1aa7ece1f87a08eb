/** One statement beside the list: its figures, its paper, and what can be said of it. */
import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { billableAccountCalls } from '#contract/billable-account.ts'
import { billRetrievalCalls, type RetrievedStatement } from '#contract/bill-retrieval.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { callApi } from '../kernel/api.ts'
import { usePath, useSearchText, withSearch } from '../kernel/navigation.tsx'
import { problemNotice, resultNotice } from '../kernel/notices.ts'
import { EntityPicker, optionsOf } from '../kernel/picker.tsx'
import { apiQuery, refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Figure } from '../ui/status.tsx'
import styles from './bill-retrieval.module.css'
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
      <Facts record={record} />
      {record.state === 'needs_account' && <MatchField record={record} />}
      <Meters record={record} />
      <StatementPaper clientId={record.client_id} fileId={record.file_id} name={record.attachment || `Statement ${record.statement_id}`} />
    </>
  )
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

function Meters({ record }: { record: RetrievedStatement }) {
  if (record.meters.length === 0) return <p className={styles.quiet}>This statement names no meter.</p>
  return (
    <table className={styles.table}>
      <caption className="sr-only">Meters</caption>
      <thead>
        <tr>
          <th scope="col">Meter</th>
          <th scope="col">Service</th>
          <th scope="col">Read</th>
          <th scope="col" className={styles.right}>
            Usage
          </th>
        </tr>
      </thead>
      <tbody>
        {record.meters.map((meter, place) => (
          // A meter that was billed for two periods stands twice with one number, so the place belongs to the key.
          <tr key={`${meter.meter_number} ${meter.commodity} ${place}`}>
            <td className="num">{meter.meter_number || '–'}</td>
            <td>{meter.commodity.replaceAll('_', ' ')}</td>
            <td className="num">{formatDate(meter.read_date) || '–'}</td>
            <td className={styles.right}>
              <Figure value={meter.usage} /> {meter.unit ?? ''}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The account that a number belongs to, where it is there under another number. */
function MatchField({ record }: { record: RetrievedStatement }) {
  const { client_id, account_number, provider_name } = record
  const [account, setAccount] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const accounts = useMemo(() => optionsOf('billable_accounts', billableAccountCalls.selectOptions, { client_id }), [client_id])
  const match = async () => {
    if (account === null) return
    setBusy(true)
    try {
      resultNotice(
        await callApi(billRetrievalCalls.match, { params: { client_id }, body: { account_number, provider_name, account_id: account } }),
      )
      refresh('bill_retrieval', 'billable_accounts')
    } catch (error) {
      problemNotice(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles.match}>
      <EntityPicker label="It belongs to the account" source={accounts} value={account} onChange={setAccount} />
      <Button busy={busy} disabledReason={account === null ? 'Choose an account' : undefined} reasonHidden onClick={() => void match()}>
        Match this number
      </Button>
    </div>
  )
}
