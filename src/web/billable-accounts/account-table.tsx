import { useMemo } from 'react'
import { billableAccount, billableAccountCalls, type BillableAccount } from '#contract/accounts/billable-account.ts'
import { accountAt, AccountActions, accountCells, accountColumns, accountLabel } from '../accounts/accounts.ts'
import { useAccountBulk } from '../bulk-changes/bulk-changes.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { ServiceExportButton } from '../services/services.ts'

/** The billable accounts of a client, or of one of its facilities. */
export function AccountTable({ clientId, facilityId, title }: { clientId: number; facilityId?: number; title?: string }) {
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const query = useMemo(() => (facilityId === undefined ? undefined : { facility_id: facilityId }), [facilityId])
  const at = `/clients/${clientId}/billable_accounts`
  return (
    <ListPage
      entity={billableAccount}
      calls={billableAccountCalls}
      params={params}
      query={query}
      title={title}
      columns={facilityId === undefined ? columns : columnsInFacility}
      cells={accountCells}
      rowHref={accountHref}
      rowLabel={accountLabel}
      addNew={{ href: facilityId === undefined ? `${at}/new` : `${at}/new?facility_id=${facilityId}`, may: 'billable_account.create' }}
      emptyHint="An account belongs to a facility and a vendor. Its services are added next."
      importHref={`${at}/import`}
      headerActions={<ServiceExportButton accounts={billableAccount} clientId={clientId} query={query} />}
      actions={accountActions}
      bulk={useAccountBulk('billable_account', clientId)}
    />
  )
}

/** The billable accounts of all clients; each row links to the page under its client. */
export function AllAccountTable() {
  return (
    <ListPage
      entity={billableAccount}
      calls={allCalls}
      columns={allColumns}
      cells={accountCells}
      rowHref={accountHref}
      rowLabel={accountLabel}
      actions={accountActions}
      listName="all_billable_accounts"
    />
  )
}

const allCalls = { list: billableAccountCalls.listAll, exportCsv: billableAccountCalls.exportAll }
const columns = [...accountColumns, { key: 'last_bills_date', width: 116, grow: false }] as const
/** The page names the facility, so the names get the room of that column. */
const columnsInFacility = columns.map((wish) => (wish.key === 'facility' ? { ...wish, hidden: true } : wish))
const allColumns = [...columns, 'client'] as const

function accountActions(row: BillableAccount) {
  return <AccountActions row={row} model="billable_account" destroy={billableAccountCalls.destroy} />
}

function accountHref(row: BillableAccount): string {
  return `${accountAt(row, 'billable_account')}/dashboard`
}
