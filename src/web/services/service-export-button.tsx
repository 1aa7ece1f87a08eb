import type { Entity } from '#contract/kernel/entity.ts'
import { serviceFileCalls } from '#contract/accounts/service-file.ts'
import { callWith } from '../kernel/api.ts'
import { connectionId } from '../kernel/connection.ts'
import { ExportStart } from '../kernel/lists/export-button.tsx'
import type { FixedQuery } from '../kernel/lists/list-data.ts'
import { useListState } from '../kernel/lists/list-state.ts'
import { Can } from '../kernel/permissions.tsx'
import { wireFilters } from '../kernel/lists/wire-filters.ts'

export type ServiceExportButtonProps = {
  /** The account list that contains the button; the filters in its address apply to the file. */
  accounts: Pick<Entity, 'name' | 'plural' | 'label' | 'labels' | 'fields' | 'list'>
  clientId: number
  query: FixedQuery | undefined
}

/** Starts the export of all services of the listed accounts, in the format of their import. */
export function ServiceExportButton({ accounts, clientId, query }: ServiceExportButtonProps) {
  const { filters } = useListState(accounts)
  const call = accounts.name === 'supply_account' ? serviceFileCalls.ofSupplyAccounts : serviceFileCalls.ofBillableAccounts
  const start = () =>
    callWith(call, { params: { client_id: clientId }, query: { ...query, q: wireFilters(filters), connection_id: connectionId } })
  return (
    <Can do="service.read">
      <ExportStart label="Export services" labels="Services" start={start} />
    </Can>
  )
}
