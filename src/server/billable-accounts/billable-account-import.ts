/** Billable accounts from a CSV file, with their services. */
import { billableAccountImport } from '#contract/accounts/import-accounts.ts'
import { accountMatch, aliasesColumn, groupColumn, copyAccountsToBills, serviceImportPart } from '../estate/estate.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'

const kind = 'billable_account'

export function billableAccountTarget(source: ImportTarget['source']): ImportTarget {
  return {
    kind: billableAccountImport,
    source,
    may: { create: 'billable_account.create', update: 'billable_account.update' },
    match: accountMatch(kind),
    own: { aliases: aliasesColumn(kind), group_account_id: groupColumn(kind) },
    part: serviceImportPart(kind),
    after: ({ tx }, { clientId, changed }) => copyAccountsToBills(tx, kind, clientId, changed('facility_id')),
  }
}
