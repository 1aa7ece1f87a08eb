import { bill } from '#contract/bills/bill.ts'
import { callWith } from '../kernel/api.ts'
import { connectionId } from '../kernel/connection.ts'
import { ExportStart } from '../kernel/lists/export-button.tsx'
import { useListState } from '../kernel/lists/list-state.ts'
import { Can } from '../kernel/permissions.tsx'
import { wireFilters } from '../kernel/lists/wire-filters.ts'

/** Starts the export of the listed bills with their lines, values and charges, in the format of their import. */
export function BillFileButton({ clientId }: { clientId: number }) {
  const { filters } = useListState(bill)
  const start = async () => {
    // The call depends on the whole import of bills, so it is loaded only when the file is requested.
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
