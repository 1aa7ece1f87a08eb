/** What can be done with chosen bills, loaded when the first is chosen: the list itself stays light. */
import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import type { Chosen } from '../kernel/lists/list-selection.ts'
import { useCan } from '../kernel/permissions.tsx'

const BillBulk = lazy(() => import('./bill-bulk.tsx').then((module) => ({ default: module.BillBulk })))

/** For the `bulk` of a client's list of bills; undefined for who may change none. */
export function useBillBulk(clientId: number): ((chosen: Chosen) => ReactNode) | undefined {
  const may = useCan('bill.update')
  return useMemo(
    () =>
      may
        ? (chosen: Chosen) => (
            <Suspense fallback={null}>
              <BillBulk clientId={clientId} chosen={chosen} />
            </Suspense>
          )
        : undefined,
    [may, clientId],
  )
}
