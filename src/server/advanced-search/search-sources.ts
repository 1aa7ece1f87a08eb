/** The sources of found accounts, one for each kind. Both return the same row, each within the reach of its own right. */
import type { FoundAccount, SearchedKind } from '#contract/advanced-search/advanced-search.ts'
import { foundBillable, foundSupply } from '#contract/advanced-search/searched-fields.ts'
import { sql, type RawBuilder } from 'kysely'
import { billableAccountScope, supplyAccountScope } from '../estate/estate.ts'
import type { Source } from '../kernel/lists/list.ts'
import { reachOf, type Principal, type Reach } from '../kernel/principal.ts'
import { direct, filtersOf, ofTexts, type AccountKind } from './search-filters.ts'

const billable: AccountKind = {
  table: 'billable_accounts',
  key: 'billable_account_id',
  type: 'BillableAccount',
  tax_id: direct(sql.ref('billable_accounts.tax_id')),
  service_identifier: ofTexts(sql`array[]::text[]`),
}
const supply: AccountKind = {
  table: 'supply_accounts',
  key: 'supply_account_id',
  type: 'SupplyAccount',
  tax_id: ofTexts(sql.ref('supply_accounts.tax_ids')),
  service_identifier: ofTexts(sql.ref('supply_accounts.service_identifiers')),
}

export const accountColumns = {
  client_name: { sql: sql`client.name`, joins: ['client'] },
  vendor_name: { sql: sql`vendor.name`, joins: ['vendor'] },
  facility_number: { sql: sql`facility.number`, joins: ['facility'] },
  facility_name: { sql: sql`facility.name`, joins: ['facility'] },
  division_id: { sql: sql`facility.division_id`, joins: ['facility'] },
  division_name: { sql: sql`division.name`, joins: ['facility', 'division'] },
} as const

export const searchSources: Readonly<Record<SearchedKind, Source>> = {
  billable_accounts: { ...sourceOf(billable), entity: foundBillable, scope: billableAccountScope },
  supply_accounts: { ...sourceOf(supply), entity: foundSupply, scope: supplyAccountScope },
}

export const accountKinds: Readonly<Record<SearchedKind, AccountKind>> = { billable_accounts: billable, supply_accounts: supply }

/** Fields read for a found account. The file of its last bill is read separately, under the right to read bills. */
export type FoundRow = Omit<FoundAccount, 'last_bill_file_url'>
export const foundKeys: readonly (keyof FoundRow)[] = [
  'id',
  'client_id',
  'account_type',
  'account_number',
  'name',
  'client_name',
  'active',
  'is_group_account',
  'vendor_name',
  'service_types',
  'facility_number',
  'facility_name',
  'division_name',
  'street_address_1',
  'street_address_2',
  'city',
  'state',
  'zip',
  'last_bill_date',
]

const rights = { billable_accounts: 'billable_account.read', supply_accounts: 'supply_account.read' } as const

/** The reach in which the user may both search and read accounts of this kind. */
export function kindReach(principal: Principal, kind: SearchedKind): Reach {
  return searchingReach(principal, rights[kind])
}

/** The reach of a right, limited to roles that also hold the right to search. */
export function searchingReach(principal: Principal, may: Parameters<typeof reachOf>[1]): Reach {
  const searching = principal.grants.filter((grant) => reachOf({ ...principal, grants: [grant] }, 'advanced_search.read').length > 0)
  return reachOf({ ...principal, grants: searching }, may)
}

function sourceOf(kind: AccountKind): Pick<Source, 'table' | 'joins' | 'columns' | 'filters'> {
  const { table } = kind
  const own = (column: string) => sql.ref(`${table}.${column}`)
  return {
    table,
    joins: accountJoins(table, kind === billable ? sql`join` : sql`left join`),
    columns: {
      ...accountColumns,
      account_type: { sql: sql`${sql.lit(kind.type)}::text` },
      service_types: {
        sql: serviceTypes(sql`services.client_id = ${own('client_id')} and ${sql.ref(`services.${kind.key}`)} = ${own('id')}`),
      },
    },
    filters: filtersOf(kind),
  }
}

/** Joins to the names around an account; a supply account may have neither facility nor vendor. */
export function accountJoins(table: string, join: RawBuilder<unknown>): Readonly<Record<string, RawBuilder<unknown>>> {
  const own = (column: string) => sql.ref(`${table}.${column}`)
  return {
    client: sql`join clients client on client.id = ${own('client_id')}`,
    facility: sql`${join} facilities facility on facility.client_id = ${own('client_id')} and facility.id = ${own('facility_id')}`,
    division: sql`${join} divisions division on division.client_id = facility.client_id and division.id = facility.division_id`,
    vendor: sql`${join} vendors vendor on vendor.id = ${own('vendor_id')}`,
  }
}

function serviceTypes(ofAccount: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(json_build_object('name', kind.name, 'symbol', kind.symbol) order by kind.name, kind.symbol), '[]') from (
    select distinct utility_services.name, units.symbol from services
    join utility_services on utility_services.id = services.utility_service_id
    left join usage_units on usage_units.utility_service_id = services.utility_service_id
      and (usage_units.id = services.usage_unit_id or (services.usage_unit_id is null and usage_units.standard))
    left join units on units.id = usage_units.unit_id where ${ofAccount}) kind)`
}
