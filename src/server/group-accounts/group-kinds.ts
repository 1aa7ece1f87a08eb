/** The two kinds of group accounts and their sources. Each source is the kind's accounts table, restricted to accounts marked as groups. */
import { statesOfCountry } from '#contract/accounts/address.ts'
import { groupAccount, groupSupplyAccount, type GroupAccount } from '#contract/accounts/group-account.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import {
  accountColumns,
  accountJoins,
  accountTables,
  byAlias,
  type AccountKind,
  accountScope,
  billableAccountScope,
  supplyAccountScope,
} from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import { scopeCondition, type Asked, type Column, type ScopeRule, type Source } from '../kernel/lists/list.ts'
import { reachOf } from '../kernel/principal.ts'
import { askedBy, resource } from '../kernel/lists/resource.ts'

export interface GroupKind {
  readonly account: AccountKind
  /** Name in the trail and on the wire. */
  readonly name: 'group_account' | 'group_supply_account'
  readonly scope: ScopeRule
  readonly read: Permission
}

export const billableGroups: GroupKind = {
  account: 'billable_account',
  name: 'group_account',
  scope: billableAccountScope,
  read: 'billable_account.read',
}
export const supplyGroups: GroupKind = {
  account: 'supply_account',
  name: 'group_supply_account',
  scope: supplyAccountScope,
  read: 'supply_account.read',
}

export const groupAccounts = resource({
  entity: groupAccount,
  ...rowsOf(billableGroups),
  present: (context, rows) => withReachedSubaccounts(context, billableGroups, rows),
})

export const groupSupplyAccounts = resource({
  entity: groupSupplyAccount,
  ...rowsOf(supplyGroups),
  present: (context, rows) => withReachedSubaccounts(context, supplyGroups, rows),
})

const tickedOnly = defineWhere(
  'group_accounts_only',
  z.enum(['billable_account', 'supply_account']),
  (account) => sql<SqlBool>`${sql.ref(`${accountTables[account].table}.is_group_account`)}`,
)

/** Parameters of a list or a record of group accounts. */
export function groupsAsked(context: Context, { account }: GroupKind, params: object): Asked & { clientId?: number | undefined } {
  return { ...askedBy(context, params), ...tickedOnly(account) }
}

/** Returns those of the accounts that the caller may read. */
export async function readableOf(context: Context, { account, scope, read }: GroupKind, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const table = sql.table(accountTables[account].table)
  const inside = scopeCondition({ scope }, { reach: reachOf(context.principal, read) })
  const { rows } = await sql<{
    id: number
  }>`select ${table}.id from ${table} where ${inside} and ${table}.id = any(${[...new Set(ids)]}::bigint[])`.execute(context.tx)
  return new Set(rows.map((row) => row.id))
}

function rowsOf(kind: GroupKind): Omit<Source, 'entity'> {
  const { facility, division_id, division_name, vendor_name, client } = columnsOf(kind)
  return {
    table: accountTables[kind.account].table,
    scope: kind.scope,
    joins: accountJoins(kind.account),
    columns: {
      facility,
      facility_name: facility,
      division_id,
      division_name,
      vendor_name,
      client,
      country: countryColumn(kind),
      subaccount_ids: { sql: sql`array(select member.id ${membersOf(kind)} order by member.account_number, member.id)` },
    },
    // The file names them, as far as the requester may see them.
    cells: {
      subaccount_ids: ({ reach }) => sql`(select string_agg(member.account_number, '; ' order by member.account_number, member.id)
        ${membersOf(kind)} and ${scopeCondition({ scope: accountScope('member', kind.account) }, { reach })})`,
    },
    search: ['account_number', 'name', byAlias(kind.account)],
  }
}

/** Columns that both kinds have under the same names. */
export function columnsOf({ account }: GroupKind): Record<'facility' | 'division_id' | 'division_name' | 'vendor_name' | 'client', Column> {
  const none: Column = { sql: sql`null` }
  const { facility = none, division_id = none, division_name = none, vendor_name = none, client = none } = accountColumns(account)
  return { facility, division_id, division_name, vendor_name, client }
}

/** An address stores no country: it follows from the state. */
export function countryColumn({ account }: GroupKind): Column {
  const codes = statesOfCountry.CA.map((state) => sql.lit(state))
  return {
    sql: sql`case when ${sql.ref(`${accountTables[account].table}.state`)} in (${sql.join(codes)}) then 'CA' else 'US' end collate natural_order`,
  }
}

function membersOf({ account }: GroupKind): RawBuilder<unknown> {
  const { table, group } = accountTables[account]
  return sql`from ${sql.table(table)} member where member.client_id = ${sql.ref(`${table}.client_id`)}
    and ${sql.ref(`member.${group}`)} = ${sql.ref(`${table}.id`)}`
}

/** Removes the ids of subaccounts that the reader may not see. */
async function withReachedSubaccounts(context: Context, kind: GroupKind, rows: readonly GroupAccount[]): Promise<GroupAccount[]> {
  const readable = await readableOf(
    context,
    kind,
    rows.flatMap((row) => row.subaccount_ids),
  )
  return rows.map((row) => ({ ...row, subaccount_ids: row.subaccount_ids.filter((id) => readable.has(id)) }))
}
