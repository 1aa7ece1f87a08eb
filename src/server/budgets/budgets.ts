/** Budgets of accounts by month: the list, what is compared with them, and what fills them from the year before. */
import { budget, budgetCalls } from '#contract/budgets/budget.ts'
import { budgetFillCalls } from '#contract/budgets/budget-fill.ts'
import { budgetVarianceCalls } from '#contract/budgets/budget-variance.ts'
import { sql, type SqlBool } from 'kysely'
import { budgetScope } from '../estate/estate.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { crudHandlers, resource } from '../kernel/lists/resource.ts'
import type { RowRule } from '../kernel/lists/row-rules.ts'
import { fillBudgets, proposalOf } from './budget-fill.ts'
import { budgetTarget } from './budget-import.ts'
import { varianceOf } from './budget-variance.ts'

export { fillBudgets, proposalOf } from './budget-fill.ts'
export { readFiscalYearStart } from './read-planned-accounts.ts'

const budgets = resource({
  entity: budget,
  table: 'budgets',
  scope: budgetScope,
  joins: {
    account: sql`join billable_accounts account on account.client_id = budgets.client_id and account.id = budgets.billable_account_id`,
    vendor: sql`join vendors vendor on vendor.id = account.vendor_id`,
    facility: sql`join facilities facility on facility.client_id = account.client_id and facility.id = account.facility_id`,
    division: sql`join divisions division on division.client_id = facility.client_id and division.id = facility.division_id`,
  },
  columns: {
    account_number: { sql: sql.ref('account.account_number'), joins: ['account'] },
    account_name: { sql: sql.ref('account.name'), joins: ['account'] },
    vendor_name: { sql: sql.ref('vendor.name'), joins: ['account', 'vendor'] },
    facility_id: { sql: sql.ref('account.facility_id'), joins: ['account'] },
    facility: { sql: sql.ref('facility.name'), joins: ['account', 'facility'] },
    division_id: { sql: sql.ref('facility.division_id'), joins: ['account', 'facility'] },
    division_name: { sql: sql.ref('division.name'), joins: ['account', 'facility', 'division'] },
    counts: {
      sql: sql`not exists (select from budgets of_group where of_group.client_id = budgets.client_id
        and of_group.billable_account_id = account.group_account_id and of_group.month = budgets.month)`,
      joins: ['account'],
    },
  },
  search: ['account_number', 'account_name'],
  rules: [isOnlyOne()],
})

export const budgetImportTarget = budgetTarget(budgets)

export const budgetHandlers: readonly Handler[] = [
  ...Object.values(crudHandlers(budgetCalls, budgets)),
  handle(budgetVarianceCalls.get, (context, { params, query }) => varianceOf(context, params.client_id, query)),
  handle(budgetFillCalls.proposal, (context, { params, query }) => proposalOf(context, params.client_id, query)),
  handle(budgetFillCalls.fill, (context, { params, body }) => fillBudgets(context, params.client_id, body.fill)),
]

/** Gives a readable error for what the unique index guarantees: an account has one budget a month. */
function isOnlyOne(): RowRule {
  return {
    field: 'month',
    about: ['billable_account_id', 'month'],
    message: 'This account has a budget of this month already',
    when: ({ clientId, item, will }) => sql<SqlBool>`exists (select from budgets other where other.client_id = ${clientId}
      and other.billable_account_id = ${will('billable_account_id')} and other.month = ${will('month')} and other.id is distinct from ${item('id')})`,
  }
}
