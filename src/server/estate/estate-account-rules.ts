/** The rules of billable and supply accounts that read other rows, for forms, files and bulk changes alike. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { accountTables, type AccountKind } from './estate-accounts.ts'
import { plainNumberColumn } from '../kernel/lists/list.ts'
import { turns, type RowRule, type RuleRow } from '../kernel/lists/row-rules.ts'

type Sql = RawBuilder<unknown>

export function accountRules(kind: AccountKind): RowRule[] {
  return [...groupRules(kind), aliasRule(kind), ...vendorWarnings(kind)]
}

/** An account stays a group account, or an ordinary one, while it has services or subaccounts. */
function groupRules(kind: AccountKind): RowRule[] {
  const { table, key, group } = accountTables[kind]
  const rule = (message: string, when: (row: RuleRow) => RawBuilder<SqlBool>): RowRule => ({
    field: 'is_group_account',
    about: ['is_group_account'],
    message,
    when: (row) => sql<SqlBool>`${turns(row, 'is_group_account')} and ${when(row)}`,
  })
  const hangs = ({ item }: RuleRow, of: string, column: string) =>
    sql<SqlBool>`exists (select from ${sql.table(of)} hung where hung.client_id = ${item('client_id')} and ${sql.ref(`hung.${column}`)} = ${item('id')})`
  return [
    rule('Group Account cannot change once the account has services', (row) => hangs(row, 'services', key)),
    rule('A subaccount cannot be a group account', ({ item }) => sql<SqlBool>`${item(group)} is not null`),
    rule('Group Account cannot change while the account has subaccounts', (row) => hangs(row, table, group)),
  ]
}

/**
 * An alias must not be a number or an alias of another account of the same vendor: a bill that names it would be ambiguous. Numbers are
 * compared as for statements, without spaces and dashes.
 */
function aliasRule(kind: AccountKind): RowRule {
  return {
    field: 'aliases',
    about: ['aliases', 'vendor_id'],
    message: '{} is a number or an alias of another account of the same vendor',
    unnamed: 'An alias',
    culprit: (row) => {
      const parent = sql.ref(`own.${accountTables[kind].key}`)
      const stored = sql`(select coalesce(jsonb_agg(own.alias), '[]') from account_aliases own where own.client_id = ${row.item('client_id')} and ${parent} = ${row.item('id')})`
      const isAsked = row.has('aliases') ? sql`(${row.gives('aliases')} or ${turns(row, 'vendor_id')})` : turns(row, 'vendor_id')
      return sql`(select min(wanted) from jsonb_array_elements_text(case when ${isAsked} then ${row.will('aliases', stored)} end) wanted where ${isNamed(row, kind, sql.ref('wanted'))})`
    },
  }
}

/**
 * Returns the condition that another account of the row's vendor has this name. `offset 0` keeps each search an index search by its number:
 * without it, the planner reads all accounts of the client for each row, to hash them.
 */
function isNamed(row: RuleRow, kind: AccountKind, wanted: Sql): RawBuilder<SqlBool> {
  const plain = plainNumberColumn(wanted)
  const named = (other: AccountKind): RawBuilder<SqlBool> => {
    const { table, key } = accountTables[other]
    const vendor = other === kind ? row.other('account', 'vendor_id') : sql.ref('account.vendor_id')
    const isOther = other === kind ? sql`and account.id is distinct from ${row.item('id')}` : sql``
    const ofVendor = sql`${vendor} is not distinct from ${row.will('vendor_id')} ${isOther}`
    return sql<SqlBool>`exists (select from ${sql.table(table)} account where account.client_id = ${row.clientId}
        and ${plainNumberColumn(sql.ref('account.account_number'))} = ${plain} and ${ofVendor} offset 0)
      or exists (select from account_aliases alias join ${sql.table(table)} account on account.client_id = alias.client_id and account.id = alias.${sql.ref(key)}
        where alias.client_id = ${row.clientId} and ${plainNumberColumn(sql.ref('alias.alias'))} = ${plain} and ${ofVendor} offset 0)`
  }
  return sql<SqlBool>`(${named('billable_account')} or ${named('supply_account')})`
}

/** A form does not show these warnings: its user sees the one account that they concern. */
function vendorWarnings(kind: AccountKind): RowRule[] {
  const { table, key } = accountTables[kind]
  const rule = (message: string, when: (row: RuleRow) => Sql): RowRule => ({
    field: 'vendor_id',
    about: ['vendor_id'],
    severity: 'warn',
    message,
    when: (row) => sql<SqlBool>`${turns(row, 'vendor_id')} and ${when(row)}`,
  })
  return [
    rule(
      'The vendor has an account with this number already',
      ({ item, will, other }) => sql`exists (select from ${sql.table(table)} twin
      where twin.client_id = ${item('client_id')} and twin.account_number = ${item('account_number')} and twin.id <> ${item('id')}
        and ${other('twin', 'vendor_id')} = ${will('vendor_id')})`,
    ),
    rule(
      'Bills that are in a payment keep the vendor that it names',
      ({ item }) => sql`exists (select from bills
      where bills.client_id = ${item('client_id')} and ${sql.ref(`bills.${key}`)} = ${item('id')} and (bills.paid or bills.vendor_payment_id is not null))`,
    ),
  ]
}
