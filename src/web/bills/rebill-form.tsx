/** The form of a correction: it waits for the bill that it corrects, starts from it, and shows what it changes. */
import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billDetailCalls, type BillDetail } from '#contract/bill-detail.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { useFormPlace } from './form/form-context.ts'
import { RebillPanel } from './rebill-panel.tsx'

interface RebillGateProps {
  readonly clientId: number
  readonly billId: number | null
  readonly children: (original: BillDetail | null) => ReactNode
}

/** The bill that the address names as `rebill_of_id`; children stand alone where it names none. */
export function RebillGate({ clientId, billId, children }: RebillGateProps) {
  const asked = useQuery({
    ...apiQuery(billDetailCalls.get, { params: { client_id: clientId, id: billId ?? 0 } }),
    gcTime: 0,
    enabled: billId !== null,
  })
  return billId === null ? children(null) : <RecordGate asked={asked}>{({ bill }) => children(bill)}</RecordGate>
}

/** Stands inside the form and follows what is typed. */
export function RebillOfForm({ original }: { original: BillDetail }) {
  const { entry, values, set } = useFormPlace()
  return <RebillPanel original={original} entry={entry} values={values} set={set} />
}
