/** Shares, supplier factors and entry fields of a service in files: read from their cells, compared, and stored. */
import { purchasedOnly, shareRatioError } from '#contract/services/service.ts'
import { sql, type RawBuilder } from 'kysely'
import type { ImportOwn, ImportOwnParts } from '../kernel/imports/import-target.ts'
import { foldedText } from '../kernel/lists/folded-text.ts'

/** A ratio follows the last colon, since names may contain one. */
const readShares = (
  cell: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(select place, nullif(trim(regexp_replace(word, ':[^:]*$', '')), '') as name,
    case when word ~ ':' then nullif(trim(regexp_replace(word, '^.*:', '')), '') end as ratio
  from jsonb_array_elements_text(${cell}) with ordinality as said(word, place)) share`

const isRatio = sql`share.ratio ~ '^(0*\\.\\d{1,4}0*|0*[01](\\.\\d{0,4}0*)?)$'`

function sharesOf({ clientId, json }: ImportOwnParts): RawBuilder<unknown> {
  return sql`${readShares(json('shared_accounts'))}
    left join ledger_accounts account on account.client_id = ${clientId} and ${foldedText(sql.ref('account.name'))} = ${foldedText(sql.ref('share.name'))}`
}

export const sharedAccounts: ImportOwn = {
  now: sql`(select coalesce(jsonb_agg(jsonb_build_object('ledger_account_id', share.ledger_account_id, 'ledger_account_name', account.name, 'share_ratio', share.share_ratio::text)
      order by share.position, share.id), '[]')
    from shared_accounts share join ledger_accounts account on account.client_id = share.client_id and account.id = share.ledger_account_id
    where share.client_id = item.client_id and share.service_id = item.id)`,
  given: (parts) => sql`(select coalesce(jsonb_agg(jsonb_build_object('ledger_account_id', account.id, 'ledger_account_name', account.name,
      'share_ratio', case when ${isRatio} then share.ratio::numeric(9,4)::text end) order by share.place), '[]') from ${sharesOf(parts)})`,
  fault: (parts) => sql`(select case when bool_or(share.name is null) then 'Missing Ledger Account'
      when bool_or(share.ratio is null) then 'Missing Share Ratio'
      when bool_or(account.id is null) then 'This record cannot be found: ' || string_agg(share.name, '; ') filter (where account.id is null)
      when not bool_and(${isRatio}) or max(case when ${isRatio} then share.ratio::numeric end) > 1 then 'Share Ratio must be between 0 and 1, with at most 4 decimals'
      when sum(case when ${isRatio} then share.ratio::numeric end) <> 1 then ${shareRatioError.message}::text end from ${sharesOf(parts)})`,
  store: async ({ tx }, clientId, rows) => {
    await sql`delete from shared_accounts where client_id = ${clientId} and service_id in (select item_id from (${rows}) written)`.execute(
      tx,
    )
    await sql`insert into shared_accounts (client_id, service_id, ledger_account_id, share_ratio, position)
      select ${clientId}::bigint, written.item_id, (share.value ->> 'ledger_account_id')::bigint, (share.value ->> 'share_ratio')::numeric, share.place - 1
      from (${rows}) written, jsonb_array_elements(coalesce(written.value, '[]')) with ordinality share(value, place) order by written.item_id, share.place`.execute(
      tx,
    )
  },
}

/** Returns the utility service that the service will have. */
export function kindOf({ json, named, item }: ImportOwnParts): RawBuilder<unknown> {
  return sql`case when ${json('utility_service_id')} is not null then ${named('utility_service_id')} else ${item('utility_service_id')} end`
}

/** The source follows the second colon, since it may contain one. `parts` is null where the text is of another form. */
function factorsOf({ json }: ImportOwnParts): RawBuilder<unknown> {
  return sql`(select word, parts[1]::int as year, parts[2]::numeric(16,4)::text as value, btrim(parts[3]) as source
    from jsonb_array_elements_text(${json('supplier_factors')}) word
    left join lateral regexp_match(word, '^\\s*(\\d{4})\\s*:\\s*(\\d{1,12}(?:\\.\\d{1,4}0*)?)\\s*:\\s*(\\S.{0,254})\\s*$') parts on true) said`
}

export const supplierFactors: ImportOwn = {
  now: sql`(select coalesce(jsonb_agg(jsonb_build_object('year', factor.year, 'value', factor.value::text, 'source', factor.source) order by factor.year), '[]')
    from service_supplier_factors factor where factor.client_id = item.client_id and factor.service_id = item.id)`,
  given: (parts) =>
    sql`(select coalesce(jsonb_agg(jsonb_build_object('year', said.year, 'value', said.value, 'source', said.source) order by said.year), '[]') from ${factorsOf(parts)})`,
  fault: (
    parts,
  ) => sql`(select case when bool_or(said.year is null) then 'Supplier Factors must be year:factor:source, such as 2025:0.1234:Green Power Co'
      when bool_or(said.year not between 1990 and 2200) then 'Year must be between 1990 and 2200'
      when count(distinct said.year) < count(*) then 'Supplier Factors must have different years'
      when count(*) > 0 and not exists (select from utility_services kind where kind.id = (${kindOf(parts)}) and kind.emissions_scope = 2)
        then ${purchasedOnly}::text end from ${factorsOf(parts)})`,
  store: async ({ tx }, clientId, rows) => {
    await sql`delete from service_supplier_factors where client_id = ${clientId} and service_id in (select item_id from (${rows}) written)`.execute(
      tx,
    )
    await sql`insert into service_supplier_factors (client_id, service_id, year, value, source)
      select ${clientId}::bigint, written.item_id, factor.year, factor.value, factor.source
      from (${rows}) written, jsonb_to_recordset(coalesce(written.value, '[]')) as factor(year int, value numeric, source text)`.execute(tx)
  },
}

/** `name:N` is a field that is no longer used; `name:Y` is one whose name ends like that. */
function fieldsOf({ json }: ImportOwnParts): RawBuilder<unknown> {
  return sql`(select trim(regexp_replace(word, ':\\s*[yn]\\s*$', '', 'i')) as name, word !~* ':\\s*n\\s*$' as active
    from jsonb_array_elements_text(${json('additional_entry_fields')}) word) said`
}

export const additionalFields: ImportOwn = {
  now: sql`(select coalesce(jsonb_agg(jsonb_build_object('name', own.name, 'active', own.active) order by own.name collate "C", own.id), '[]')
    from additional_entry_fields own where own.client_id = item.client_id and own.service_id = item.id)`,
  given: (parts) =>
    sql`(select coalesce(jsonb_agg(jsonb_build_object('name', said.name, 'active', said.active) order by said.name collate "C"), '[]') from ${fieldsOf(parts)})`,
  fault: (parts) => sql`coalesce((select case when bool_or(said.name = '') then 'Missing Field Name'
        when count(distinct said.name) < count(*) then 'Additional Entry Fields must have different names' end from ${fieldsOf(parts)}),
      (select 'Bills carry ' || string_agg(own.name, '; ') || '. Write ' || min(own.name) || ':N instead of leaving it out.' from additional_entry_fields own
        where own.client_id = item.client_id and own.service_id = item.id and own.name not in (select said.name from ${fieldsOf(parts)})
          and exists (select from service_bill_additional_values used where used.client_id = own.client_id and used.additional_entry_field_id = own.id)))`,
  // Values of bills name a field by its id, so that remaining fields keep theirs.
  store: async ({ tx }, clientId, rows) => {
    const wanted = sql`(select written.item_id, said.name, said.active from (${rows}) written, jsonb_to_recordset(coalesce(written.value, '[]')) as said(name text, active boolean)) wanted`
    await sql`delete from additional_entry_fields own where own.client_id = ${clientId} and own.service_id in (select item_id from (${rows}) written)
      and not exists (select from ${wanted} where wanted.item_id = own.service_id and wanted.name = own.name)`.execute(tx)
    await sql`update additional_entry_fields own set active = wanted.active, updated_at = now() from ${wanted}
      where own.client_id = ${clientId} and own.service_id = wanted.item_id and own.name = wanted.name and own.active <> wanted.active`.execute(
      tx,
    )
    await sql`insert into additional_entry_fields (client_id, service_id, name, active) select ${clientId}::bigint, wanted.item_id, wanted.name, wanted.active from ${wanted}
      where not exists (select from additional_entry_fields own where own.client_id = ${clientId} and own.service_id = wanted.item_id and own.name = wanted.name)`.execute(
      tx,
    )
  },
}
