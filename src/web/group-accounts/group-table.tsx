import { useMemo } from 'react'
import { groupAccount, groupSupplyAccount, type GroupAccount } from '#contract/accounts/group-account.ts'
import { groupAccountCalls, groupSupplyAccountCalls } from '#contract/accounts/group-account-calls.ts'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { Can } from '../kernel/permissions.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { billableGroups, groupAt, supplyGroups, type GroupKind } from './group-kinds.ts'

/** The group accounts of one client. They are created by a checkbox in an account's form, so the list has no add button. */
export function ClientGroupAccounts() {
  const params = useClient()
  return (
    <ListPage
      entity={groupAccount}
      calls={groupAccountCalls}
      params={params}
      columns={columns}
      empty={noneYet('billable')}
      {...billableList}
    />
  )
}

export function AllGroupAccounts() {
  return (
    <ListPage
      entity={groupAccount}
      calls={allCalls}
      columns={allColumns}
      listName="all_group_accounts"
      empty={noneYet('billable')}
      {...billableList}
    />
  )
}

export function ClientGroupSupplyAccounts() {
  const params = useClient()
  return (
    <ListPage
      entity={groupSupplyAccount}
      calls={groupSupplyAccountCalls}
      params={params}
      columns={columns}
      empty={noneYet('supply')}
      {...supplyList}
    />
  )
}

export function AllGroupSupplyAccounts() {
  return (
    <ListPage
      entity={groupSupplyAccount}
      calls={allSupplyCalls}
      columns={allColumns}
      listName="all_group_supply_accounts"
      empty={noneYet('supply')}
      {...supplyList}
    />
  )
}

function useClient() {
  const client_id = usePathId('client_id')
  return useMemo(() => ({ client_id }), [client_id])
}

const allCalls = { list: groupAccountCalls.listAll, exportCsv: groupAccountCalls.exportAll }
const allSupplyCalls = { list: groupSupplyAccountCalls.listAll, exportCsv: groupSupplyAccountCalls.exportAll }

const columns: readonly ColumnWish<GroupAccount>[] = [
  { key: 'name', width: 160 },
  { key: 'facility', width: 120 },
  { key: 'account_number', width: 116 },
  { key: 'street_address_1', label: 'Street Address', width: 126 },
  { key: 'street_address_2', hidden: true },
  { key: 'city', width: 90 },
  { key: 'state', width: 96 },
  { key: 'zip', width: 80, grow: false },
  { key: 'country', width: 78, grow: false },
  { key: 'last_bill_date', width: 112, grow: false },
  { key: 'subaccount_ids', width: 100, grow: false, kind: 'number' },
  { key: 'division_name', hidden: true },
  { key: 'vendor_name', hidden: true },
  { key: 'created_at', hidden: true },
]
const allColumns: readonly ColumnWish<GroupAccount>[] = [...columns, 'client']

const cells: Cells<GroupAccount> = { subaccount_ids: (row) => row.subaccount_ids.length.toLocaleString('en-US') }

const billableList = listOf(billableGroups)
const supplyList = listOf(supplyGroups)

function listOf(kind: GroupKind) {
  return {
    cells,
    rowHref: (row: GroupAccount) => `${groupAt(kind, row)}/dashboard`,
    rowLabel: (row: GroupAccount) => `${row.account_number} ${row.name}`,
    actions: (row: GroupAccount) => <GroupActions row={row} kind={kind} />,
  }
}

function GroupActions({ row, kind }: { row: GroupAccount; kind: GroupKind }) {
  const at = groupAt(kind, row)
  return (
    <>
      <MenuItem href={`${at}/subaccounts`}>Subaccounts</MenuItem>
      <Can do="bill.read">
        <MenuItem href={`${at}/bills`}>Bills</MenuItem>
      </Can>
      <Can do={kind.may}>
        <MenuItem href={`${at}/edit`}>Manage</MenuItem>
      </Can>
    </>
  )
}

function noneYet(noun: string) {
  return (
    <EmptyState title="There is no group account yet">
      A {noun} account becomes one when Group Account is ticked in its form. It must have no services of its own.
    </EmptyState>
  )
}
