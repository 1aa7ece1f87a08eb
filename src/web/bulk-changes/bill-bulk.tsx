/** The bulk actions on a client's bills: park them, hold them for QC, resolve their findings. */
import { lazy, Suspense, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { leftOutWords } from '#contract/bills/bill-counts.ts'
import { billListCalls } from '#contract/bills/bill-list-calls.ts'
import { bulkKinds } from '#contract/bulk-changes/bulk-change.ts'
import type { Chosen } from '../kernel/lists/list-selection.ts'
import { apiQuery } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { Figure } from '../ui/status.tsx'
import styles from './bulk-changes.module.css'
import { bodyOf } from './rows-meant.ts'

const BulkChangePanel = lazy(() => import('./bulk-change-panel.tsx').then((module) => ({ default: module.BulkChangePanel })))

export function BillBulk({ clientId, chosen }: { clientId: number; chosen: Chosen }) {
  const [open, setOpen] = useState(false)
  const { label, labels } = bulkKinds.bill
  const count =
    chosen.count === undefined
      ? `all matching ${labels.toLowerCase()}`
      : `${chosen.count.toLocaleString('en-US')} ${(chosen.count === 1 ? label : labels).toLowerCase()}`
  return (
    <>
      <Sum clientId={clientId} chosen={chosen} />
      <CompareLink clientId={clientId} chosen={chosen} />
      <UiLink href={`/clients/${clientId}/bulk_changes`}>Earlier changes</UiLink>
      <Button small kind="primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Change {count}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <BulkChangePanel kind="bill" clientId={clientId} chosen={chosen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Puts two selected bills side by side, the older record on the left, so that a difference reads forward in time. */
function CompareLink({ clientId, chosen }: { clientId: number; chosen: Chosen }) {
  const [older, newer, ...more] = (chosen.which.ids ?? []).toSorted((one, other) => one - other)
  if (newer === undefined || more.length > 0) return null
  return <UiLink href={`/clients/${clientId}/bills/${older}/compare/${newer}`}>Compare the two</UiLink>
}

/** What the selected bills owe, and which of them do not count. Computed by the server, because they may be on several pages. */
function Sum({ clientId, chosen }: { clientId: number; chosen: Chosen }) {
  const { data } = useQuery({
    ...apiQuery(billListCalls.sums, { params: { client_id: clientId }, body: { ...bodyOf(chosen.which), add_up: 'owed' } }),
    placeholderData: keepPreviousData,
  })
  const leftOut = data && leftOutWords(data.left_out)
  return (
    <span className={styles.sum} role="status">
      Owed {data ? <Figure value={data.amount_due} places={2} currency /> : '…'}
      {leftOut && ` · ${leftOut}`}
    </span>
  )
}
