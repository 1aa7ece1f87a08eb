/** Shared by every page of the form: loads the initial data of the account's bill and shows the account above the form. */
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billFormCalls, type BillEntry } from '#contract/bills/bill-form.ts'
import { apiQuery } from '../kernel/query.ts'
import { useIdle } from '../kernel/use-idle.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { UiLink } from '../ui/link.tsx'
import billEntry from './bill-entry.module.css'
import styles from './entry-gate.module.css'
import type { AccountSearchProps, ChosenAccount } from './chosen-account.ts'

const AccountSearchField = lazy(() => import('./account-search.tsx').then((module) => ({ default: module.AccountSearch })))

/** Searches the account. A chosen account is shown as text until the form is idle; then another one can be searched. */
export function AccountSearch(props: AccountSearchProps) {
  const atRest = useIdle()
  const chosen = <span className={styles.searchToCome}>{props.chosen?.label}</span>
  if (props.chosen !== null && !atRest) return chosen
  return (
    <Suspense fallback={chosen}>
      <AccountSearchField {...props} />
    </Suspense>
  )
}

/** Returns the query for the form's initial data; the form's routes start it before anything is rendered. */
export function entryQuery(clientId: number, account: Pick<ChosenAccount, 'type' | 'id'>, billId: number | null) {
  const query = { account_type: account.type, account_id: account.id, ...(billId === null ? {} : { bill_id: billId }) }
  return { ...apiQuery(billFormCalls.entry, { params: { client_id: clientId }, query }), gcTime: ENTRY_KEPT_MS }
}
/** Long enough for the page to use the prefetched answer; a form that is opened again loads the data again. */
const ENTRY_KEPT_MS = 3_000

interface EntryGateProps {
  readonly clientId: number
  readonly account: Pick<ChosenAccount, 'type' | 'id'>
  readonly billId: number | null
  readonly children: (entry: BillEntry) => ReactNode
}

/** Waits for the account's services, settings and past bills, without which nothing can be checked or audited. */
export function EntryGate({ clientId, account, billId, children }: EntryGateProps) {
  const asked = useQuery(entryQuery(clientId, account, billId))
  return <RecordGate asked={asked}>{({ entry }) => children(entry)}</RecordGate>
}

/** The chosen account with the facts that distinguish it from similar ones. */
export function AccountLine({ entry, search }: { entry: BillEntry; search: ReactNode }) {
  const facts = [entry.vendor?.name, entry.facility_name, entry.account_type === 'SupplyAccount' ? 'Supply account' : null].filter(Boolean)
  return (
    <div className={styles.account}>
      {search ?? (
        <span className={styles.accountName} title={entry.account_name}>
          <span className="num">{entry.account_number}</span> {entry.account_name}
        </span>
      )}
      <span className={styles.accountFacts}>
        {facts.join(' · ')}
        {!entry.account.active && <strong className={billEntry.problem}> inactive</strong>}
      </span>
    </div>
  )
}

/** A new form starts with the focus in the account search. */
export function FocusedSearch({ children }: { children: ReactNode }) {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  useEffect(() => box?.querySelector('input')?.focus(), [box])
  return (
    <div ref={setBox} className={styles.account}>
      {children}
    </div>
  )
}

export interface SavedNote {
  readonly id: number
  readonly text: string
  /** Count of its open flags. */
  readonly flags: number
}

export function SavedLine({ clientId, saved }: { clientId: number; saved: SavedNote }) {
  return (
    <span role="status" className={styles.savedLine}>
      Saved: <UiLink href={`/clients/${clientId}/bills/${saved.id}`}>bill {saved.id}</UiLink> of {saved.text}
      {saved.flags > 0 && (
        <>
          . <strong className={styles.flagged}>Flagged:</strong>{' '}
          <UiLink href={`/clients/${clientId}/bills/${saved.id}`}>{saved.flags === 1 ? '1 finding' : `${saved.flags} findings`}</UiLink>
        </>
      )}
    </span>
  )
}
