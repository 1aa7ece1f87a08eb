import { refresh } from '../kernel/query.ts'

/** Everything that a check number or a positive pay file changes is asked for again. */
export function refreshChecks(): void {
  refresh('issued_checks', 'positive_pay', 'global_batch_files', 'global_batches', 'bills', 'vendor_payments')
}
