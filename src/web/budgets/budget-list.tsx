import { useMemo } from 'react'
import { budget, budgetCalls, type Budget } from '#contract/budgets/budget.ts'
import { nameOfMonth } from '#contract/kernel/date.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { BudgetTabs, budgetsOf } from './budget-tabs.tsx'

/** The budgets of a client's accounts by month. */
export function BudgetList() {
  const clientId = usePathId('client_id')
  const mayEdit = useCan('billable_account.update')
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  const at = budgetsOf(clientId)
  return (
    <>
      <BudgetTabs clientId={clientId} current="list" />
      <ListPage
        entity={budget}
        calls={budgetCalls}
        params={params}
        columns={columns}
        rowHref={mayEdit ? editHref : undefined}
        rowLabel={nameOf}
        addNew={{ href: `${at}/new`, may: 'billable_account.update' }}
        importHref={`${at}/import`}
        actions={mayEdit ? actions : undefined}
        empty={
          <EmptyState title="No budgets yet">
            A budget is what an account is planned to cost in a month. Fill a year from last year, import a file, or add one.
          </EmptyState>
        }
      />
    </>
  )
}

const columns = [
  'month',
  { key: 'account_number', width: 160 },
  { key: 'account_name', width: 240 },
  'amount',
  'counts',
  'facility',
  'division_name',
] as const

function actions(row: Budget) {
  return (
    <Can do="billable_account.update">
      <MenuItem href={editHref(row)}>Edit</MenuItem>
      <DeleteItem call={budgetCalls.destroy} params={{ client_id: row.client_id, id: row.id }} name={nameOf(row)} />
    </Can>
  )
}

function nameOf(row: Budget): string {
  return `${row.account_number}, ${nameOfMonth(row.month)}`
}

function editHref(row: Budget): string {
  return `${budgetsOf(row.client_id)}/${row.id}/edit`
}
