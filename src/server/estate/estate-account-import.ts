/** The import columns that billable and supply accounts share: the account's number, its aliases and its group. */
import { aliasesMax } from '#contract/accounts/account-fields.ts'
import { sql, type RawBuilder } from 'kysely'
import { accountTables, type AccountKind } from './estate-accounts.ts'
import { foundAccounts, foundBy, inAnyCase } from './estate-found-accounts.ts'
import { accountScope } from './estate-scope.ts'
import type { ImportMatch, ImportOwn, ImportOwnParts } from '../kernel/imports/import-target.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { reachOf } from '../kernel/principal.ts'
import { refused } from '../kernel/problem.ts'

/** Matches the number as it is written, then without spaces and dashes, then the aliases: among the accounts of the vendor. */
export function accountMatch(kind: AccountKind): ImportMatch {
  return {
    number: 'account_number',
    within: 'vendor_id',
    ways: Object.values(foundBy),
    found: ({ inside, ...search }) => foundAccounts({ ...search, kinds: [kind], inside: () => inside, writing: inAnyCase }),
  }
}

/** A list of texts in the account's own table. */
export function textsColumn(key: string, max: number): ImportOwn {
  return {
    now: sql`to_jsonb(${sql.ref(`item.${key}`)})`,
    given: ({ json }) => json(key),
    fault: ({ json }) => sql`case when jsonb_array_length(${json(key)}) > ${max} then ${`There may be at most ${max}`}::text end`,
    column: (value) => sql`array(select jsonb_array_elements_text(coalesce(${value}, '[]')))`,
  }
}

export function aliasesColumn(kind: AccountKind): ImportOwn {
  const parent = sql.ref(accountTables[kind].key)
  return {
    now: sql`(select coalesce(jsonb_agg(own.alias order by own.id), '[]') from account_aliases own where own.client_id = item.client_id and own.${parent} = item.id)`,
    given: ({ json }) => json('aliases'),
    fault: ({ json }) =>
      sql`case when jsonb_array_length(${json('aliases')}) > ${aliasesMax} then ${`Aliases must have at most ${aliasesMax} entries`}::text end`,
    store: async ({ tx, principal }, clientId, rows) => {
      await sql`delete from account_aliases where client_id = ${clientId} and ${parent} in (select item_id from (${rows}) written)`.execute(
        tx,
      )
      await sql`insert into account_aliases (client_id, ${parent}, alias, created_by) select ${clientId}::bigint, written.item_id, own.alias, ${principal.user_id}::bigint
        from (${rows}) written, jsonb_array_elements_text(coalesce(written.value, '[]')) with ordinality own(alias, place) order by written.item_id, own.place`.execute(
        tx,
      )
    },
  }
}

/**
 * The group by its number, which another row of the file may create. Values are numbers, because a group in the file has no id before it is
 * stored.
 */
export function groupColumn(kind: AccountKind): ImportOwn {
  const { table, group } = accountTables[kind]
  const groups = (clientId: number | undefined, number: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`from ${sql.table(table)} gathering where gathering.client_id = ${clientId} and gathering.is_group_account and gathering.account_number = ${number}`
  return {
    now: sql`to_jsonb((select gathering.account_number from ${sql.table(table)} gathering
      where gathering.client_id = item.client_id and gathering.id = ${sql.ref(`item.${group}`)}))`,
    given: ({ json }) => json(group),
    fault: (parts) => {
      const { clientId, importId, draft, item, reach } = parts
      const number = draft(group)
      const brought = sql`(select count(*) from import_rows other where other.import_id = ${importId} and other.draft ->> 'account_number' = ${number}
        and (other.draft ->> 'is_group_account')::boolean and not exists (select ${groups(clientId, number)}))`
      const inside = scopeCondition({ scope: accountScope('gathering', kind) }, { reach, clientId })
      // Its present group may be outside the reach.
      const reached = sql`(select count(*) ${groups(clientId, number)} and (${inside} or gathering.id = ${item(group)}))`
      return sql`case when ${number} is null then null
        when coalesce((${draft('is_group_account')})::boolean, ${item('is_group_account')}, false) then 'A group account cannot be a subaccount'
        when (select count(*) ${groups(clientId, number)}) + ${brought} > 1 then 'Several group accounts have this number'
        when ${reached} + ${brought} = 0 then 'No group account has this number'
        else ${otherGroup(kind, parts, number)} end`
    },
    store: async ({ tx }, clientId, rows) => {
      const found = sql`(select gathering.id ${groups(clientId, sql`written.value #>> '{}'`)} order by gathering.id limit 1)`
      const { rows: lost } = await sql<{ number: string }>`select written.value #>> '{}' as number from (${rows}) written
        where written.value is not null and ${found} is null limit 1`.execute(tx)
      if (lost[0]) throw refused(`The group account ${lost[0].number} is not there: its row is refused, or it was changed meanwhile.`)
      await sql`update ${sql.table(table)} set ${sql.ref(group)} = ${found} from (${rows}) written
        where ${sql.ref(`${table}.client_id`)} = ${clientId} and ${sql.ref(`${table}.id`)} = written.item_id`.execute(tx)
    },
  }
}

/**
 * An account must leave its group before it joins another, with the message of the group's form: the other group is named to users who can
 * see it.
 */
function otherGroup(kind: AccountKind, { context, clientId, item }: ImportOwnParts, number: RawBuilder<unknown>): RawBuilder<unknown> {
  const { table, group } = accountTables[kind]
  const mine = sql`from ${sql.table(table)} mine where mine.client_id = ${clientId} and mine.id = ${item(group)}`
  const inside = scopeCondition({ scope: accountScope('mine', kind) }, { reach: reachOf(context.principal, `${kind}.read`), clientId })
  const named = sql`(select mine.account_number || ' (' || mine.name || ')' ${mine} and ${inside})`
  return sql`(select ${item('account_number')} || ' (' || ${item('name')} || ') is a subaccount of ' || coalesce(${named}, 'another group account')
    ${mine} and mine.account_number <> ${number})`
}
