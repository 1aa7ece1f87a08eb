/** The bulk actions on bills, loaded when the first bill is selected, so that the list itself stays small. */
import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import type { Chosen } from '../kernel/lists/list-selection.ts'
import { useCan } from '../kernel/permissions.tsx'

const BillBulk = lazy(() => import('./bill-bulk.tsx').then((module) => ({ default: module.BillBulk })))

/** For the `bulk` prop of a client's list of bills; undefined for users who may not change bills. */
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
