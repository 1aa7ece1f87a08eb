import { refresh } from '../kernel/query.ts'

/** Everything that a batch or a bank value changes is asked for again. */
export function refreshDesk(): void {
  refresh('global_bills', 'global_batches', 'global_batch_bank_value', 'global_batch_files', 'bills', 'payment_batches', 'vendor_payments')
}
