/** The scope of a dashboard: its record and the part of it that the caller reaches, as conditions on facts and on services. */
import {
  type DashboardQuery,
  type DashboardScope,
  dashboardScopeMay,
  dashboardScopeOf,
  isClientWide,
} from '#contract/dashboard/dashboard.ts'
import { DEFAULT_BASIS, type DashboardBasis } from '#contract/dashboard/basis.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { billableAccountScope, clientScope, divisionScope, facilityScope, supplyAccountScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition, type Condition, type ScopeRule } from '../kernel/lists/list.ts'
import { mayIn, reachesWhole, reachOf } from '../kernel/principal.ts'
import { forbidden, invalid, notFound } from '../kernel/problem.ts'

export interface ScopedPart {
  readonly client_id: number
  readonly scope: DashboardScope
  readonly id: number
  readonly name: string
  readonly basis: DashboardBasis
  /** True if the caller sees only a part of the client: sums are of that part. */
  readonly partial: boolean
  /** True for the whole client without narrowing. */
  readonly whole: boolean
  /** On `fact`, a row of `factRows`. */
  readonly facts: Condition
  /** On `fact`, the caller's reach in the client, whatever the record; null for all of it. */
  readonly reached: Condition | null
  /** On `services`, joined with `billable` and `supply`. */
  readonly services: Condition
  /** On `fact`, the supply accounts in the caller's reach; null without the right to any. */
  readonly supply_reached: Condition | null
  /** True if usage comes from the supply account's own lines. */
  readonly supplied: boolean
}

/** Throws forbidden without the right, not-found if the record is missing or out of reach. */
export async function scopedPart(context: Context, clientId: number, query: DashboardQuery): Promise<ScopedPart> {
  const scope = query.scope_type ? dashboardScopeOf(query.scope_type) : 'client'
  if (!scope) throw invalid({ scope_type: ['There is no such scope'] })
  if (query.client_id && Number(query.client_id) !== clientId) throw invalid({ client_id: ['client_id must be the client of the address'] })
  const may = dashboardScopeMay[scope]
  if (!mayIn(context.principal, may, clientId)) throw forbidden()
  const id = scopeId(scope, clientId, query.scope_id)
  const asked = { reach: reachOf(context.principal, may), clientId }
  const name = await nameOf(context, scope, id, asked)
  const whole = reachesWhole(asked.reach, clientId)
  const reached = scopeCondition({ scope: factScope(clientId) }, asked)
  const members = scope === 'group_account' || scope === 'group_supply_account' ? await membersOf(context, scope, clientId, id) : [id]
  return {
    client_id: clientId,
    scope,
    id,
    name,
    basis: query.basis ?? DEFAULT_BASIS,
    partial: !whole && isClientWide(scope),
    whole: whole && scope === 'client',
    facts: sql<SqlBool>`${reached} and ${factsOf(scope, clientId, members)}`,
    reached: whole ? null : reached,
    services: sql<SqlBool>`${scopeCondition({ scope: meterScope(clientId) }, asked)} and ${servicesOf(scope, clientId, members)}`,
    supply_reached: supplyReached(context, clientId),
    supplied: scope === 'supply_accounts' || scope === 'supply_account' || scope === 'group_supply_account',
  }
}

function supplyReached({ principal }: Context, clientId: number): Condition | null {
  const may = dashboardScopeMay.supply_account
  if (!mayIn(principal, may, clientId)) return null
  return scopeCondition({ scope: factScope(clientId) }, { reach: reachOf(principal, may), clientId })
}

/** Facts follow the reach of their accounts. */
function factScope(clientId: number): ScopeRule {
  return {
    client: sql.ref('fact.client_id'),
    levels: {
      division: (ids) => sql<SqlBool>`fact.facility_id = any(${facilitiesOf(clientId, ids)})`,
      facility: (ids) => sql<SqlBool>`fact.facility_id = any(${ids}::bigint[])`,
      billable_account: (ids) => sql<SqlBool>`fact.billable_account_id = any(${ids}::bigint[])`,
      supply_account: (ids) => sql<SqlBool>`fact.supply_account_id = any(${ids}::bigint[])`,
    },
  }
}

/** A service follows the reach of its account. The result equals its list, written so that a part of a large client is found by index. */
function meterScope(clientId: number): ScopeRule {
  return {
    client: sql.ref('services.client_id'),
    levels: {
      division: (ids) => servicesAt(clientId, facilitiesOf(clientId, ids)),
      facility: (ids) => servicesAt(clientId, sql`${ids}::bigint[]`),
      billable_account: (ids) => sql<SqlBool>`services.billable_account_id = any(${ids}::bigint[])`,
      supply_account: (ids) => sql<SqlBool>`services.supply_account_id = any(${ids}::bigint[])`,
    },
  }
}

function scopeId(scope: DashboardScope, clientId: number, given: string | undefined): number {
  if (given) {
    if (isClientWide(scope) && Number(given) !== clientId) throw invalid({ scope_id: ['scope_id must be the client of the address'] })
    return Number(given)
  }
  if (!isClientWide(scope)) throw invalid({ scope_id: ['scope_id is required'] })
  return clientId
}

interface Place {
  readonly table: string
  readonly scope: ScopeRule
  readonly name: RawBuilder<unknown>
  readonly only: RawBuilder<unknown>
}

const account = sql`account_number`
const ofClient: Place = { table: 'clients', scope: clientScope, name: sql`name`, only: sql`true` }
const places: Readonly<Record<DashboardScope, Place>> = {
  client: ofClient,
  billable_accounts: ofClient,
  supply_accounts: ofClient,
  division: { table: 'divisions', scope: divisionScope, name: sql`name`, only: sql`true` },
  facility: { table: 'facilities', scope: facilityScope, name: sql`name`, only: sql`true` },
  billable_account: { table: 'billable_accounts', scope: billableAccountScope, name: account, only: sql`true` },
  supply_account: { table: 'supply_accounts', scope: supplyAccountScope, name: account, only: sql`true` },
  group_account: { table: 'billable_accounts', scope: billableAccountScope, name: account, only: sql`is_group_account` },
  group_supply_account: { table: 'supply_accounts', scope: supplyAccountScope, name: account, only: sql`is_group_account` },
}

async function nameOf(context: Context, scope: DashboardScope, id: number, asked: Parameters<typeof scopeCondition>[1]): Promise<string> {
  const place = places[scope]
  const { rows } = await sql<{ name: string }>`select ${place.name} as name from ${sql.table(place.table)}
    where ${scopeCondition(place, asked)} and id = ${id} and ${place.only}`.execute(context.tx)
  const name = rows[0]?.name
  if (name === undefined) throw notFound()
  return name
}

/** Returns a group account and its member accounts. */
async function membersOf(
  context: Context,
  scope: 'group_account' | 'group_supply_account',
  clientId: number,
  id: number,
): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select id from ${sql.table(places[scope].table)} where client_id = ${clientId} and (id = ${id} or ${sql.ref(`${scope}_id`)} = ${id})`.execute(
    context.tx,
  )
  return rows.map((row) => row.id)
}

/** Returns the facilities of divisions as an array, so that even a generic plan uses the index of facilities. */
function facilitiesOf(clientId: number, ids: readonly number[]): RawBuilder<unknown> {
  return sql`array(select id from facilities where client_id = ${clientId} and division_id = any(${ids}::bigint[]))`
}

/**
 * Returns the services of both kinds of accounts at these facilities. They are found through the accounts; otherwise all meters of the client
 * would be read.
 */
function servicesAt(clientId: number, facilities: RawBuilder<unknown>): Condition {
  const under = (accounts: string, key: string) => sql`select meter.id from ${sql.table(accounts)} account
    join services meter on meter.client_id = account.client_id and ${sql.ref(`meter.${key}`)} = account.id
    where account.client_id = ${clientId} and account.facility_id = any(${facilities})`
  return sql<SqlBool>`services.id = any(array(${under('billable_accounts', 'billable_account_id')} union all ${under('supply_accounts', 'supply_account_id')}))`
}

function factsOf(scope: DashboardScope, clientId: number, ids: readonly number[]): Condition {
  switch (scope) {
    case 'client':
      return sql<SqlBool>`true`
    case 'billable_accounts':
      return sql<SqlBool>`fact.billable_account_id is not null`
    case 'supply_accounts':
      return sql<SqlBool>`fact.supply_account_id is not null`
    case 'division':
      return sql<SqlBool>`fact.facility_id = any(${facilitiesOf(clientId, ids)})`
    case 'facility':
      return sql<SqlBool>`fact.facility_id = any(${ids}::bigint[])`
    case 'billable_account':
    case 'group_account':
      return sql<SqlBool>`fact.billable_account_id = any(${ids}::bigint[])`
    case 'supply_account':
    case 'group_supply_account':
      return sql<SqlBool>`fact.supply_account_id = any(${ids}::bigint[])`
  }
}

function servicesOf(scope: DashboardScope, clientId: number, ids: readonly number[]): Condition {
  switch (scope) {
    case 'client':
      return sql<SqlBool>`true`
    case 'billable_accounts':
      return sql<SqlBool>`services.billable_account_id is not null`
    case 'supply_accounts':
      return sql<SqlBool>`services.supply_account_id is not null`
    case 'division':
      return servicesAt(clientId, facilitiesOf(clientId, ids))
    case 'facility':
      return servicesAt(clientId, sql`${ids}::bigint[]`)
    case 'billable_account':
    case 'group_account':
      return sql<SqlBool>`services.billable_account_id = any(${ids}::bigint[])`
    case 'supply_account':
    case 'group_supply_account':
      return sql<SqlBool>`services.supply_account_id = any(${ids}::bigint[])`
  }
}
