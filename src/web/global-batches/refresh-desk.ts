import { refreshed } from '../kernel/query.ts'

/** Reloads everything that a batch or a bank value changes. */
export function refreshDesk(): void {
  void deskRefreshed()
}

/** Like `refreshDesk`, but resolves once the visible data is loaded again. */
export function deskRefreshed(): Promise<void> {
  return refreshed(
    'global_bills',
    'global_batches',
    'global_batch_bank_value',
    'global_batch_files',
    'export_releases',
    'bills',
    'payment_batches',
    'vendor_payments',
  )
}
