import { useMemo } from 'react'
import { supplyAccount, supplyAccountCalls, type SupplyAccount } from '#contract/accounts/supply-account.ts'
import { accountAt, AccountActions, accountCells, accountColumns, accountLabel } from '../accounts/accounts.ts'
import { useAccountBulk } from '../bulk-changes/bulk-changes.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { ServiceExportButton } from '../services/services.ts'

/** The supply accounts of a client, or of one of its facilities. */
export function SupplyAccountTable({ clientId, facilityId, title }: { clientId: number; facilityId?: number; title?: string }) {
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const query = useMemo(() => (facilityId === undefined ? undefined : { facility_id: facilityId }), [facilityId])
  const at = `/clients/${clientId}/supply_accounts`
  return (
    <ListPage
      entity={supplyAccount}
      calls={supplyAccountCalls}
      params={params}
      query={query}
      title={title}
      columns={facilityId === undefined ? columns : columnsInFacility}
      cells={accountCells}
      rowHref={accountHref}
      rowLabel={accountLabel}
      addNew={{ href: facilityId === undefined ? `${at}/new` : `${at}/new?facility_id=${facilityId}`, may: 'supply_account.create' }}
      emptyHint="A supply account belongs to a vendor, and its services supply the meters of billable accounts."
      importHref={`${at}/import`}
      headerActions={<ServiceExportButton accounts={supplyAccount} clientId={clientId} query={query} />}
      actions={accountActions}
      bulk={useAccountBulk('supply_account', clientId)}
    />
  )
}

/** The supply accounts of all clients; each row links to the page under its client. */
export function AllSupplyAccountTable() {
  return (
    <ListPage
      entity={supplyAccount}
      calls={allCalls}
      columns={allColumns}
      cells={accountCells}
      rowHref={accountHref}
      rowLabel={accountLabel}
      actions={accountActions}
      listName="all_supply_accounts"
    />
  )
}

const allCalls = { list: supplyAccountCalls.listAll, exportCsv: supplyAccountCalls.exportAll }
const columns = [...accountColumns, { key: 'last_bill_date', width: 116, grow: false }] as const
/** The page names the facility, so the names get the room of that column. */
const columnsInFacility = columns.map((wish) => (wish.key === 'facility' ? { ...wish, hidden: true } : wish))
const allColumns = [...columns, 'client'] as const

function accountActions(row: SupplyAccount) {
  return <AccountActions row={row} model="supply_account" destroy={supplyAccountCalls.destroy} />
}

function accountHref(row: SupplyAccount): string {
  return `${accountAt(row, 'supply_account')}/dashboard`
}
