import { vendor } from '#contract/vendors/vendor.ts'
import type { VendorBankChange } from '#contract/vendors/vendor-bank-change.ts'

/** Returns the labels of the changed fields: 'Routing Number, Account Holder'. */
export function changedWords({ changed }: Pick<VendorBankChange, 'changed'>): string {
  return changed.map((key) => vendor.fields[key].label).join(', ')
}
