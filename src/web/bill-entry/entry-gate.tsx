/** What every page of the form stands on: what the account's bill starts with, and the account above the form. */
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

/** Finds the account. A chosen one stands as text until the form has come to rest: then another one can be looked for. */
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

/** The query of what a form starts with; the addresses of the form ask it before anything is drawn. */
export function entryQuery(clientId: number, account: Pick<ChosenAccount, 'type' | 'id'>, billId: number | null) {
  const query = { account_type: account.type, account_id: account.id, ...(billId === null ? {} : { bill_id: billId }) }
  return { ...apiQuery(billFormCalls.entry, { params: { client_id: clientId }, query }), gcTime: ENTRY_KEPT_MS }
}
/** Long enough for the page to find what was asked for early; a form that is opened again starts with what is there by then. */
const ENTRY_KEPT_MS = 3_000

interface EntryGateProps {
  readonly clientId: number
  readonly account: Pick<ChosenAccount, 'type' | 'id'>
  readonly billId: number | null
  readonly children: (entry: BillEntry) => ReactNode
}

/** Nothing can be checked or audited before the account's services, settings and past are there. */
export function EntryGate({ clientId, account, billId, children }: EntryGateProps) {
  const asked = useQuery(entryQuery(clientId, account, billId))
  return <RecordGate asked={asked}>{({ entry }) => children(entry)}</RecordGate>
}

/** The chosen account with what tells it apart from its neighbours. */
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

/** A fresh form begins at its account. */
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
}

export function SavedLine({ clientId, saved }: { clientId: number; saved: SavedNote }) {
  return (
    <span role="status" className={styles.savedLine}>
      Saved: <UiLink href={`/clients/${clientId}/bills/${saved.id}`}>bill {saved.id}</UiLink> of {saved.text}
    </span>
  )
}
