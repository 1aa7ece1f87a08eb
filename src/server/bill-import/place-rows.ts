/**
 * Puts the rows of a file in order: which account each bills, and which of them are one bill. The answer stands in the temporary table
 * `bill_import_rows`, by account, date and line, so that whoever reads on never holds more than a few accounts.
 */
import { billRowKey } from '#contract/import-bills.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { billableAccountScope, supplyAccountScope } from '../estate-scope.ts'
import type { Context } from '../kernel/context.ts'
import type { ImportWork } from '../kernel/import-worker.ts'
import { scopeCondition } from '../kernel/list.ts'

export type Placing = Pick<ImportWork, 'importId' | 'clientId' | 'reach' | 'onlySeen'>

/** Fills `bill_import_rows`: `account_id` is null where no account or several (`hits`) fit what the row names. */
export async function placeRows({ tx }: Context, parts: Placing): Promise<void> {
  // Rows that came a moment ago are in no statistics: joins by hash are never far from the best for them.
  await sql`set local enable_nestloop = off`.execute(tx)
  await sql`create temp table bill_import_rows on commit drop as
    with ${staged(parts)}, ${wanted}, ${account(parts)}, ${hit(parts)}, ${fitting}, ${named}
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

/** A later attempt in the same transaction starts anew. */
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

const wanted = sql`wanted as materialized (select distinct number, vendor, type, translate(number, ' -', '') as stripped from staged where number <> '')`

function account({ clientId, reach }: Placing): RawBuilder<unknown> {
  const inside = (scope: typeof billableAccountScope): RawBuilder<SqlBool> => scopeCondition({ scope }, { reach, clientId })
  return sql`account as (
    select 'BillableAccount'::text as account_type, id, vendor_id, account_number from billable_accounts where ${inside(billableAccountScope)}
    union all select 'SupplyAccount', id, vendor_id, account_number from supply_accounts where ${inside(supplyAccountScope)})`
}

/** 1 as it stands, 2 without spaces and dashes, 3 by an alias. */
function hit({ clientId }: Placing): RawBuilder<unknown> {
  return sql`hit as (
    select wanted.number, wanted.vendor, wanted.type, account.account_type, account.id, account.vendor_id, case when account.account_number = wanted.number then 1 else 2 end as how
      from wanted join account on translate(account.account_number, ' -', '') = wanted.stripped
    union all
    select wanted.number, wanted.vendor, wanted.type, account.account_type, account.id, account.vendor_id, 3 from wanted
      join account_aliases alias on alias.client_id = ${clientId} and translate(alias.alias, ' -', '') = wanted.stripped
      join account on account.id = coalesce(alias.billable_account_id, alias.supply_account_id)
        and (account.account_type = 'BillableAccount') = (alias.billable_account_id is not null))`
}

/** Of what fits the vendor and the type that the row names, the first way of finding that finds any decides. */
const fitting = sql`fitting as (select hit.number, hit.vendor, hit.type, hit.account_type, hit.id, hit.how, min(hit.how) over (partition by hit.number, hit.vendor, hit.type) as best
  from hit left join vendors on vendors.id = hit.vendor_id
  where (hit.vendor = '' or lower(vendors.short_code collate "default") = hit.vendor) and (hit.type = '' or hit.type = left(hit.account_type, 1)))`

const named = sql`named as (select wanted.number, wanted.vendor, wanted.type, count(distinct (account_type, id)) filter (where id is not null)::int as hits,
    case when count(distinct (account_type, id)) = 1 then min(account_type) end as account_type, case when count(distinct (account_type, id)) = 1 then min(id) end as account_id,
    bool_or(wanted.vendor = '' or known.code is not null) as vendor_is_known
  from wanted left join fitting on (fitting.number, fitting.vendor, fitting.type) = (wanted.number, wanted.vendor, wanted.type) and fitting.how = fitting.best
    left join (select distinct lower(short_code collate "default") as code from vendors) known on known.code = wanted.vendor
  group by wanted.number, wanted.vendor, wanted.type)`
