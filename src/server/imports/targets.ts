/** The file imports by kind. A slice that adds one adds its line here. */
import type { ImportKindName } from '#contract/imports/import.ts'
import { billImport } from '../bill-import/bill-import.ts'
import { billableAccountImportTarget } from '../billable-accounts/billable-accounts.ts'
import { budgetImportTarget } from '../budgets/budgets.ts'
import { clientVendorNumberImportTarget } from '../client-vendor-numbers/client-vendor-numbers.ts'
import { clientImportTarget } from '../clients/clients.ts'
import { divisionImportTarget } from '../divisions/divisions.ts'
import { facilityImportTarget } from '../facilities/facilities.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'
import type { ImportWorker } from '../kernel/imports/import-worker.ts'
import { ledgerAccountImportTarget } from '../ledger-accounts/ledger-accounts.ts'
import { ledgerFieldImportTarget } from '../ledger-fields/ledger-fields.ts'
import { supplyAccountImportTarget } from '../supply-accounts/supply-accounts.ts'
import { vendorImportTarget } from '../vendors/vendors.ts'
import { degreeDayImportTarget } from '../weather/weather.ts'

const targets: Readonly<Record<ImportKindName, ImportTarget | ImportWorker>> = {
  bills: billImport,
  vendor: vendorImportTarget,
  client: clientImportTarget,
  division: divisionImportTarget,
  facility: facilityImportTarget,
  billableAccount: billableAccountImportTarget,
  supplyAccount: supplyAccountImportTarget,
  ledger_field: ledgerFieldImportTarget,
  ledger_account: ledgerAccountImportTarget,
  clientVendorNumber: clientVendorNumberImportTarget,
  budget: budgetImportTarget,
  degreeDay: degreeDayImportTarget,
}

/** Returns the kind's definition from its slice: a plan in SQL, or its own worker. */
export function targetOf(kind: ImportKindName): ImportTarget | ImportWorker {
  return targets[kind]
}
