/** The imports that take files, by kind. A slice that brings one adds its line. */
import type { ImportKindName } from '#contract/import.ts'
import { billableAccountImportTarget } from '../billable-accounts/billable-accounts.ts'
import { clientVendorNumberImportTarget } from '../client-vendor-numbers/client-vendor-numbers.ts'
import { clientImportTarget } from '../clients/clients.ts'
import { divisionImportTarget } from '../divisions/divisions.ts'
import { facilityImportTarget } from '../facilities/facilities.ts'
import type { ImportTarget } from '../kernel/import-target.ts'
import { ledgerAccountImportTarget } from '../ledger-accounts/ledger-accounts.ts'
import { ledgerFieldImportTarget } from '../ledger-fields/ledger-fields.ts'
import { supplyAccountImportTarget } from '../supply-accounts/supply-accounts.ts'
import { vendorImportTarget } from '../vendors/vendors.ts'

const targets: Readonly<Partial<Record<ImportKindName, ImportTarget>>> = {
  vendor: vendorImportTarget,
  client: clientImportTarget,
  division: divisionImportTarget,
  facility: facilityImportTarget,
  billableAccount: billableAccountImportTarget,
  supplyAccount: supplyAccountImportTarget,
  ledger_field: ledgerFieldImportTarget,
  ledger_account: ledgerAccountImportTarget,
  clientVendorNumber: clientVendorNumberImportTarget,
}

/** Throws where the kind takes no files. */
export function targetOf(kind: ImportKindName): ImportTarget {
  const target = targets[kind]
  if (!target) throw new Error(`imports of ${kind} take no files`)
  return target
}
