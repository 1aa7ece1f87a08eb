import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billableAccountCalls } from '#contract/accounts/billable-account.ts'
import { budget, budgetCalls, type Budget } from '#contract/budgets/budget.ts'
import { EntityForm } from '../kernel/forms/entity-form.tsx'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { budgetsOf } from './budget-tabs.tsx'

export function NewBudget() {
  return <BudgetForm />
}

export function EditBudget() {
  const params = { client_id: usePathId('client_id'), id: usePathId('budget_id') }
  const asked = useQuery(apiQuery(budgetCalls.get, { params }))
  return <RecordGate asked={asked}>{(found) => <BudgetForm row={found.budget} />}</RecordGate>
}

const sections = [{ fields: ['billable_account_id', 'month', 'amount'] }] as const

function BudgetForm({ row }: { row?: Budget }) {
  const client_id = usePathId('client_id')
  const pickers = useMemo(
    () => ({ billable_account_id: optionsOf('billable_accounts', billableAccountCalls.selectOptions, { client_id }) }),
    [client_id],
  )
  const list = budgetsOf(client_id)
  return (
    <EntityForm
      entity={budget}
      row={row}
      {...formCalls(budgetCalls, 'budget', { client_id })}
      sections={sections}
      pickers={pickers}
      backHref={list}
    />
  )
}
