/** The page of a new bill: empty, or from the inbox document that the address names. */
import { lazy, Suspense, useState } from 'react'
import { usePathId, useSearchText } from '../kernel/navigation.tsx'
import { Skeleton } from '../ui/states.tsx'
import type { SavedNote } from './entry-gate.tsx'
import { NewBill } from './new-bill.tsx'

const ScanEntry = lazy(() => import('./scan-entry.tsx').then((module) => ({ default: module.ScanEntry })))

export function NewBillPage() {
  const clientId = usePathId('client_id')
  const scanId = useScanId()
  // Shown in the form of the next document, which is another component instance.
  const [saved, setSaved] = useState<SavedNote | null>(null)
  if (scanId === null) return <NewBill />
  return (
    <Suspense fallback={<Skeleton height={400} />}>
      <ScanEntry key={scanId} clientId={clientId} scanId={scanId} saved={saved} onSaved={setSaved} />
    </Suspense>
  )
}

function useScanId(): number | null {
  const { scan_id: text = '' } = useSearchText()
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}
