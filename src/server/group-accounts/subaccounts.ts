/** The accounts on a group account's pages: its subaccounts, and the accounts that can be chosen as subaccounts. */
import { subaccount, type Subaccount } from '#contract/accounts/subaccount.ts'
import { readableKeys } from '#contract/kernel/entity.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { accountJoins, accountTables, byAlias } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import type { Source } from '../kernel/lists/list.ts'
import type { Resource } from '../kernel/lists/resource.ts'
import { registered } from '../kernel/lists/sources.ts'
import { columnsOf, countryColumn, readableOf, type GroupKind } from './group-kinds.ts'

type Subaccounts = Resource<'subaccount', 'subaccounts', typeof subaccount.fields>

/** The accounts of one kind. No body refers to them as subaccounts, so they are registered only for their export. */
export function subaccountsOf(kind: GroupKind): Subaccounts {
  const { table, group } = accountTables[kind.account]
  const { facility, division_id, division_name, vendor_name } = columnsOf(kind)
  const groupId = sql.ref(`${table}.${group}`)
  return {
    entity: subaccount,
    table,
    scope: kind.scope,
    joins: {
      ...accountJoins(kind.account),
      own_group: sql`left join ${sql.table(table)} own_group on own_group.client_id = ${sql.ref(`${table}.client_id`)} and own_group.id = ${groupId}`,
    },
    columns: {
      facility,
      division_id,
      division_name,
      vendor_name,
      country: countryColumn(kind),
      grouped: { sql: sql`(${groupId} is not null)` },
      group_id: { sql: groupId },
      group_name: { sql: sql.ref('own_group.name'), joins: ['own_group'] },
    },
    search: ['account_number', 'name', byAlias(kind.account)],
    present: (context, rows) => withReadableGroups(context, kind, rows),
  }
}

/** The same rows for an export, whose job finds them by this name. The group's visibility is decided in code, so the group is left out. */
export function exportedSubaccounts(kind: GroupKind): Source {
  const plural = `${kind.account}_subaccounts`
  const exported = ['id', ...readableKeys(subaccount.fields).filter((key) => key !== 'group_id' && key !== 'group_name')]
  const source = { ...subaccountsOf(kind), entity: { ...subaccount, plural }, exported }
  registered.set(plural, source)
  return source
}

/** The same rows for a picker. */
export function optionsOfSubaccounts(kind: GroupKind): Source & { readonly entity: { readonly plural: 'subaccount_options' } } {
  return { ...subaccountsOf(kind), entity: { ...subaccount, plural: 'subaccount_options' } }
}

const ofGroup = z.object({ account: z.enum(['billable_account', 'supply_account']), id: z.int() })

/** The subaccounts of one group account. */
export const inGroup = defineWhere('subaccounts_of_group', ofGroup, ({ account, id }) => {
  const { table, group } = accountTables[account]
  return sql<SqlBool>`${sql.ref(`${table}.${group}`)} = ${id}`
})

/** All accounts but the group account itself. */
export const besidesGroup = defineWhere(
  'accounts_besides_group',
  ofGroup,
  ({ account, id }) => sql<SqlBool>`${sql.ref(`${accountTables[account].table}.id`)} <> ${id}`,
)

/** The accounts that the group account has or can add. */
export const freeForGroup = defineWhere('accounts_free_for_group', ofGroup, ({ account, id }) => {
  const { table, group } = accountTables[account]
  const groupId = sql.ref(`${table}.${group}`)
  return sql<SqlBool>`(not ${sql.ref(`${table}.is_group_account`)} and ${sql.ref(`${table}.id`)} <> ${id} and (${groupId} is null or ${groupId} = ${id}))`
})

/** Users who see an account may know that it is in a group; the group itself is shown only to users who see the group. */
async function withReadableGroups(context: Context, kind: GroupKind, rows: readonly Subaccount[]): Promise<Subaccount[]> {
  const readable = await readableOf(
    context,
    kind,
    rows.flatMap((row) => row.group_id ?? []),
  )
  return rows.map((row) => (row.group_id === null || readable.has(row.group_id) ? row : { ...row, group_id: null, group_name: null }))
}
