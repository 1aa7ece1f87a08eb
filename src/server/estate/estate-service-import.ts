/** The services in rows of account files: found by their meters, resolved, compared and stored with their accounts. */
import { unknownRecord } from '../kernel/problem.ts'
import { billableLedgersColumn, serviceImportColumns, servicePart } from '#contract/services/import-services.ts'
import { service } from '#contract/services/service.ts'
import { sql, type RawBuilder } from 'kysely'
import { refreshFacts } from '../month-facts/month-facts.ts'
import { accountTables, type AccountKind } from './estate-accounts.ts'
import { startEntryFields } from './estate-entry-fields.ts'
import { serviceScope } from './estate-scope.ts'
import { additionalFields, kindOf, sharedAccounts, supplierFactors } from './estate-service-children.ts'
import { serviceRules } from './estate-service-rules.ts'
import type { Context } from '../kernel/context.ts'
import type { ImportOwn, ImportOwnParts, ImportPartTarget } from '../kernel/imports/import-target.ts'
import { foldedText } from '../kernel/lists/folded-text.ts'

/** Returns services as a part of the imports of one kind of account. */
export function serviceImportPart(kind: AccountKind): ImportPartTarget {
  const own = kind === 'supply_account' ? [...serviceImportColumns, billableLedgersColumn] : serviceImportColumns
  // Inside this target the columns are ordinary ones, not columns of a part.
  const columns = own.map((column) => ({ ...column, part: false }))
  return {
    parent: accountTables[kind].key,
    finer: { reference: 'utility_service_id', text: 'service_name_1' },
    always: ['rank'],
    target: {
      kind: { name: `service of ${kind}`, label: servicePart.label, labels: servicePart.labels, key: [servicePart.key], columns },
      source: { entity: service, table: 'services', scope: serviceScope, rules: serviceRules },
      may: { create: 'service.create', update: 'service.update' },
      links: { entry_field_ids: { table: 'service_entry_fields', parent: 'service_id', column: 'entry_field_id' } },
      own: {
        usage_unit_id: usageUnit,
        usage_factor_ids: usageFactors,
        shared_accounts: sharedAccounts,
        additional_entry_fields: additionalFields,
        supplier_factors: supplierFactors,
      },
      after: async (context, { clientId, changed, made }) => {
        await startEntryFields(context.tx, clientId, made)
        await followUsage(context, clientId, changed)
      },
    },
    complete: (context, clientId) => rankNew(context, kind, clientId),
  }
}

const usageUnit: ImportOwn = {
  now: sql`to_jsonb(item.usage_unit_id)`,
  names: sql`select usage_units.id, units.symbol as name from usage_units join units on units.id = usage_units.unit_id`,
  given: (parts) => sql`to_jsonb(${unitNamed(parts)})`,
  fault: (parts) =>
    sql`case when ${parts.draft('usage_unit_id')} is not null and ${unitNamed(parts)} is null then ${sql.lit(unknownRecord)} end`,
  column: (value) => sql`(${value} #>> '{}')::bigint`,
}

/** Returns the unit of the utility service, else that of another one, which the rule of the form refuses. */
function unitNamed(parts: ImportOwnParts): RawBuilder<unknown> {
  const symbol = parts.draft('usage_unit_id')
  return sql`(select usage_units.id from usage_units join units on units.id = usage_units.unit_id where ${foldedText(sql.ref('units.symbol'))} = ${foldedText(symbol)}
    order by coalesce(usage_units.utility_service_id = ${kindOf(parts)}, false) desc, units.symbol = ${symbol} desc, usage_units.id limit 1)`
}

const usageFactors: ImportOwn = {
  names: sql`select id, name from usage_factors`,
  now: sql`(select coalesce(jsonb_agg(link.usage_factor_id order by link.usage_factor_id), '[]') from service_usage_factors link
    where link.client_id = item.client_id and link.service_id = item.id)`,
  given: (parts) =>
    sql`(select coalesce(jsonb_agg(distinct factor.id order by factor.id), '[]') from ${factorsNamed(parts)} where factor.id is not null)`,
  fault: (parts) =>
    sql`(select ${sql.lit(`${unknownRecord}: `)} || string_agg(wanted.name, '; ') from ${factorsNamed(parts)} where factor.id is null)`,
  store: async ({ tx }, clientId, rows) => {
    await sql`delete from service_usage_factors where client_id = ${clientId} and service_id in (select item_id from (${rows}) written)`.execute(
      tx,
    )
    await sql`insert into service_usage_factors (client_id, service_id, usage_factor_id)
      select ${clientId}::bigint, written.item_id, (factor #>> '{}')::bigint from (${rows}) written, jsonb_array_elements(coalesce(written.value, '[]')) factor`.execute(
      tx,
    )
  },
}

/** Returns the factors of the utility service, else those of another one, which the rule of the form refuses. */
function factorsNamed(parts: ImportOwnParts): RawBuilder<unknown> {
  return sql`jsonb_array_elements_text(${parts.json('usage_factor_ids')}) wanted(name)
    left join lateral (select usage_factors.id from usage_factors where ${foldedText(sql.ref('usage_factors.name'))} = ${foldedText(sql.ref('wanted.name'))}
      order by coalesce(usage_factors.utility_service_id = ${kindOf(parts)}, false) desc, usage_factors.id limit 1) factor on true`
}

/** New services come last, in the order of the file, unless their rows give a position. */
async function rankNew({ tx }: Context, kind: AccountKind, clientId: number): Promise<void> {
  const parent = sql.ref(`services.${accountTables[kind].key}`)
  await sql`update import_plan_part plan set draft = plan.draft || jsonb_build_object('rank', greatest(coalesce(stored.rank, 0), said.rank) + fresh.place)
    from (select line, leader, parent_id, row_number() over (partition by leader order by line) as place from import_plan_part
      where action = 'create' and not draft ? 'rank') fresh
    join (select leader, coalesce(max((draft ->> 'rank')::int), 0) as rank from import_plan_part where action <> 'refused' group by 1) said on said.leader = fresh.leader
    left join (select ${parent} as parent_id, max(services.rank) as rank from services
      where services.client_id = ${clientId} and ${parent} in (select parent_id from import_plan_part) group by 1) stored on stored.parent_id = fresh.parent_id
    where plan.line = fresh.line`.execute(tx)
}

/** Dashboards read stored months, which are updated when the basis of a service's usage and emissions changes. */
async function followUsage({ tx }: Context, clientId: number, changed: (...keys: readonly string[]) => RawBuilder<unknown>): Promise<void> {
  const counted = changed('utility_service_id', 'emissions_factor', 'supply', 'metered')
  const { rows } = await sql<{ id: number }>`select distinct line.service_id as id from service_bills line
    where line.client_id = ${clientId} and line.service_id in (${counted})`.execute(tx)
  await refreshFacts(
    tx,
    clientId,
    rows.map(({ id }) => id),
  )
}
