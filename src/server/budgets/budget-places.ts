/** The record that a comparison is about, and the names of the places that the reader may read. */
import type { BudgetScope } from '#contract/budgets/budget-variance.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { billableAccountScope, clientScope, divisionScope, facilityScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition, type Condition, type ScopeRule } from '../kernel/lists/list.ts'
import { mayIn, reachOf } from '../kernel/principal.ts'
import { forbidden, invalid, notFound } from '../kernel/problem.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import { everywhere } from './read-planned-accounts.ts'

interface Place {
  readonly table: string
  readonly scope: ScopeRule
  readonly may: Permission
  readonly name: RawBuilder<unknown>
  /** On `billable_accounts`. */
  readonly placed: (clientId: number, id: number) => Condition
}

const places: Readonly<Record<BudgetScope, Place>> = {
  client: { table: 'clients', scope: clientScope, may: 'billable_account.read', name: sql`name`, placed: () => everywhere },
  division: {
    table: 'divisions',
    scope: divisionScope,
    may: 'division.read',
    name: sql`name`,
    placed: (clientId, id) =>
      sql<SqlBool>`facility_id in (select id from facilities where client_id = ${clientId} and division_id = ${id})`,
  },
  facility: {
    table: 'facilities',
    scope: facilityScope,
    may: 'facility.read',
    name: sql`name`,
    placed: (_clientId, id) => sql<SqlBool>`facility_id = ${id}`,
  },
  billable_account: {
    table: 'billable_accounts',
    scope: billableAccountScope,
    may: 'billable_account.read',
    name: sql`account_number || ' ' || name`,
    placed: (_clientId, id) => sql<SqlBool>`(id = ${id} or group_account_id = ${id})`,
  },
}

export interface ReadScope {
  readonly id: number
  readonly name: string
  readonly placed: Condition
}

/** Throws forbidden without the right to the record, not-found where it is missing or out of reach. */
export async function readScope(context: Context, clientId: number, type: BudgetScope, given: string | undefined): Promise<ReadScope> {
  const { table, scope, may, name, placed } = places[type]
  if (type !== 'client' && given === undefined) throw invalid({ scope_id: ['scope_id is required'] })
  const id = Number(given ?? clientId)
  if (type === 'client' && id !== clientId) throw invalid({ scope_id: ['scope_id must be the client of the address'] })
  if (!mayIn(context.principal, may, clientId)) throw forbidden()
  const { rows } = await sql<{ name: string }>`select ${name} as name from ${sql.table(table)}
    where ${scopeCondition({ scope }, { reach: reachOf(context.principal, may), clientId })} and id = ${id}`.execute(context.tx)
  const [found] = rows
  if (!found) throw notFound()
  return { id, name: found.name, placed: placed(clientId, id) }
}

export interface PlaceNames {
  readonly facilities: ReadonlyMap<number, { readonly name: string; readonly division_id: number; readonly is_named: boolean }>
  readonly divisions: ReadonlyMap<number, string>
}

/** A place is named by the right and the reach of its own kind. Its id groups the accounts in any case. */
export async function readPlaceNames(
  { tx, principal }: Context,
  clientId: number,
  accounts: readonly { readonly facility_id: number }[],
): Promise<PlaceNames> {
  const ids = [...new Set(accounts.map((account) => account.facility_id))]
  const within = (scope: ScopeRule, may: Permission) => scopeCondition({ scope }, { reach: reachOf(principal, may), clientId })
  const [facilities, divisions] = await Promise.all([
    sql<{ id: number; name: string; division_id: number; is_named: boolean }>`select id, name, division_id,
        ${within(facilityScope, 'facility.read')} as is_named
      from facilities where client_id = ${clientId} and id = any(${ids}::bigint[])`.execute(tx),
    sql<{ id: number; name: string }>`select id, name from divisions
      where ${within(divisionScope, 'division.read')} and client_id = ${clientId}`.execute(tx),
  ])
  return {
    facilities: new Map(facilities.rows.map((row) => [row.id, row])),
    divisions: new Map(divisions.rows.map((row) => [row.id, row.name])),
  }
}
