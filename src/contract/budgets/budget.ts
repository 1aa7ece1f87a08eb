/**
 * A budget: what one billable account is planned to cost in one calendar month. It follows the rights of its account: who reads the account
 * reads its budgets, who may change the account may make, change and delete them.
 */
import { crudCalls } from '../kernel/call.ts'
import { boolean, derived, entity, helped, money, month, numberText, ref, text, type Draft, type Row } from '../kernel/entity.ts'

export const budget = entity(
  'budget',
  'budgets',
  {
    billable_account_id: ref('Billable Account', 'billable_accounts'),
    account_number: derived(numberText('Account Number')),
    account_name: derived(text('Account Name')),
    vendor_name: derived(text('Vendor')),
    month: month('Month'),
    amount: money('Amount'),
    counts: derived(helped(boolean('Counts'), 'No: the group account has a budget of the month, which counts in its place.')),
    facility_id: derived(ref('Facility', 'facilities')),
    facility: derived(text('Facility')),
    division_id: derived(ref('Division', 'divisions')),
    division_name: derived(text('Division')),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: [
      'id',
      'billable_account_id',
      'account_number',
      'account_name',
      'vendor_name',
      'month',
      'amount',
      'counts',
      'facility_id',
      'facility',
      'division_id',
      'division_name',
    ],
    sort: ['month', 'account_number', 'amount', 'id'],
    defaultSort: 'month desc',
  },
)
export type Budget = Row<typeof budget>
export type BudgetDraft = Draft<typeof budget>

export const budgetCalls = {
  ...crudCalls(budget, '/clients/:client_id/budgets', {
    read: 'billable_account.read',
    create: 'billable_account.update',
    update: 'billable_account.update',
    destroy: 'billable_account.update',
  }),
}
