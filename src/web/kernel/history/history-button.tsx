import { lazy, Suspense, useState } from 'react'
import { History } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import type { HistoryOf } from './history-of.ts'

const HistoryPanel = lazy(() => import('./history-panel.tsx').then((module) => ({ default: module.HistoryPanel })))

/** Button in a record's header that opens its change history. */
export function HistoryButton(of: HistoryOf) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button kind="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <History size={14} aria-hidden="true" />
        History
      </Button>
      {open && (
        <Suspense fallback={null}>
          <HistoryPanel {...of} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
