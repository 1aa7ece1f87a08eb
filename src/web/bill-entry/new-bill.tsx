/** The form of a new bill: empty, or as the correction of another one. */
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { accountTypeOf } from '#contract/bills/bill-detail.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import { BackLink } from '../kernel/back-link.tsx'
import { useWayBack } from '../kernel/lists/way-back.ts'
import { useGo, usePath, usePathId, useSearchText } from '../kernel/navigation.tsx'
import type { EarlyAddress } from '../kernel/page-route.ts'
import { usePageTitle } from '../kernel/page-title.ts'
import { queryClient } from '../kernel/query.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { useListedShortcuts } from '../ui/shortcuts.ts'
import { Skeleton } from '../ui/states.tsx'
import { BillForm } from './bill-form.tsx'
import styles from './bill-form.module.css'
import type { BillValues } from './bill-values.ts'
import { billsOf } from './bills-of.ts'
import { AccountLine, AccountSearch, EntryGate, entryQuery, FocusedSearch, SavedLine, type SavedNote } from './entry-gate.tsx'
import type { ChosenAccount } from './chosen-account.ts'
import { formKeys } from './form-keys.ts'
import { readKeptBill } from './kept-bill.ts'
import type { BillSaved } from './use-bill-form.ts'

const RebillStart = lazy(() => import('./rebill-form.tsx').then((module) => ({ default: module.RebillStart })))

/** Prefetches the form's initial data for the account in the address. */
export async function askForEntry({ params, search }: EarlyAddress): Promise<void> {
  const account = accountIn(search)
  if (account) await queryClient.prefetchQuery(entryQuery(Number(params['client_id']), account, null))
}

/** A new bill. `account_type` and `account_id` in the address choose its account, and saving returns to that account's bills. */
export function NewBill() {
  const clientId = usePathId('client_id')
  const path = usePath()
  const go = useGo()
  const goBack = useWayBack()
  const named = useNamedAccount()
  const rebillOf = useRebillOf()
  const draftName = `${named ? `${path}?${named.type}-${named.id}` : path}${rebillOf === null ? '' : `-rebill-${rebillOf}`}`
  const [round, setRound] = useState(0)
  const [chosen, setChosen] = useState<ChosenAccount | null>(() => named ?? readKeptBill(path)?.account ?? null)
  const [saved, setSaved] = useState<SavedNote | null>(null)
  const back = named ? billsOf(clientId, named) : `/clients/${clientId}/bills`
  usePageTitle('New Bill')
  useListedShortcuts(formKeys)
  const onSaved = (bill: BillSaved, entry: BillEntry, next: boolean) => {
    if (!next) return goBack(back, 'bill', bill.id)
    setSaved({ ...bill, text: `${entry.account_number} ${entry.account_name}` })
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
            <Started clientId={clientId} rebillOf={rebillOf} entry={entry}>
              {(start, correction) => (
                <BillForm
                  entry={entry}
                  stored={null}
                  start={start}
                  draftName={draftName}
                  onSaved={(bill, next) => onSaved(bill, entry, next)}
                  account={
                    <>
                      <AccountLine entry={entry} search={correction ? null : search(`${entry.account_number} ${entry.account_name}`)} />
                      {correction}
                    </>
                  }
                />
              )}
            </Started>
          )}
        </EntryGate>
      )}
    </div>
  )
}

/** Returns the id of the bill to correct, from the address. */
function useRebillOf(): number | null {
  const { rebill_of_id: text = '' } = useSearchText()
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

interface StartedProps {
  readonly clientId: number
  readonly rebillOf: number | null
  readonly entry: BillEntry
  readonly children: (start: BillValues | undefined, correction: ReactNode) => ReactNode
}

/** Loads the bill that a correction corrects before its form starts. */
function Started({ clientId, rebillOf, entry, children }: StartedProps) {
  if (rebillOf === null) return children(undefined, null)
  return (
    <Suspense fallback={<Skeleton height={400} />}>
      <RebillStart clientId={clientId} billId={rebillOf} entry={entry}>
        {children}
      </RebillStart>
    </Suspense>
  )
}

/** Returns the account that the address names. */
function useNamedAccount(): ChosenAccount | null {
  return accountIn(useSearchText())
}

function accountIn(search: Readonly<Record<string, string>>): ChosenAccount | null {
  const type = accountTypeOf(search['account_type'] ?? '')
  const id = /^[1-9]\d{0,14}$/.test(search['account_id'] ?? '') ? Number(search['account_id']) : null
  return type === null || id === null ? null : { type, id, label: '…' }
}
