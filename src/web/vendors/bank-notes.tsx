import { formatDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import type { Vendor } from '#contract/vendors/vendor.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { UiLink } from '../ui/link.tsx'
import { StatusDot } from '../ui/status.tsx'
import styles from './vendors.module.css'

/** In the vendor's form: the change that waits for a second person, and the recent changes made by two people. */
export function BankNotes({ row }: { row: Vendor }) {
  const { waiting, changed } = row.bank_notes ?? { waiting: null, changed: null }
  return (
    <div className={styles.notes} data-waiting={waiting !== null || undefined}>
      {waiting && (
        <p>
          New bank details wait for approval: asked for by {waiting.requested_by} on <NewYorkTime at={waiting.requested_at} />.{' '}
          <UiLink href={`/vendor_bank_changes/${waiting.id}`}>Review the change</UiLink>
        </p>
      )}
      {changed && (
        <p>
          Bank details changed on <NewYorkTime at={changed.at} /> by {changed.requested_by}, approved by {changed.approved_by}.
        </p>
      )}
      <p>
        New numbers, account type and account holder take effect once somebody else approves them.{' '}
        <UiLink href={`/vendors/${row.id}/bank_changes`}>All changes</UiLink>
      </p>
    </div>
  )
}

/** The same for a cell of the list. */
export function BankNotesCell({ row }: { row: Vendor }) {
  const { waiting, changed } = row.bank_notes ?? { waiting: null, changed: null }
  if (waiting)
    return (
      <StatusDot tone="warn" shape="ring">
        Waiting for approval
      </StatusDot>
    )
  if (!changed) return null
  return <StatusDot tone="info">Changed {formatDate(todayIn(NEW_YORK, changed.at))}</StatusDot>
}
