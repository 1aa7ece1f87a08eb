import { useRef, useState } from 'react'
import { X } from 'lucide-react'
import type { Subaccount } from '#contract/accounts/subaccount.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import styles from './group-accounts.module.css'
import { standingOf } from './standing.tsx'

/** Maximum number of accounts listed; a filter finds the others. */
const LINES_MAX = 200

/** A chosen account. Only its id is known while it is loading, or if it is no longer visible to the user. */
type Chosen = Subaccount | { readonly id: number }

interface ChosenAccountsProps {
  groupId: number
  accounts: readonly Chosen[]
  waiting: boolean
  onRemove: (ids: readonly number[]) => void
}

/** The chosen accounts, each with a button that removes it. */
export function ChosenAccounts({ groupId, accounts, waiting, onRemove }: ChosenAccountsProps) {
  const [text, setText] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const wanted = text.trim().toLowerCase()
  const found = wanted === '' ? accounts : accounts.filter((account) => wordsOf(account).toLowerCase().includes(wanted))
  // The focus moves to the line that takes the place of the removed one; otherwise it would be lost with the button.
  const remove = (id: number, place: number) => {
    onRemove([id])
    requestAnimationFrame(() => {
      const buttons = list.current?.querySelectorAll('button')
      const next = buttons?.item(Math.min(place, buttons.length - 1))
      if (next) next.focus()
      else list.current?.closest('section')?.querySelector('input')?.focus()
    })
  }
  return (
    <section className={styles.side} aria-label="Chosen subaccounts">
      <div className={styles.sideHead}>
        <h2 className={styles.sideTitle}>Subaccounts</h2>
        <span className={`${styles.count} num`} aria-live="polite">
          {accounts.length.toLocaleString('en-US')} chosen
        </span>
        <Button
          small
          kind="quiet"
          disabledReason={found.length === 0 ? 'Nothing to take out' : undefined}
          reasonHidden
          onClick={() => onRemove(found.map(({ id }) => id))}
        >
          {wanted === '' ? 'Remove all' : 'Remove these'}
        </Button>
      </div>
      <TextField label="Search selected" type="search" value={text} onChange={setText} />
      {accounts.length === 0 && <p className={styles.note}>Tick accounts at the left to gather them here.</p>}
      {accounts.length > 0 && found.length === 0 && <p className={styles.note}>None of the chosen fits.</p>}
      <ul ref={list} className={styles.lines} aria-label="Chosen" aria-busy={waiting}>
        {found.slice(0, LINES_MAX).map((account, place) => (
          <Line key={account.id} account={account} groupId={groupId} waiting={waiting} onRemove={() => remove(account.id, place)} />
        ))}
      </ul>
      {found.length > LINES_MAX && (
        <p className={styles.note}>{(found.length - LINES_MAX).toLocaleString('en-US')} more. Find them by their number or name.</p>
      )}
    </section>
  )
}

interface LineProps {
  account: Chosen
  groupId: number
  waiting: boolean
  onRemove: () => void
}

function Line({ account, groupId, waiting, onRemove }: LineProps) {
  const isKnown = 'account_number' in account
  const number = isKnown ? account.account_number : waiting ? '…' : `#${account.id}`
  const reason = isKnown ? standingOf(account, groupId) : undefined
  const details = isKnown ? [account.name, account.facility, account.active ? null : 'Inactive'].filter(Boolean).join(' · ') : ''
  return (
    <li className={styles.line}>
      <div className={styles.words}>
        <span className={`${styles.number} num`} title={number}>
          {number}
        </span>
        <span className={styles.details} title={details}>
          {details}
        </span>
        {reason && <span className={styles.reason}>{reason}</span>}
      </div>
      <IconButton small label={`Remove ${number}`} icon={<X size={14} aria-hidden="true" />} onClick={onRemove} />
    </li>
  )
}

function wordsOf(account: Chosen): string {
  return 'account_number' in account ? `${account.account_number} ${account.name} ${account.facility ?? ''}` : `#${account.id}`
}
