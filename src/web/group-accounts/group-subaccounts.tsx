import { useMemo } from 'react'
import { subaccount, type Subaccount } from '#contract/accounts/subaccount.ts'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { Can } from '../kernel/permissions.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { StatusDot } from '../ui/status.tsx'
import { GroupHeader } from './group-header.tsx'
import { billableGroups, groupAt, supplyGroups, type GroupKind } from './group-kinds.ts'

/** The subaccounts of a group account; each row links to the account's own pages. */
export function GroupAccountSubaccounts() {
  return <Subaccounts kind={billableGroups} id={usePathId('group_account_id')} />
}

export function GroupSupplyAccountSubaccounts() {
  return <Subaccounts kind={supplyGroups} id={usePathId('group_supply_account_id')} />
}

function Subaccounts({ kind, id }: { kind: GroupKind; id: number }) {
  const client_id = usePathId('client_id')
  const params = useMemo(() => ({ client_id, id }), [client_id, id])
  const calls = useMemo(() => ({ list: kind.subaccounts, exportCsv: kind.exportSubaccounts }), [kind])
  const manage = (
    <Can do={kind.may}>
      <ButtonLink href={`${groupAt(kind, params)}/edit`}>Manage</ButtonLink>
    </Can>
  )
  return (
    <>
      <GroupHeader clientId={client_id} accountId={id} kind={kind} />
      <ListPage
        entity={subaccount}
        calls={calls}
        params={params}
        columns={columns}
        cells={cells}
        rowHref={(row) => `${accountAt(row, kind)}/dashboard`}
        rowLabel={(row) => `${row.account_number} ${row.name}`}
        actions={(row) => <SubaccountActions row={row} kind={kind} />}
        headerActions={manage}
        listName={`${kind.entity.name}_subaccounts`}
        empty={
          <EmptyState title="It gathers no account yet" actions={manage}>
            Choose on its Manage page which accounts belong to it.
          </EmptyState>
        }
      />
    </>
  )
}

const columns: readonly ColumnWish<Subaccount>[] = [
  { key: 'account_number', width: 130 },
  { key: 'name', width: 180 },
  { key: 'facility', width: 140 },
  { key: 'street_address_1', label: 'Street Address', width: 140 },
  { key: 'street_address_2', hidden: true },
  { key: 'city', width: 100 },
  { key: 'state', width: 104 },
  { key: 'zip', width: 80, grow: false },
  { key: 'country', width: 78, grow: false },
  { key: 'active', width: 98, grow: false, filter: { kind: 'boolean', key: 'active', yes: 'Active', no: 'Inactive' } },
  { key: 'vendor_name', hidden: true },
  { key: 'last_bill_date', hidden: true },
]

const cells: Cells<Subaccount> = {
  active: (row) => <StatusDot tone={row.active ? 'ok' : 'grey'}>{row.active ? 'Active' : 'Inactive'}</StatusDot>,
}

function accountAt({ client_id, id }: Subaccount, { model }: GroupKind): string {
  return `/clients/${client_id}/${model}s/${id}`
}

function SubaccountActions({ row, kind }: { row: Subaccount; kind: GroupKind }) {
  const at = accountAt(row, kind)
  return (
    <>
      <Can do={kind.may}>
        <MenuItem href={`${at}/edit`}>Edit</MenuItem>
      </Can>
      <MenuItem href={`${at}/dashboard`}>View</MenuItem>
    </>
  )
}
