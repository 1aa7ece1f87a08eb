/** Budgets from a CSV file. An account has one budget a month, so the two are the key: a row of a month that has one changes its amount. */
import { budgetImport } from '#contract/budgets/import-budgets.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'

export function budgetTarget(source: ImportTarget['source']): ImportTarget {
  return { kind: budgetImport, source, may: { create: 'billable_account.update', update: 'billable_account.update' } }
}
