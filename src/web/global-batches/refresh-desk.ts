import { refreshed } from '../kernel/query.ts'

/** Everything that a batch or a bank value changes is asked for again. */
export function refreshDesk(): void {
  void deskRefreshed()
}

/** The same, for who goes on only when the screen shows what is stored now. */
export function deskRefreshed(): Promise<void> {
  return refreshed(
    'global_bills',
    'global_batches',
    'global_batch_bank_value',
    'global_batch_files',
    'bills',
    'payment_batches',
    'vendor_payments',
  )
}
