/** The rows of account alerts: the accounts' table with the column names of the specification. */
import { sql, type RawBuilder } from 'kysely'
import {
  accountColumns,
  accountJoins,
  accountTables,
  byAlias,
  type AccountKind,
  billableAccountScope,
  supplyAccountScope,
} from '../estate/estate.ts'
import type { Column, Source } from '../kernel/lists/list.ts'

/** The source of one kind of account for an alert. The list's own condition is added to it. */
export function accountAlertSource(kind: AccountKind, entity: Source['entity']): Source {
  const { table } = accountTables[kind]
  const { facility, vendor_name: vendor, service_names } = accountColumns(kind)
  const last = { sql: sql.ref(`${table}.last_bill_date`) }
  if (!facility || !vendor || !service_names) throw new Error('accounts have lost a column')
  const named: Readonly<Record<string, Column>> =
    kind === 'billable_account'
      ? { facility_name: facility, vendor_name: vendor, last_bills_date: last }
      : { facility, vendor, last_bill_date: last, address: { sql: addressOf(table) }, last_bill_due_date: { sql: dueDateOfLast(kind) } }
  return {
    entity,
    table,
    scope: kind === 'billable_account' ? billableAccountScope : supplyAccountScope,
    joins: accountJoins(kind),
    // The file is looked up for the rows of a page, if its bill is in the reader's reach.
    columns: { ...named, service_names, last_bill_file_url: { sql: sql`null::text` } },
    search: ['account_number', 'name', byAlias(kind)],
  }
}

function addressOf(table: string): RawBuilder<string> {
  const of = (column: string) => sql.ref(`${table}.${column}`)
  const street = sql`concat_ws(' ', ${of('street_address_1')}, ${of('street_address_2')})`
  return sql<string>`concat_ws(', ', nullif(${street}, ''), nullif(${of('city')}, ''), nullif(concat_ws(' ', ${of('state')}, ${of('zip')}), ''))`
}

function dueDateOfLast(kind: AccountKind): RawBuilder<unknown> {
  const { table, key } = accountTables[kind]
  return sql`(select bills.due_date from bills where bills.client_id = ${sql.ref(`${table}.client_id`)}
    and ${sql.ref(`bills.${key}`)} = ${sql.ref(`${table}.id`)} and bills.superseded_by_id is null order by bills.date desc, bills.id desc limit 1)`
}
