/** Columns that concern a client as a whole (`ofWholeClient`): a reach that is narrowed inside the client reads them as empty. */
import type { Field } from '#contract/kernel/entity.ts'
import { sql, type RawBuilder } from 'kysely'
import { isNarrowed, reachesWhole, type Reach } from '../principal.ts'
import { scopeCondition, type Condition, type Inside, type ScopeRule } from './scope-condition.ts'

/** The parts of a source that this file reads. */
interface Owner {
  readonly entity: { readonly fields: Readonly<Record<string, Field<unknown>>> }
  readonly scope: 'shared' | ScopeRule
  readonly columns?: Readonly<Record<string, { readonly ofWholeClient?: true }>>
}

/** Returns the value where the reach contains the row's whole client, else the other one. Without a narrowed role it is the value alone. */
export function ifWhole<T>(source: Owner, key: string, asked: Inside, value: RawBuilder<T>, otherwise: RawBuilder<unknown>): RawBuilder<T> {
  const { scope } = source
  if (scope === 'shared' || !isHiddenFrom(source, key, asked)) return value
  return sql<T>`(case when ${wholeClient(scope, asked)} then ${value} else ${otherwise} end)`
}

/** Returns true if some rows may be read with this column empty. */
export function isHiddenFrom({ columns }: Owner, key: string, { reach }: Inside): boolean {
  return columns?.[key]?.ofWholeClient === true && reach.some(isNarrowed)
}

/** Returns the condition that the reach contains the whole client of the row. */
function wholeClient(scope: Pick<ScopeRule, 'client'>, asked: Inside): Condition {
  return scopeCondition({ scope: { client: scope.client, levels: {} } }, asked)
}

/** Returns the row as this reach reads it, for rows that were read to be changed. */
export function asReached<R extends object>(source: Owner, row: R, reach: Reach): R {
  const hidden = keysHiddenIn(source, row, reach).filter((key) => key in row)
  return hidden.length === 0 ? row : { ...row, ...Object.fromEntries(hidden.map((key) => [key, emptyValue(source, key)])) }
}

/** Returns the keys that this reach reads as empty in this row, also where it speaks of what they were before. */
export function keysHiddenIn(source: Owner, row: object, reach: Reach): string[] {
  const clientId: unknown = Reflect.get(row, 'client_id')
  if (typeof clientId === 'number' && reachesWhole(reach, clientId)) return []
  return Object.keys(source.columns ?? {}).filter((key) => isHiddenFrom(source, key, { reach }))
}

function emptyValue({ entity: { fields } }: Owner, key: string): [] | '' | null {
  if (fields[key]?.kind === 'list') return []
  return (fields[key]?.schema.safeParse(null).success ?? true) ? null : ''
}

/** The same in SQL. */
export function emptyText(source: Owner, key: string): RawBuilder<unknown> {
  const value = emptyValue(source, key)
  if (value === null) return sql`null`
  return value === '' ? sql`''` : sql`'[]'`
}
