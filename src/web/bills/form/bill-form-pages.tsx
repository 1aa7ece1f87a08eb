/** The pages of the bill form: a new bill, a stored one, and the short address of a stored one. */
import { useEffect, useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billListCalls } from '#contract/bill.ts'
import { accountTypeOf, billDetailCalls, type BillDetail } from '#contract/bill-detail.ts'
import { billFormCalls, type BillEntry } from '#contract/bill-form.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { BackLink } from '../../kernel/back-link.tsx'
import { HistoryButton } from '../../kernel/history-button.tsx'
import { useGo, usePath, usePathId, useSearchText } from '../../kernel/navigation.tsx'
import { usePageTitle } from '../../kernel/page-title.ts'
import { apiQuery } from '../../kernel/query.ts'
import { RecordGate } from '../../kernel/record-gate.tsx'
import { UiLink } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useListedShortcuts } from '../../ui/shortcuts.ts'
import { BillStatus } from '../bill-cells.tsx'
import { RebillGate, RebillOfForm } from '../rebill-form.tsx'
import { rebillValues } from '../rebill-values.ts'
import { AccountSearch, type ChosenAccount } from './account-search.tsx'
import { BillForm } from './bill-form.tsx'
import styles from './bill-form.module.css'
import { formKeys } from './form-keys.ts'
import { readKeptBill } from './use-bill-form.ts'

/** How often (ms) is looked whether somebody else has saved the bill that stands in the form. */
const LOOK_AGAIN_MS = 20_000

/** A new bill; `account_type` and `account_id` in the address choose its account, and saving returns to that account's bills. */
export function NewBill() {
  const clientId = usePathId('client_id')
  const path = usePath()
  const go = useGo()
  const named = useNamedAccount()
  const rebillOf = useRebillOf()
  const draftName = `${named ? `${path}?${named.type}-${named.id}` : path}${rebillOf === null ? '' : `-rebill-${rebillOf}`}`
  const [round, setRound] = useState(0)
  const [chosen, setChosen] = useState<ChosenAccount | null>(() => named ?? readKeptBill(path)?.account ?? null)
  const [saved, setSaved] = useState<SavedNote | null>(null)
  const back = named ? billsOf(clientId, named) : `/clients/${clientId}/bills`
  usePageTitle('New Bill')
  useListedShortcuts(formKeys)
  const onSaved = (id: number, entry: BillEntry, next: boolean) => {
    if (!next) return go(back)
    setSaved({ id, text: `${entry.account_number} ${entry.account_name}` })
    setChosen(null)
    setRound(round + 1)
    if (named) go(path, { replace: true })
    return undefined
  }
  const search = (label?: string) => (
    <AccountSearch
      clientId={clientId}
      chosen={chosen && { ...chosen, label: label ?? chosen.label }}
      onChoose={setChosen}
      autoFocus={chosen === null}
    />
  )
  return (
    <div className={styles.page}>
      <BackLink href={back} />
      <PageHeader title="New Bill">{saved && <SavedLine clientId={clientId} saved={saved} />}</PageHeader>
      {chosen === null ? (
        <FocusedSearch key={round}>{search()}</FocusedSearch>
      ) : (
        <EntryGate key={`${round} ${chosen.type} ${chosen.id}`} clientId={clientId} account={chosen} billId={null}>
          {(entry) => (
            <RebillGate clientId={clientId} billId={rebillOf}>
              {(original) => (
                <BillForm
                  entry={entry}
                  stored={null}
                  start={original ? rebillValues(original, entry) : undefined}
                  draftName={draftName}
                  onSaved={(bill, next) => onSaved(bill.id, entry, next)}
                  account={
                    <>
                      <AccountLine entry={entry} search={original ? null : search(`${entry.account_number} ${entry.account_name}`)} />
                      {original && <RebillOfForm original={original} />}
                    </>
                  }
                />
              )}
            </RebillGate>
          )}
        </EntryGate>
      )}
    </div>
  )
}

/** The bill that the address wants corrected. */
function useRebillOf(): number | null {
  const { rebill_of_id: text = '' } = useSearchText()
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

/** A stored bill; what others save meanwhile is said while it is open. */
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
  const go = useGo()
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
            onSaved={() => go(back)}
            account={<AccountLine entry={entry} search={null} />}
          />
        )}
      </EntryGate>
    </div>
  )
}

/** /bills/:bill_id/edit names no client: the bill itself does. */
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

interface EntryGateProps {
  readonly clientId: number
  readonly account: Pick<ChosenAccount, 'type' | 'id'>
  readonly billId: number | null
  readonly children: (entry: BillEntry) => ReactNode
}

/** Nothing can be checked or audited before the account's services, settings and past are there. */
export function EntryGate({ clientId, account, billId, children }: EntryGateProps) {
  const query = { account_type: account.type, account_id: account.id, ...(billId === null ? {} : { bill_id: billId }) }
  const asked = useQuery({ ...apiQuery(billFormCalls.entry, { params: { client_id: clientId }, query }), gcTime: 0 })
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
        {!entry.account.active && <strong className={styles.problem}> inactive</strong>}
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

/** The account that the address names. */
function useNamedAccount(): ChosenAccount | null {
  const search = useSearchText()
  const type = accountTypeOf(search['account_type'] ?? '')
  const id = /^[1-9]\d{0,14}$/.test(search['account_id'] ?? '') ? Number(search['account_id']) : null
  return type === null || id === null ? null : { type, id, label: '…' }
}

function billsOf(clientId: number, { type, id }: Pick<ChosenAccount, 'type' | 'id'>): string {
  return `/clients/${clientId}/${type === 'SupplyAccount' ? 'supply_accounts' : 'billable_accounts'}/${id}/bills`
}
