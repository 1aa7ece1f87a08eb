import { useMemo } from 'react'
import { ledgerField, ledgerFieldCalls, type LedgerField } from '#contract/ledger/ledger-field.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { LedgerTabs } from './ledger-tabs.tsx'

/** The ledger fields of one client. */
export function LedgerFieldList() {
  const clientId = usePathId('client_id')
  const mayEdit = useCan('ledger_field.update')
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const at = `/clients/${clientId}/ledger_fields`
  return (
    <>
      <LedgerTabs clientId={clientId} />
      <ListPage
        entity={ledgerField}
        calls={ledgerFieldCalls}
        params={params}
        columns={columns}
        rowHref={mayEdit ? editHref : undefined}
        addNew={{ href: `${at}/new`, may: 'ledger_field.create' }}
        importHref={`${at}/import`}
        actions={actions}
        empty={
          <EmptyState title="No ledger fields yet">
            They are the parts of the account string of this client’s books, such as the company or the cost center. Each becomes a column
            of its ledger accounts.
          </EmptyState>
        }
      />
    </>
  )
}

const columns = [{ key: 'name', width: 280 }, { key: 'description', width: 420 }, 'order'] as const

function actions(row: LedgerField) {
  return (
    <>
      <Can do="ledger_field.update">
        <MenuItem href={editHref(row)}>Edit</MenuItem>
      </Can>
      <Can do="ledger_field.destroy">
        <DeleteItem reloads call={ledgerFieldCalls.destroy} params={{ client_id: row.client_id, id: row.id }} name={row.name} />
      </Can>
    </>
  )
}

function editHref(row: LedgerField): string {
  return `/clients/${row.client_id}/ledger_fields/${row.id}/edit`
}
