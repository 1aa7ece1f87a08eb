/** Billable accounts from a CSV file, with their services. */
import { billableAccountImport } from '#contract/import-accounts.ts'
import { accountChecks, accountMatch, aliasesColumn, groupColumn } from '../estate-account-import.ts'
import { copyAccountsToBills } from '../estate-copies.ts'
import { serviceImportPart } from '../estate-service-import.ts'
import type { ImportTarget } from '../kernel/import-target.ts'

const kind = 'billable_account'

export function billableAccountTarget(source: ImportTarget['source']): ImportTarget {
  return {
    kind: billableAccountImport,
    source,
    may: { create: 'billable_account.create', update: 'billable_account.update' },
    match: accountMatch(kind),
    own: { aliases: aliasesColumn(kind), group_account_id: groupColumn(kind) },
    part: serviceImportPart(kind),
    checks: (parts) => accountChecks(kind, parts),
    after: ({ tx }, { clientId, changed }) => copyAccountsToBills(tx, kind, clientId, changed('facility_id')),
  }
}
