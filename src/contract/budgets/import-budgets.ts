/** The import of budgets: a row is an account, a month and an amount. */
import { column, importKind, reference } from '../kernel/import.ts'
import { budget } from './budget.ts'

const { fields } = budget

export const budgetImport = importKind({
  name: 'budget',
  label: 'Budget',
  labels: 'Budgets',
  key: ['account_number', 'month'],
  passedOver: [
    'id',
    'billable_account',
    'account_name',
    'vendor',
    'vendor_name',
    'counts',
    'facility',
    'division',
    'facility_id',
    'division_id',
    'division_name',
    'client',
  ],
  notes: ['Where several accounts have the same number, their budgets are entered in the form.'],
  columns: [
    reference('account_number', fields.billable_account_id, {
      key: 'billable_account_id',
      meaning: 'The number of the billable account.',
      examples: ['4417-002-88', '4417-002-88'],
      to: { refers: 'billable_accounts', by: 'account_number', label: 'billable account' },
    }),
    column('month', fields.month, { meaning: 'The calendar month that the budget is for.', examples: ['2027-01', '2027-02'] }),
    column('amount', fields.amount, { meaning: 'What the account is planned to cost in the month.', examples: ['1250.00', '1180.00'] }),
  ],
})
