/** The form of a stored bill, and the redirect from its short address. */
import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billListCalls } from '#contract/bills/bill-list-calls.ts'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { BackLink } from '../kernel/back-link.tsx'
import { useWayBack } from '../kernel/lists/way-back.ts'
import { HistoryButton } from '../kernel/history/history-button.tsx'
import { useGo, usePath, usePathId } from '../kernel/navigation.tsx'
import { usePageTitle } from '../kernel/page-title.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { UiLink } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useListedShortcuts } from '../ui/shortcuts.ts'
import { BillStatus } from '../bills/bills.ts'
import { BillForm } from './bill-form.tsx'
import styles from './bill-form.module.css'
import { billsOf } from './bills-of.ts'
import { AccountLine, EntryGate } from './entry-gate.tsx'
import { formKeys } from './form-keys.ts'

/** Interval (ms) at which the form checks whether another person has saved the bill. */
const LOOK_AGAIN_MS = 20_000

/** Edits a stored bill and reports when others save it meanwhile. */
export function EditBill() {
  const clientId = usePathId('client_id')
  const billId = usePathId('bill_id')
  const asked = useQuery({
    ...apiQuery(billDetailCalls.get, { params: { client_id: clientId, id: billId } }),
    gcTime: 0,
    refetchInterval: LOOK_AGAIN_MS,
    refetchOnWindowFocus: 'always',
  })
  usePageTitle(asked.data ? `Edit bill of ${formatDate(asked.data.bill.date)}` : undefined)
  useListedShortcuts(formKeys)
  return <RecordGate asked={asked}>{({ bill }) => <EditForm key={bill.id} bill={bill} />}</RecordGate>
}

function EditForm({ bill }: { bill: BillDetail }) {
  const path = usePath()
  const goBack = useWayBack()
  const account = { type: bill.account_type, id: bill.account_id, label: bill.account_number }
  const back = billsOf(bill.client_id, account)
  return (
    <div className={styles.page}>
      <BackLink href={back} />
      <PageHeader title="Edit Bill" actions={<HistoryButton item="bill" id={bill.id} clientId={bill.client_id} />}>
        <BillStatus status={bill.full_status} />
        <UiLink href={`/clients/${bill.client_id}/bills/${bill.id}`}>Bill {bill.id}</UiLink>
      </PageHeader>
      <EntryGate clientId={bill.client_id} account={account} billId={bill.id}>
        {(entry) => (
          <BillForm
            entry={entry}
            stored={bill}
            draftName={path}
            onSaved={({ id }) => goBack(back, 'bill', id)}
            account={<AccountLine entry={entry} search={null} />}
          />
        )}
      </EntryGate>
    </div>
  )
}

/** /bills/:bill_id/edit names no client, so the bill is looked up to find it. */
export function EditBillOfAny() {
  const id = usePathId('bill_id')
  const go = useGo()
  const asked = useQuery(apiQuery(billListCalls.listAll, { query: { values: JSON.stringify([id]), per: 1 } }))
  const found = asked.data?.bills[0]
  const href = found && `/clients/${found.client_id}/bills/${id}/edit`
  useEffect(() => {
    if (href) go(href, { replace: true })
  }, [href, go])
  return (
    <RecordGate asked={asked}>
      {({ bills }) =>
        bills.length === 0 ? (
          <p role="alert">There is no such bill, or it is outside what you may see.</p>
        ) : (
          <span role="status">Opening the bill</span>
        )
      }
    </RecordGate>
  )
}
