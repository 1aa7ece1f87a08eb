import { bill } from '#contract/bills/bill.ts'
import { callWith } from '../kernel/api.ts'
import { connectionId } from '../kernel/connection.ts'
import { ExportStart } from '../kernel/lists/export-button.tsx'
import { useListState } from '../kernel/lists/list-state.ts'
import { Can } from '../kernel/permissions.tsx'
import { wireFilters } from '../kernel/lists/wire-filters.ts'

/** Starts the file of the bills that the list shows with their lines, values and charges, which their import takes. */
export function BillFileButton({ clientId }: { clientId: number }) {
  const { filters } = useListState(bill)
  const start = async () => {
    // The call stands on the whole import of bills, which the list does without until somebody asks for the file.
    const { billFileCalls } = await import('#contract/bill-import/bill-file.ts')
    return callWith(billFileCalls.exportCsv, {
      params: { client_id: clientId },
      query: { q: wireFilters(filters), connection_id: connectionId },
    })
  }
  return (
    <Can do="bill.read">
      <ExportStart label="Export with lines" labels="Bills with lines" start={start} />
    </Can>
  )
}
