/** Totals of lists, cached by scope, filter and data version, so that they are never stale. */
import type { ListQuery } from '#contract/kernel/query.ts'
import { sql } from 'kysely'
import type { Tx } from '../postgres/database.ts'
import type { Where } from './list-conditions.ts'
import { joinsFor, rowsOf, type Asked, type Source } from './list-source.ts'
import { and } from './scope-condition.ts'

const totalsMax = 5_000
const totals = new Map<string, { version: string; total: number }>()

/** Counts the rows of a list. The version is read first: a count that is newer than its version is merely repeated. */
export async function readTotal(tx: Tx, source: Source, query: ListQuery, asked: Asked, where: Where): Promise<number> {
  const key = listKey(source, query, asked)
  const version = await dataVersion(tx, source, asked)
  const cached = totals.get(key)
  if (cached?.version === version) return cached.total
  const joins = joinsFor(source, where.keys)
  const { rows } = await sql<{
    total: number
  }>`select count(*) as total from ${rowsOf(source, asked)} ${joins} where ${and(where.conditions)}`.execute(tx)
  const total = rows[0]?.total ?? 0
  if (totals.size >= totalsMax) totals.clear()
  totals.set(key, { version, total })
  return total
}

/** Returns the total if it was counted for this version. */
export function knownTotal(source: Source, query: ListQuery, asked: Asked, version: string): number | undefined {
  const cached = totals.get(listKey(source, query, asked))
  return cached?.version === version ? cached.total : undefined
}

/** Returns the sum of the versions in scope and of the reference data, which lists join (G-DATA-VERSION). */
export async function dataVersion(tx: Tx, source: Source, asked: Asked): Promise<string> {
  const clients = clientsOf(source, asked)
  const condition = clients === 'all' ? sql`true` : sql`client_id = any(${[0, ...clients]}::bigint[])`
  const { rows } = await sql<{
    version: string
  }>`select coalesce(sum(version), 0)::text as version from data_versions where ${condition}`.execute(tx)
  return rows[0]?.version ?? '0'
}

function clientsOf(source: Source, asked: Asked): 'all' | readonly number[] {
  if (source.scope === 'shared') return []
  if (asked.clientId !== undefined) return [asked.clientId]
  const parts = asked.reach.map((part) => part.clients)
  return parts.includes('all') ? 'all' : parts.flatMap((part) => (part === 'all' ? [] : part))
}

/** Returns the key of a list, whatever its page and order. */
export function listKey(source: Source, query: ListQuery, asked: Asked): string {
  return JSON.stringify([
    source.entity.plural,
    source.table,
    asked.clientId ?? null,
    source.scope === 'shared' ? 0 : asked.reach,
    query.filters,
    query.values,
    query.searchTerm,
    source.search ?? [],
    asked.whereKey ?? '',
    asked.madeKey ?? '',
  ])
}
