import { useMemo } from 'react'
import { ledgerAccount, ledgerAccountCalls, type LedgerAccount } from '#contract/ledger/ledger-account.ts'
import type { LedgerField } from '#contract/ledger/ledger-field.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import type { ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import { LedgerTabs } from './ledger-tabs.tsx'
import { useLedgerFields } from './use-ledger-fields.ts'

/** The ledger accounts of one client, with a column for each of its ledger fields. */
export function LedgerAccountList() {
  const clientId = usePathId('client_id')
  const mayEdit = useCan('ledger_account.update')
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const { fields, loading } = useLedgerFields(clientId)
  const columns = useMemo(() => [...ownColumns, ...fields.map(fieldColumn)], [fields])
  const at = `/clients/${clientId}/ledger_accounts`
  return (
    <>
      <LedgerTabs clientId={clientId} />
      {!loading && (
        <ListPage
          entity={ledgerAccount}
          calls={ledgerAccountCalls}
          params={params}
          columns={columns}
          cells={cells}
          rowHref={mayEdit ? editHref : undefined}
          addNew={{ href: `${at}/new`, may: 'ledger_account.create' }}
          importHref={`${at}/import`}
          headerActions={<ButtonLink href={`/clients/${clientId}/ledger_settings`}>Ledger Settings</ButtonLink>}
          actions={actions}
        />
      )}
    </>
  )
}

const ownColumns: readonly ColumnWish<LedgerAccount>[] = [
  { key: 'name', width: 320 },
  { key: 'active', width: 120, filter: { kind: 'boolean', key: 'active', yes: 'Active', no: 'Inactive' } },
]
const cells = {
  active: (row: LedgerAccount) => <StatusDot tone={row.active ? 'ok' : 'grey'}>{row.active ? 'Active' : 'Inactive'}</StatusDot>,
} as const

/** A custom column, because the client defines its own fields. */
function fieldColumn({ id, name }: LedgerField): ColumnWish<LedgerAccount> {
  return {
    key: `ledger_field_${id}`,
    label: name,
    kind: 'text',
    cell: (row) => row.ledger_account_fields.find((own) => own.ledger_field_id === id)?.value ?? <Missing />,
  }
}

function actions(row: LedgerAccount) {
  return (
    <>
      <Can do="ledger_account.update">
        <MenuItem href={editHref(row)}>Edit</MenuItem>
      </Can>
      <Can do="ledger_account.destroy">
        <DeleteItem reloads call={ledgerAccountCalls.destroy} params={{ client_id: row.client_id, id: row.id }} name={row.name} />
      </Can>
    </>
  )
}

function editHref(row: LedgerAccount): string {
  return `/clients/${row.client_id}/ledger_accounts/${row.id}/edit`
}
