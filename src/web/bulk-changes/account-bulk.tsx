/** The bulk actions on a client's accounts: a single line in their lists. */
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { bulkKinds, type BulkKindName } from '#contract/bulk-changes/bulk-change.ts'
import type { Chosen } from '../kernel/lists/list-selection.ts'
import { useCan } from '../kernel/permissions.tsx'
import { Button } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'

const BulkChangePanel = lazy(() => import('./bulk-change-panel.tsx').then((module) => ({ default: module.BulkChangePanel })))

/** For the `bulk` prop of a list; undefined for users who may not change accounts. */
export function useAccountBulk(kind: BulkKindName, clientId: number): ((chosen: Chosen) => ReactNode) | undefined {
  const may = useCan(`${kind}.update`)
  return useMemo(
    () => (may ? (chosen: Chosen) => <BulkActions kind={kind} clientId={clientId} chosen={chosen} /> : undefined),
    [may, kind, clientId],
  )
}

function BulkActions({ kind, clientId, chosen }: { kind: BulkKindName; clientId: number; chosen: Chosen }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <UiLink href={`/clients/${clientId}/bulk_changes`}>Earlier changes</UiLink>
      <Button small kind="primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Change {countWords(chosen.count, kind)}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <BulkChangePanel kind={kind} clientId={clientId} chosen={chosen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Returns '12 billable accounts'. */
function countWords(count: number | undefined, kind: BulkKindName): string {
  const { label, labels } = bulkKinds[kind]
  if (count === undefined) return `all matching ${labels.toLowerCase()}`
  return `${count.toLocaleString('en-US')} ${(count === 1 ? label : labels).toLowerCase()}`
}
