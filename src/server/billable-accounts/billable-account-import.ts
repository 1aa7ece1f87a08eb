/** Billable accounts from a CSV file. Their meters come with the services' own screens. */
import { billableAccountImport } from '#contract/import-estate.ts'
import { sql, type SqlBool } from 'kysely'
import { copyAccountsToBills } from '../estate-copies.ts'
import type { ImportCheck, ImportCheckParts, ImportTarget } from '../kernel/import-target.ts'

export function billableAccountTarget(source: ImportTarget['source']): ImportTarget {
  return {
    kind: billableAccountImport,
    source,
    may: { create: 'billable_account.create', update: 'billable_account.update' },
    checks: (parts) => (parts.has('is_group_account') ? groupChecks(parts) : []),
    after: ({ tx }, { clientId, changed }) => copyAccountsToBills(tx, 'billable_account', clientId, changed('facility_id')),
  }
}

/** What a group account is stays fixed while something hangs on it, in the words of the form. */
function groupChecks({ item, draft }: ImportCheckParts): ImportCheck[] {
  const turned = sql`${item('id')} is not null and ${draft('is_group_account')} is not null and ${draft('is_group_account')}::boolean <> ${item('is_group_account')}`
  const column = 'is_group_account'
  return [
    {
      column,
      message: 'Group Account cannot change once the account has services',
      when: sql<SqlBool>`${turned} and exists (select from services where services.client_id = ${item('client_id')} and services.billable_account_id = ${item('id')})`,
    },
    {
      column,
      message: 'A subaccount cannot be a group account',
      when: sql<SqlBool>`${turned} and ${item('group_account_id')} is not null`,
    },
    {
      column,
      message: 'Group Account cannot change while the account has subaccounts',
      when: sql<SqlBool>`${turned} and exists (select from billable_accounts sub where sub.client_id = ${item('client_id')} and sub.group_account_id = ${item('id')})`,
    },
  ]
}
