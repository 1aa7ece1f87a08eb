/** Exports all found accounts as one CSV file, both kinds one after the other. */
import { noFilterMessage, searchedKinds, type SearchExportInput, type SearchedKind } from '#contract/advanced-search/advanced-search.ts'
import { accountTypes } from '#contract/bills/bill.ts'
import type { Started } from '#contract/kernel/call.ts'
import { boolean, choice, date, derived, entity, optional, text } from '#contract/kernel/entity.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { defineWhereOf, startExport } from '../kernel/lists/export.ts'
import { matchingIds, or, type Source } from '../kernel/lists/list.ts'
import type { Principal } from '../kernel/principal.ts'
import { invalid } from '../kernel/problem.ts'
import { checkedQuery, registered } from '../kernel/lists/sources.ts'
import { givenFilters, isNarrowed } from './search-accounts.ts'
import { accountColumns, accountJoins, kindReach, searchSources } from './search-sources.ts'

const found = entity(
  'advanced_search',
  'advanced_search',
  {
    client_name: derived(text('Client')),
    account_type: derived(choice('Account Type', accountTypes)),
    is_group_account: derived(boolean('Group Account')),
    account_number: derived(text('Account Number')),
    name: derived(text('Account Name')),
    vendor_name: derived(optional(text('Vendor'))),
    services: derived(optional(text('Services'))),
    division_name: derived(optional(text('Division'))),
    facility_number: derived(optional(text('Facility Number'))),
    facility_name: derived(optional(text('Facility'))),
    street_address_1: derived(text('Street Address 1')),
    street_address_2: derived(optional(text('Street Address 2'))),
    city: derived(text('City')),
    state: derived(text('State')),
    zip: derived(text('Zipcode')),
    active: derived(boolean('Active')),
    last_bill_date: derived(optional(date('Last Bill Date'))),
  },
  { filter: [], sort: ['account_type'], defaultSort: 'account_type asc' },
  { labels: 'Advanced Search' },
)

const within = (column: string) => (ids: readonly number[]) => sql<boolean>`${sql.ref(column)} = any(${ids}::bigint[])`

const searchedAccounts: Source = {
  entity: found,
  table: 'searched_accounts',
  scope: {
    client: sql.ref('searched_accounts.client_id'),
    levels: {
      division: (ids, client) => sql<boolean>`exists (select from facilities scope_facility where scope_facility.client_id = ${client}
        and scope_facility.id = searched_accounts.facility_id and scope_facility.division_id = any(${ids}::bigint[]))`,
      facility: within('searched_accounts.facility_id'),
      billable_account: within('searched_accounts.billable_account_id'),
      supply_account: within('searched_accounts.supply_account_id'),
    },
  },
  joins: accountJoins('searched_accounts', sql`left join`),
  columns: {
    ...accountColumns,
    services: {
      sql: sql`(select string_agg(distinct kind.name, '; ' order by kind.name) from services join utility_services kind on kind.id = services.utility_service_id
        where services.client_id = searched_accounts.client_id and (services.billable_account_id = searched_accounts.billable_account_id
          or services.supply_account_id = searched_accounts.supply_account_id))`,
    },
  },
}
registered.set(found.plural, searchedAccounts)

const ids = z.array(z.int().positive()).nullable()
const wanted = z.object({
  q: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])),
  client_id: z.int().nullable(),
  billable_accounts: ids,
  supply_accounts: ids,
})
type Wanted = z.infer<typeof wanted>

/** The search runs again when the file is written, with the user's reach at that time. */
const matches = defineWhereOf('advanced_search_matches', wanted, (principal, asked) =>
  or(searchedKinds.map((kind) => matchesOf(principal, kind, asked))),
)

function matchesOf(principal: Principal, kind: SearchedKind, { q, client_id, ...chosen }: Wanted) {
  const source = searchSources[kind]
  const query = { ...checkedQuery(source, { q }), values: chosen[kind] }
  const matching = matchingIds(source, query, { reach: kindReach(principal, kind), clientId: client_id ?? undefined })
  const id = kind === 'billable_accounts' ? sql`searched_accounts.billable_account_id` : sql`searched_accounts.supply_account_id`
  return sql<boolean>`${id} in (${matching})`
}

/**
 * Throws 422 if there are neither filters nor ids, or if one of them cannot be read. If ids are given, a kind without ids contributes no rows.
 */
export async function exportSearch(context: Context, clientId: number | undefined, input: SearchExportInput): Promise<Started> {
  const q = givenFilters(input.q)
  const chosen = input.billable_accounts !== undefined || input.supply_accounts !== undefined
  if (!chosen && !isNarrowed(q)) throw invalid({ q: [noFilterMessage] })
  for (const kind of searchedKinds) checkedQuery(searchSources[kind], { q })
  const asked = {
    q: Object.fromEntries(Object.entries(q).map(([key, value]) => [key, typeof value === 'object' ? [...value] : value])),
    client_id: clientId ?? null,
    billable_accounts: chosen ? idsOf('billable_accounts', input.billable_accounts) : null,
    supply_accounts: chosen ? idsOf('supply_accounts', input.supply_accounts) : null,
  }
  return startExport(
    context,
    searchedAccounts,
    { connection_id: input.connection_id },
    { reach: context.reach, clientId, ...matches(context.principal, asked) },
  )
}

function idsOf(key: string, given: string | readonly string[] = []): number[] {
  const parts = (typeof given === 'string' ? given.split(',') : given).map((part) => part.trim()).filter((part) => part !== '')
  if (parts.every((part) => /^[1-9]\d{0,14}$/.test(part))) return parts.map(Number)
  throw invalid({ [key]: [`${key} must be ids`] })
}
