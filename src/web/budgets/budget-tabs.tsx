import { useCan } from '../kernel/permissions.tsx'
import { Tabs } from '../ui/page-header.tsx'

type Tab = 'variance' | 'list' | 'fill'

/** The comparison, the budgets themselves, and what fills them. */
export function BudgetTabs({ clientId, current }: { clientId: number; current: Tab }) {
  const mayFill = useCan('billable_account.update')
  const at = budgetsOf(clientId)
  return (
    <Tabs
      label="Budgets"
      items={[
        { href: `${at}/variance`, label: 'Against Actual', current: current === 'variance' },
        { href: at, label: 'All Budgets', current: current === 'list' },
        ...(mayFill ? [{ href: `${at}/fill`, label: 'Fill from Last Year', current: current === 'fill' }] : []),
      ]}
    />
  )
}

export function budgetsOf(clientId: number): string {
  return `/clients/${clientId}/budgets`
}
