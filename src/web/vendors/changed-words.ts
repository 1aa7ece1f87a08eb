import { vendor } from '#contract/vendor.ts'
import type { VendorBankChange } from '#contract/vendor-bank-change.ts'

/** 'Routing Number, Account Holder' */
export function changedWords({ changed }: Pick<VendorBankChange, 'changed'>): string {
  return changed.map((key) => vendor.fields[key].label).join(', ')
}
