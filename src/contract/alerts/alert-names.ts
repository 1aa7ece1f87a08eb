/** The four alert lists by name. Separate from their calls, because the console's routes and menus need only this. */

/** The four lists in menu order, each with the model whose read right it requires. */
export const alerts = [
  {
    key: 'billable_accounts_missing_bills',
    label: 'Billable Accounts W/O Bills Past 30 Days',
    model: 'billable_account',
    means: 'Active accounts whose last bill is dated more than 30 days ago, or that have none and were entered before that.',
  },
  {
    key: 'supply_accounts_missing_bills',
    label: 'Supply Accounts W/O Bills Past 30 Days',
    model: 'supply_account',
    means: 'Active accounts whose last bill is dated more than 30 days ago, or that have none and were entered before that.',
  },
  {
    key: 'billable_accounts_consecutive_estimations',
    label: 'Billable Accounts With Three Consecutive Estimated Reads',
    model: 'billable_account',
    means: 'Active accounts with an active meter whose last three reads were all estimated.',
  },
  {
    key: 'past_due_bills',
    label: 'Bills 30+ Days Past Due',
    model: 'bill',
    means: 'Unpaid bills that were due 30 or more days ago.',
  },
] as const
export type AlertKey = (typeof alerts)[number]['key']
