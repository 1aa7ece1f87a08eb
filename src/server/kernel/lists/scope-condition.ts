/** Tenant scope as SQL: which rows of a table a reach covers. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { covers, type Reach } from '../principal.ts'

export type Condition = RawBuilder<SqlBool>

/** Tenant column of the rows, and the part of them that a narrowed role sees. */
export interface ScopeRule {
  readonly client: RawBuilder<unknown>
  /** Per level of narrowing; a missing level sees nothing. */
  readonly levels: Readonly<Record<string, ScopeLevel>>
}

/**
 * Condition that a row lies within the given ids. `client` is the client as a constant where there is one, else the column of the rows: a
 * query inside the condition compares its tables with it, so that it reads the partition of that client alone.
 */
export type ScopeLevel = (ids: readonly number[], client: RawBuilder<unknown>) => Condition

/** The reach of a request, and the client of its path. */
export interface Inside {
  readonly reach: Reach
  readonly clientId?: number | undefined
}

/** Returns the condition for the rows inside the reach. Without a grant nothing is reached. */
export function scopeCondition(source: { readonly scope: 'shared' | ScopeRule }, asked: Inside): Condition {
  const { scope } = source
  if (scope === 'shared') return sql<SqlBool>`true`
  const { clientId } = asked
  if (clientId === undefined) return or(asked.reach.map((part) => partCondition(scope, part.clients, part.narrowed)))
  const parts = asked.reach.filter((part) => covers(part.clients, clientId))
  const inside = or(parts.map((part) => narrowing(scope, part.narrowed, sql`${clientId}`)))
  return sql<SqlBool>`${scope.client} = ${clientId} and ${inside}`
}

function partCondition(scope: ScopeRule, clients: 'all' | readonly number[], narrowed: Reach[number]['narrowed']): Condition {
  const inside = narrowing(scope, narrowed, clients !== 'all' && clients.length === 1 ? sql`${clients[0]}` : scope.client)
  if (clients === 'all') return inside
  if (clients.length === 1) return sql<SqlBool>`(${scope.client} = ${clients[0]} and ${inside})`
  return sql<SqlBool>`(${scope.client} = any(${clients}::bigint[]) and ${inside})`
}

function narrowing(scope: ScopeRule, narrowed: Reach[number]['narrowed'], client: RawBuilder<unknown>): Condition {
  const levels = Object.entries(narrowed)
  if (levels.length === 0) return sql<SqlBool>`true`
  return or(
    levels.flatMap(([level, ids]) => {
      const within = scope.levels[level]
      return within ? [within(ids, client)] : []
    }),
  )
}

export function and(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join([...conditions], sql` and `)}`
}

export function or(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return sql<SqlBool>`false`
  return conditions.length === 1 && conditions[0] ? conditions[0] : sql<SqlBool>`(${sql.join([...conditions], sql` or `)})`
}
