/** Keeps Save in sight beside the sums; the reasons for duplicate bills are typed here and not in a dialog. */
import { useEffect, useRef } from 'react'
import { formatMoney, wireOf } from '#contract/kernel/money.ts'
import { FailedAttempt } from '../kernel/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { RepeatedBill } from '../bill-entry/bill-entry.ts'
import type { SummarySums } from './summary-values.ts'
import styles from './summary.module.css'
import type { SummaryFormState } from './use-summary-form.ts'

export function SummaryFoot({ form, sums }: { form: SummaryFormState; sums: SummarySums }) {
  const { busy, dirty, failure, findings } = form
  const open = findings.filter(({ finding }) => finding.severity !== 'I').length
  return (
    <div className={styles.foot}>
      {form.repeats.length > 0 && <Repeats form={form} />}
      <div className={styles.footLine}>
        <Button kind="primary" busy={busy} title="Ctrl+Enter" onClick={form.save}>
          Save
        </Button>
        <div className={styles.sums} role="status">
          <span>
            {sums.bills === 1 ? '1 subaccount' : `${sums.bills} subaccounts`}: {formatMoney(wireOf(sums.children))}
          </span>
          {(sums.bills > 0 || sums.left !== 0) && <Difference left={sums.left} />}
          {open > 0 && <span>{open === 1 ? '1 finding' : `${open} findings`}</span>}
          {dirty && !failure && <span className={styles.quiet}>Not saved yet</span>}
        </div>
        <FailedAttempt attempt={form} again={form.save} />
      </div>
    </div>
  )
}

/** One reason per bill, and one save for all of them. */
function Repeats({ form: { entry, clientId, repeats, reasons, setReason, busy, save } }: { form: SummaryFormState }) {
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const numbers = new Map(entry.rows.map((row) => [row.account_id, row.account_number]))
  const reasonOf = (accountId: number | null): string => reasons.get(accountId) ?? ''
  const isGiven = repeats.every(({ account_id }) => reasonOf(account_id).trim() !== '')
  return (
    <div className={styles.repeats}>
      {repeats.map(({ account_id, bill_id }, place) => (
        <RepeatedBill
          key={account_id}
          ref={place === 0 ? first : undefined}
          clientId={clientId}
          billId={bill_id}
          account={account_id === null ? entry.account_number : (numbers.get(account_id) ?? '')}
          reason={reasonOf(account_id)}
          onReason={(reason) => setReason(account_id, reason)}
        />
      ))}
      <Button small disabled={!isGiven} busy={busy} onClick={save}>
        Save anyway
      </Button>
    </div>
  )
}

function Difference({ left }: { left: number }) {
  if (left === 0) return <span className={styles.match}>Adds up to the current charges</span>
  return (
    <span className={styles.differs}>
      {formatMoney(wireOf(Math.abs(left)))} {left > 0 ? 'are missing' : 'too much'}
    </span>
  )
}
