import type { Vendor } from '#contract/vendors/vendor.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { UiLink } from '../ui/link.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import styles from './vendors.module.css'

/** In the vendor's form: that the last remittance advice came back. */
export function AdviceNote({ row: { id, remittance_bounced_at: at, remittance_email: email } }: { row: Vendor }) {
  if (at === null) return null
  return (
    <div className={styles.notes} data-waiting>
      <p>
        The last remittance advice to {email} bounced on <NewYorkTime at={at} />. No further advice is sent until the address changes.{' '}
        <UiLink href={`/global_batch/advices?q[vendor_id_eq]=${id}`}>Advices to this vendor</UiLink>
      </p>
    </div>
  )
}

/** In the list: the address, and whether it bounced. */
export function AdviceAddress({ row: { remittance_email: email, remittance_bounced_at: at } }: { row: Vendor }) {
  if (email === null) return <Missing word="none" />
  if (at === null) return <span title={email}>{email}</span>
  return (
    <StatusDot tone="bad" shape="triangle">
      {email} (bounced)
    </StatusDot>
  )
}
