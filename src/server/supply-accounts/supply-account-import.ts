/** Supply accounts from a CSV file, with their services and with the billable services that they supply. */
import { supplyAccountImport } from '#contract/accounts/import-accounts.ts'
import { sql, type RawBuilder } from 'kysely'
import {
  accountMatch,
  aliasesColumn,
  groupColumn,
  textsColumn,
  copyAccountsToBills,
  serviceScope,
  serviceImportPart,
} from '../estate/estate.ts'
import { refreshFacts } from '../month-facts/month-facts.ts'
import type { Context } from '../kernel/context.ts'
import type { ImportDone, ImportOwn, ImportOwnParts, ImportTarget } from '../kernel/imports/import-target.ts'
import { plainNumberColumn, scopeCondition } from '../kernel/lists/list.ts'

const kind = 'supply_account'
/** Maximum service identifiers and tax ids per account. */
const textsMax = 20

export function supplyAccountTarget(source: ImportTarget['source']): ImportTarget {
  return {
    kind: supplyAccountImport,
    source,
    may: { create: 'supply_account.create', update: 'supply_account.update' },
    match: accountMatch(kind),
    own: {
      aliases: aliasesColumn(kind),
      group_supply_account_id: groupColumn(kind),
      service_identifiers: textsColumn('service_identifiers', textsMax),
      tax_ids: textsColumn('tax_ids', textsMax),
      linked_billable_account_number: linkedAccounts,
      billable_service_ids: linkedServices,
    },
    part: serviceImportPart(kind),
    after: follow,
  }
}

/** Updates the copies on bills, and the months of dashboards: usage that a linked service already measures counts once. */
async function follow({ tx }: Context, { clientId, changed }: ImportDone): Promise<void> {
  await copyAccountsToBills(tx, kind, clientId, changed('facility_id', 'vendor_id'))
  const { rows } = await sql<{ item_id: number | null }>`${changed('billable_service_ids')}`.execute(tx)
  const accounts = rows.flatMap(({ item_id }) => item_id ?? [])
  await refreshFacts(tx, clientId, [], { supply_account_ids: accounts })
}

/** Names the accounts of the meters; alone it has no meaning. */
const linkedAccounts: ImportOwn = {
  now: sql`null::jsonb`,
  given: () => sql`null::jsonb`,
  fault: ({ json }) =>
    sql`case when jsonb_array_length(${json('linked_billable_account_number')}) > 0 and coalesce(jsonb_array_length(${json('billable_service_ids')}), 0) = 0
      then 'Linked Meters are required with it' end`,
}

/**
 * Returns each meter of the cell with the services that it may refer to. A single account applies to all meters; `meter:CODE` names the utility
 * service if two services share a meter.
 */
function metersOf({ clientId, json, reach }: ImportOwnParts): RawBuilder<unknown> {
  const accounts = json('linked_billable_account_number')
  const inReach = scopeCondition({ scope: serviceScope }, { reach, clientId })
  return sql`(select said.meter, said.place, said.number, found.ids from (select meter, place,
        ${accounts} ->> (case when jsonb_array_length(${accounts}) = 1 then 0 else place::int - 1 end) as number
      from jsonb_array_elements_text(${json('billable_service_ids')}) with ordinality listed(meter, place)) said
    left join lateral (select array_agg(services.id) as ids from services join billable_accounts account on account.client_id = services.client_id and account.id = services.billable_account_id
      where account.client_id = ${clientId} and ${plainNumberColumn(sql.ref('account.account_number'))} = ${plainNumberColumn(sql.ref('said.number'))}
        and lower(said.meter collate "default") in (lower(services.meter_number collate "default"), lower((services.meter_number collate "default") || ':' || (select kind.code from utility_services kind where kind.id = services.utility_service_id)))
        and ${inReach}) found on true) linked`
}

const linkedServices: ImportOwn = {
  names: sql`select id, meter_number as name from services`,
  now: sql`(select coalesce(jsonb_agg(link.service_id order by link.service_id), '[]') from supply_account_billable_services link
    where link.client_id = item.client_id and link.supply_account_id = item.id)`,
  given: (parts) => sql`(select coalesce(jsonb_agg(distinct linked.ids[1] order by linked.ids[1]), '[]') from ${metersOf(parts)})`,
  fault: (parts) => {
    const accounts = parts.json('linked_billable_account_number')
    const meters = parts.json('billable_service_ids')
    return sql`case when jsonb_array_length(${meters}) = 0 then null
      when coalesce(jsonb_array_length(${accounts}), 0) not in (1, jsonb_array_length(${meters})) then 'Linked Billable Account must name one account, or one for each meter'
      else (select case when cardinality(linked.ids) > 1 then 'Several services have the meter ' else 'No service has the meter ' end || linked.meter || ' on the account ' || linked.number
        from ${metersOf(parts)} where coalesce(cardinality(linked.ids), 0) <> 1 order by linked.place limit 1) end`
  },
  store: async ({ tx }, clientId, rows) => {
    await sql`delete from supply_account_billable_services where client_id = ${clientId} and supply_account_id in (select item_id from (${rows}) written)`.execute(
      tx,
    )
    await sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id)
      select ${clientId}::bigint, written.item_id, (linked #>> '{}')::bigint from (${rows}) written, jsonb_array_elements(coalesce(written.value, '[]')) linked`.execute(
      tx,
    )
  },
}
