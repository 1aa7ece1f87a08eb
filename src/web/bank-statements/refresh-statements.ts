import { refresh } from '../kernel/query.ts'

export const statementsHref = '/global_batch/statements'
export const outstandingHref = '/global_batch/outstanding'

/** Everything that a cleared line changes is asked for again. */
export function refreshStatements(): void {
  refresh('bank_statements', 'bank_statement_lines', 'outstanding_payments', 'issued_checks', 'bills')
}
