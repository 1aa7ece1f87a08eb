/** The form of a correction: it waits for the bill that it corrects, starts from its values and shows what changes. */
import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { useFormPlace, useFormValues } from './form-context.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import type { BillValues } from './bill-values.ts'
import { RebillPanel } from './rebill-panel.tsx'
import { rebillValues } from './rebill-values.ts'

interface RebillStartProps {
  readonly clientId: number
  readonly billId: number
  readonly entry: BillEntry
  readonly children: (start: BillValues, correction: ReactNode) => ReactNode
}

/** Loads the corrected bill; its children render the form with the initial values and the panel above it. */
export function RebillStart({ clientId, billId, entry, children }: RebillStartProps) {
  const asked = useQuery({ ...apiQuery(billDetailCalls.get, { params: { client_id: clientId, id: billId } }), gcTime: 0 })
  return <RecordGate asked={asked}>{({ bill }) => children(rebillValues(bill, entry), <RebillOfForm original={bill} />)}</RecordGate>
}

/** Rendered inside the form, so that it follows the typed values. */
function RebillOfForm({ original }: { original: BillDetail }) {
  const { entry, set } = useFormPlace()
  const values = useFormValues()
  return <RebillPanel original={original} entry={entry} values={values} set={set} />
}
