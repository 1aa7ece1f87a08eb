/** Shown when a bill duplicates a stored one: links to that bill and asks for the reason to save it anyway. */
import type { ReactNode, Ref } from 'react'
import { UiLink } from '../ui/link.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import styles from './form-foot.module.css'

interface RepeatedBillProps {
  readonly clientId: number
  /** The stored duplicate. */
  readonly billId: number
  /** The account number, given where bills of several accounts are saved together. */
  readonly account?: string | undefined
  readonly reason: string
  readonly onReason: (reason: string) => void
  readonly ref?: Ref<HTMLInputElement> | undefined
  /** The buttons that save it. */
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
