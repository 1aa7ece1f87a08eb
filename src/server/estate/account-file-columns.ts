/** Columns of account files that are no columns of the table. */
import { sql } from 'kysely'
import { scopeCondition, type Asked, type ExportedText } from '../kernel/lists/list.ts'
import { accountScope } from './estate-scope.ts'
import { type AccountKind, accountTables } from './estate-accounts.ts'

/**
 * Returns additional columns of an account list's file in the form of the import: names and codes in place of ids. The number of a group account
 * is for who reaches that account.
 */
export function accountFileColumns(kind: AccountKind, asked: Asked): ExportedText[] {
  const { table, group } = accountTables[kind]
  const of = (column: string) => sql.ref(`${table}.${column}`)
  return [
    { header: 'vendor_short_code', sql: sql`(select short_code from vendors where vendors.id = ${of('vendor_id')})` },
    {
      header: 'facility_number',
      sql: sql`(select number from facilities where facilities.client_id = ${of('client_id')} and facilities.id = ${of('facility_id')})`,
    },
    { header: 'is_group_account', sql: sql`case when ${of('is_group_account')} then 'Y' else 'N' end` },
    {
      header: 'group_account_number',
      sql: sql`(select gathering.account_number from ${sql.table(table)} gathering where gathering.client_id = ${of('client_id')} and gathering.id = ${of(group)}
        and ${scopeCondition({ scope: accountScope('gathering', kind) }, asked)})`,
    },
  ]
}
