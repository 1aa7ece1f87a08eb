/** The bills of one account or of a group account, below that account's header. */
import { useMemo } from 'react'
import { bill, type BillRow } from '#contract/bills/bill.ts'
import { billListCalls } from '#contract/bills/bill-list-calls.ts'
import { AccountHeader } from '../billable-accounts/billable-accounts.ts'
import { GroupAccountHeader, GroupSupplyAccountHeader } from '../group-accounts/group-accounts.ts'
import type { ListCall } from '../kernel/lists/list-data.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import type { ExportCall } from '../kernel/lists/export-button.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { SupplyAccountHeader } from '../supply-accounts/supply-accounts.ts'
import { billActions, billCells, billLabelOf, billPageOf, useBillColumns } from './bill-columns.tsx'

/** A tab of a billable account. */
export function BillableAccountBills() {
  const id = usePathId('billable_account_id')
  return (
    <>
      <AccountHeader clientId={usePathId('client_id')} accountId={id} />
      <AccountBills
        call={billListCalls.ofBillableAccount}
        exportCsv={billListCalls.exportOfBillableAccount}
        id={id}
        title="Invoices"
        accountType="billable_account"
      />
    </>
  )
}

export function SupplyAccountBills() {
  const id = usePathId('supply_account_id')
  return (
    <>
      <SupplyAccountHeader clientId={usePathId('client_id')} accountId={id} />
      <AccountBills
        call={billListCalls.ofSupplyAccount}
        exportCsv={billListCalls.exportOfSupplyAccount}
        id={id}
        title="Supply Account’s Bills"
        accountType="supply_account"
      />
    </>
  )
}

export function GroupAccountBills() {
  const id = usePathId('group_account_id')
  return (
    <>
      <GroupAccountHeader clientId={usePathId('client_id')} accountId={id} />
      <AccountBills
        call={billListCalls.ofGroupAccount}
        exportCsv={billListCalls.exportOfGroupAccount}
        id={id}
        title="Bills"
        accountType="billable_account"
        ofGroup
      />
    </>
  )
}

export function GroupSupplyAccountBills() {
  const id = usePathId('group_supply_account_id')
  return (
    <>
      <GroupSupplyAccountHeader clientId={usePathId('client_id')} accountId={id} />
      <AccountBills
        call={billListCalls.ofGroupSupplyAccount}
        exportCsv={billListCalls.exportOfGroupSupplyAccount}
        id={id}
        title="Bills"
        accountType="supply_account"
        ofGroup
      />
    </>
  )
}

interface AccountBillsProps {
  call: ListCall<'bills', BillRow, { client_id: number; id: number }>
  exportCsv: ExportCall<{ client_id: number; id: number }>
  id: number
  title: string
  accountType: 'billable_account' | 'supply_account'
  /** Whether the bills belong to several accounts, so that each row names its account. */
  ofGroup?: boolean
}

/** "New bill" opens the form with the account already chosen. */
function AccountBills({ call, exportCsv, id, title, accountType, ofGroup = false }: AccountBillsProps) {
  const client_id = usePathId('client_id')
  const calls = useMemo(() => ({ list: call, exportCsv }), [call, exportCsv])
  return (
    <ListPage
      entity={bill}
      calls={calls}
      params={{ client_id, id }}
      title={title}
      columns={useBillColumns(ofGroup ? 'group' : 'account')}
      cells={billCells}
      rowHref={billPageOf}
      rowLabel={billLabelOf}
      actions={billActions}
      addNew={{ href: newBillOf(client_id, id, accountType, ofGroup), may: 'bill.create' }}
      listName={ofGroup ? 'group_account_bills' : 'account_bills'}
    />
  )
}

/** A group account's bill is entered together with those of its subaccounts. */
function newBillOf(clientId: number, id: number, accountType: AccountBillsProps['accountType'], ofGroup: boolean): string {
  if (ofGroup && accountType === 'billable_account') return `/clients/${clientId}/group_accounts/${id}/bills/new`
  return `/clients/${clientId}/bills/new?account_type=${accountType}&account_id=${id}`
}
