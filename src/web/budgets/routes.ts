import type { PageRoute } from '../kernel/page-route.ts'

const base = '/clients/:client_id/budgets'

export const budgetRoutes: readonly PageRoute[] = [
  {
    path: base,
    title: 'Budgets',
    may: 'billable_account.read',
    page: async () => (await import('./budget-list.tsx')).BudgetList,
  },
  {
    path: `${base}/variance`,
    title: 'Budget against Actual',
    may: 'billable_account.read',
    page: async () => (await import('./variance-page.tsx')).VariancePage,
  },
  {
    path: `${base}/fill`,
    title: 'Fill Budgets from Last Year',
    may: 'billable_account.update',
    page: async () => (await import('./fill-page.tsx')).FillPage,
  },
  {
    path: `${base}/new`,
    title: 'New Budget',
    may: 'billable_account.update',
    page: async () => (await import('./budget-form.tsx')).NewBudget,
  },
  {
    path: `${base}/:budget_id/edit`,
    title: 'Edit Budget',
    may: 'billable_account.update',
    page: async () => (await import('./budget-form.tsx')).EditBudget,
  },
]
