/** Two lists: the accounts to choose from, and the chosen ones. The reason why an account cannot be chosen is visible beforehand. */
import { useState, type KeyboardEvent } from 'react'
import type { Subaccount } from '#contract/accounts/subaccount.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { CandidateGrid } from './candidate-grid.tsx'
import { ChosenAccounts } from './chosen-accounts.tsx'
import styles from './group-accounts.module.css'
import type { GroupKind, GroupParams } from './group-kinds.ts'
import { useAccountsById } from './use-accounts-by-id.ts'

type SubaccountChoiceProps = Pick<SlotProps, 'value' | 'onChange' | 'error'> & { kind: GroupKind; params: GroupParams }

export function SubaccountChoice({ value, onChange, error, kind, params }: SubaccountChoiceProps) {
  const ids = Array.isArray(value) ? value.map(Number) : []
  const [known, setKnown] = useState<ReadonlyMap<number, Subaccount>>(new Map())
  const missing = ids.filter((id) => !known.has(id))
  const asked = useAccountsById(kind, params, missing)
  const found = new Map([...known, ...(asked.data ?? []).map((account) => [account.id, account] as const)])
  const choose = (next: readonly number[], rows: readonly Subaccount[]) => {
    // Keeps accounts once they were loaded; otherwise a filter would remove their names.
    setKnown(new Map([...found, ...rows.map((row) => [row.id, row] as const)]))
    onChange([...next])
  }
  return (
    <div role="presentation" data-wide="" className={styles.choice} onKeyDown={keepFormOpen}>
      <div className={styles.sides}>
        <CandidateGrid kind={kind} params={params} chosen={ids} onChoose={choose} />
        <ChosenAccounts
          groupId={params.id}
          accounts={ids.map((id) => found.get(id) ?? { id })}
          waiting={asked.isLoading}
          onRemove={(gone) =>
            choose(
              ids.filter((id) => !gone.includes(id)),
              [],
            )
          }
        />
      </div>
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}

/** Enter in a filter searches; it must not save the form. */
function keepFormOpen(event: KeyboardEvent<HTMLElement>): void {
  const isPlainEnter = event.key === 'Enter' && !event.ctrlKey && !event.metaKey
  if (isPlainEnter && event.target instanceof HTMLInputElement) event.preventDefault()
}
