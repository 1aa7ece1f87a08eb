/** Where the rows of lists come from: the declarations of resources, and what they select. */
import type { Entity } from '#contract/kernel/entity.ts'
import { readableKeys } from '#contract/kernel/entity.ts'
import type { Filter, ListQuery } from '#contract/kernel/query.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Tx } from '../postgres/database.ts'
import type { SearchedWord } from './list-texts.ts'
import type { Principal, Reach } from '../principal.ts'
import { maskPrefix } from '../secret.ts'

export type Condition = RawBuilder<SqlBool>
export interface Column {
  readonly sql: RawBuilder<unknown>
  /** What rows are sorted by, where that is not the value itself. */
  readonly order?: RawBuilder<unknown>
  /** Names of the joins that the expression needs. */
  readonly joins?: readonly string[]
  /** The table has no column of this name: the slice stores what is sent of it itself. */
  readonly isStoredApart?: true
}

/** Where rows of a tenant come from and what a narrowed role sees of them. */
export interface ScopeRule {
  readonly client: RawBuilder<unknown>
  /** Per level of narrowing, the condition that a row lies within the given ids. A level that is not named sees nothing. */
  readonly levels: Readonly<Record<string, (ids: readonly number[]) => Condition>>
}

export interface ExportedText {
  readonly header: string
  readonly sql: RawBuilder<unknown>
  /** A number needs no guard against formulas. */
  readonly isNumber?: boolean
  /** Names of the joins that the expression needs. */
  readonly joins?: readonly string[]
}

export interface Source {
  readonly entity: Pick<Entity, 'name' | 'plural' | 'fields' | 'list'>
  readonly table: string
  readonly joins?: Readonly<Record<string, RawBuilder<unknown>>>
  /** Expressions of the keys that are no column of the table; keys that the entity lacks are read for `present`. */
  readonly columns?: Readonly<Record<string, Column>>
  /** What an export writes of a key that is no single cell: a text of the records that `asked` reaches. */
  readonly cells?: Readonly<Record<string, (asked: Asked) => RawBuilder<unknown>>>
  /** What an export writes, in this order, where that is not the id and every field that is one cell. */
  readonly exported?: readonly string[]
  /** What an export has beside them: texts under headers that the import of the list knows, such as the codes of what a record names by id. */
  readonly further?: (tx: Tx, asked: Asked) => Promise<readonly ExportedText[]>
  /** Exported keys that this person may not read of the rows, though they may read the rows. */
  readonly withheld?: (principal: Principal, asked: Asked) => readonly string[]
  readonly scope: 'shared' | ScopeRule
  /** Filters that are more than a comparison with a column. */
  readonly filters?: Readonly<Record<string, (filter: Filter) => Condition>>
  /** Where `search_term` looks for each of its words: keys, and conditions for what lies in other tables. */
  readonly search?: readonly (string | ((word: SearchedWord) => Condition))[]
  /** Looks up beforehand what lets a page be read by a better index. Conditions that it answers follow from the query: they may drop no row. */
  readonly narrow?: (tx: Tx, query: ListQuery, asked: Asked) => Promise<readonly Condition[]>
}

/** What a call asks of a source beyond the query: the client of its path, and conditions of its own. */
export interface Asked {
  readonly reach: Reach
  readonly clientId?: number | undefined
  readonly where?: readonly Condition[]
  /** Says in text what `where` holds, so that totals are cached apart. */
  readonly whereKey?: string
  /** The rows, where no table of the database holds them: a select that stands in the table's place. */
  readonly made?: RawBuilder<unknown>
  /** Says in text how they were made. */
  readonly madeKey?: string
}

/** What a list reads from, under the name of its table. */
export function rowsOf({ table }: Source, { made }: Asked): RawBuilder<unknown> {
  return made ? sql`(${made}) as ${sql.ref(table)}` : sql.ref(table)
}

/** The expression of a key: its own, or the column of the table. */
export function expression(source: Source, key: string): RawBuilder<unknown> {
  const own = source.columns?.[key]?.sql
  if (own) return own
  return source.entity.fields[key]?.kind === 'secret'
    ? sql`${maskPrefix}::text || ${sql.ref(`${source.table}.${key}_last4`)}`
    : sql.ref(`${source.table}.${key}`)
}

/** What the rows are sorted by under this key. */
export function sortExpression(source: Source, key: string): RawBuilder<unknown> {
  return source.columns?.[key]?.order ?? expression(source, key)
}

/** What a row of the wire is read from, where the caller does not say it. */
export function selectedKeys(source: Source): string[] {
  const hidden = Object.keys(source.columns ?? {}).filter((key) => !(key in source.entity.fields))
  // Every row of a tenant says whose it is: writes and their trail need it.
  const tenant = source.scope === 'shared' ? [] : ['client_id']
  return [...new Set(['id', 'lock_version', ...readableKeys(source.entity.fields), ...hidden, ...tenant])]
}

/** What a page selects. */
export interface Selection {
  readonly words: RawBuilder<unknown>
  /** It joins other tables or looks into them: too dear for rows that are only passed over or sorted. */
  readonly isDear: boolean
}

/** Fifty columns take longer to put into words than to send: what a source selects is written once. */
const selections = new WeakMap<Source, Map<string, Selection>>()

/** The columns of these keys, each under its key. */
export function selection(tx: Tx, source: Source, keys: readonly string[]): Selection {
  const known = selections.get(source) ?? new Map<string, Selection>()
  selections.set(source, known)
  const name = keys.join()
  const written = known.get(name)
  if (written) return written
  const built = sql.join(keys.map((key) => sql`${expression(source, key)} as ${sql.ref(key)}`))
  const { sql: text, parameters } = built.compile(tx)
  const isDear = /\bselect\b/.test(text) || keys.some((key) => (source.columns?.[key]?.joins ?? []).length > 0)
  if (parameters.length > 0) return { words: built, isDear }
  const fixed = { words: sql.raw(text), isDear }
  known.set(name, fixed)
  return fixed
}

/** The joins that these keys need, in the order in which the source names them. */
export function joinsFor(source: Source, keys: readonly string[], further: readonly string[] = []): RawBuilder<unknown> {
  const needed = new Set([...keys.flatMap((key) => source.columns?.[key]?.joins ?? []), ...further])
  const joins = Object.entries(source.joins ?? {}).filter(([name]) => needed.has(name))
  return sql.join(
    joins.map(([, join]) => join),
    sql` `,
  )
}
