/** The lists that allow bulk changes. */
import { bulkKindNames, bulkKinds, type BulkKindName } from '#contract/bulk-changes/bulk-change.ts'
import type { ImportKindName } from '#contract/imports/import.ts'
import { billableAccounts } from '../billable-accounts/billable-accounts.ts'
import { copyAccountsToBills } from '../estate/estate.ts'
import { supplyAccounts } from '../supply-accounts/supply-accounts.ts'
import { billTarget } from './bill-target.ts'
import type { BulkTarget } from './bulk-target.ts'

const targets: Readonly<Record<BulkKindName, BulkTarget>> = {
  billable_account: accountTarget('billable_account', billableAccounts, 'billableAccount'),
  supply_account: accountTarget('supply_account', supplyAccounts, 'supplyAccount'),
  bill: billTarget,
}

export function targetOf(kind: string): BulkTarget {
  const name = bulkKindNames.find((one) => one === kind)
  if (!name) throw new Error(`no list of ${kind} changes many at once`)
  return targets[name]
}

function accountTarget(kind: Exclude<BulkKindName, 'bill'>, source: BulkTarget['source'], importKind: ImportKindName): BulkTarget {
  return {
    kind: bulkKinds[kind],
    source,
    may: `${kind}.update`,
    importKind,
    title: 'account_number',
    detail: 'name',
    after: async ({ tx }, { clientId, changed, isAbout }) => {
      if (isAbout('facility_id', 'vendor_id')) await copyAccountsToBills(tx, kind, clientId, changed('facility_id', 'vendor_id'))
    },
  }
}
