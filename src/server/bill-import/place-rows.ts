/**
 * Assigns the rows of a file to accounts and groups them into bills. The result is in the temporary table `bill_import_rows`, ordered by
 * account, date and line, so that readers hold only a few accounts at a time.
 */
import { billRowKey } from '#contract/bill-import/import-bills.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { type AccountKind, foundAccounts, billableAccountScope, supplyAccountScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import type { ImportWork } from '../kernel/imports/import-worker.ts'
import { scopeCondition } from '../kernel/lists/list.ts'

export type Placing = Pick<ImportWork, 'importId' | 'clientId' | 'reach' | 'onlySeen'>

/** Fills `bill_import_rows`. `account_id` is null if the row matches no account or several (`hits`). */
export async function placeRows({ tx }: Context, parts: Placing): Promise<void> {
  // Rows inserted a moment ago have no statistics: hash joins are never far from the best plan for them.
  await sql`set local enable_nestloop = off`.execute(tx)
  await sql`create temp table bill_import_rows on commit drop as
    with ${staged(parts)}, ${wanted}, ${found(parts)}, ${fitting}, ${named}
    select row_number() over (order by account_type, account_id, date, leader, line)::int as place, *
    from (select *, case when account_id is null then line else min(line) over (partition by account_type, account_id, ${rowKey}) end as leader
      from (select staged.line, staged.draft ->> 'date' as date, named.account_type, named.account_id, coalesce(named.hits, 0) as hits, coalesce(named.vendor_is_known, true) as vendor_is_known, ${keys}
        from staged left join named on (named.number, named.vendor, named.type) = (staged.number, staged.vendor, staged.type)) found) led`.execute(
    tx,
  )
  await sql`set local enable_nestloop = on`.execute(tx)
  await sql`create unique index on bill_import_rows (place)`.execute(tx)
  await sql`analyze bill_import_rows`.execute(tx)
}

/** Drops the table, so that a later attempt in the same transaction starts anew. */
export async function forgetPlaces({ tx }: Context): Promise<void> {
  await sql`drop table if exists bill_import_rows`.execute(tx)
}

const keys = sql.join(billRowKey.map((key) => sql`coalesce(staged.draft ->> ${sql.lit(key)}, '') as ${sql.ref(`key_${key}`)}`))
const rowKey = sql.join(billRowKey.map((key) => sql.ref(`key_${key}`)))

function staged({ importId, onlySeen }: Placing): RawBuilder<unknown> {
  const seen = onlySeen
    ? sql`and exists (select from import_outcomes seen where seen.import_id = ${importId} and seen.line = rows.line and seen.row_action = 'create')`
    : sql``
  return sql`staged as materialized (select line, draft, coalesce(draft ->> 'account_number', '') as number, coalesce(lower(draft ->> 'vendor_id'), '') as vendor,
    coalesce(upper(draft ->> 'account_type'), '') as type from import_rows rows where import_id = ${importId} ${seen})`
}

const wanted = sql`wanted as materialized (select distinct number, vendor, type from staged where number <> '')`

function found({ clientId, reach }: Placing): RawBuilder<unknown> {
  const inside = (kind: AccountKind): RawBuilder<SqlBool> => scopeCondition({ scope: accountScopes[kind] }, { reach, clientId })
  return sql`found as (${foundAccounts({ clientId, wanted: sql`(select distinct number from wanted) wanted`, inside })})`
}

const accountScopes = { billable_account: billableAccountScope, supply_account: supplyAccountScope }

/** Among the matches for the row's vendor and type, the first way of matching that finds any decides. */
const fitting = sql`fitting as (select wanted.number, wanted.vendor, wanted.type, found.account_type, found.id, found.how, min(found.how) over (partition by wanted.number, wanted.vendor, wanted.type) as best
  from wanted join found on found.number = wanted.number left join vendors on vendors.id = found.vendor_id
  where (wanted.vendor = '' or lower(vendors.short_code collate "default") = wanted.vendor) and (wanted.type = '' or wanted.type = left(found.account_type, 1)))`

const named = sql`named as (select wanted.number, wanted.vendor, wanted.type, count(distinct (account_type, id)) filter (where id is not null)::int as hits,
    case when count(distinct (account_type, id)) = 1 then min(account_type) end as account_type, case when count(distinct (account_type, id)) = 1 then min(id) end as account_id,
    bool_or(wanted.vendor = '' or known.code is not null) as vendor_is_known
  from wanted left join fitting on (fitting.number, fitting.vendor, fitting.type) = (wanted.number, wanted.vendor, wanted.type) and fitting.how = fitting.best
    left join (select distinct lower(short_code collate "default") as code from vendors) known on known.code = wanted.vendor
  group by wanted.number, wanted.vendor, wanted.type)`
