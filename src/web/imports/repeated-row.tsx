/** Compares a rejected row with the stored bill that it duplicates. */
import { useQuery } from '@tanstack/react-query'
import { compareHeads } from '#contract/bills/compare-values.ts'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { headOfCells } from '#contract/bill-import/imported-head.ts'
import type { ImportRow } from '#contract/imports/import.ts'
import { ComparedTable } from '../bills/bills.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { UiLink } from '../ui/link.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'

const width = 760

interface RepeatedRowProps {
  readonly clientId: number
  readonly row: ImportRow
  readonly billId: number
  readonly onClose: () => void
}

export function RepeatedRow({ clientId, row, billId, onClose }: RepeatedRowProps) {
  const asked = useQuery(apiQuery(billDetailCalls.get, { params: { client_id: clientId, id: billId } }))
  return (
    <Modal open width={width} title={`Line ${row.line} and bill ${billId}`} onClose={onClose}>
      <RecordGate asked={asked}>
        {({ bill }) => (
          <ComparedTable
            label={`Line ${row.line} and bill ${billId}`}
            groups={compareHeads(headOfCells(row.cells), bill)}
            left={`Line ${row.line} of the file`}
            right={<UiLink href={`/clients/${clientId}/bills/${billId}`}>{`Bill ${billId}`}</UiLink>}
          />
        )}
      </RecordGate>
    </Modal>
  )
}
