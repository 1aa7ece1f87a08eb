/** A bill that repeats a stored one: which one that is, and the reason for which it is saved all the same. */
import type { ReactNode, Ref } from 'react'
import { UiLink } from '../ui/link.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import styles from './form-foot.module.css'

interface RepeatedBillProps {
  readonly clientId: number
  /** The stored one. */
  readonly billId: number
  /** The account, where bills of several are saved together. */
  readonly account?: string | undefined
  readonly reason: string
  readonly onReason: (reason: string) => void
  readonly ref?: Ref<HTMLInputElement> | undefined
  /** What saves it. */
  readonly children?: ReactNode
}

export function RepeatedBill({ clientId, billId, account, reason, onReason, ref, children }: RepeatedBillProps) {
  return (
    <div className={styles.duplicate} role="alert">
      <span>
        {account === undefined ? 'This bill' : `The bill of ${account}`} is on record already:{' '}
        <UiLink href={`/clients/${clientId}/bills/${billId}`} target="_blank">
          Open bill {billId}
        </UiLink>
        . Saving it all the same needs a reason.
      </span>
      <TextField
        ref={ref}
        label={account === undefined ? 'Reason for duplicate' : `Reason for duplicate of ${account}`}
        value={reason}
        onChange={onReason}
        maxLength={1000}
      />
      {children}
    </div>
  )
}
