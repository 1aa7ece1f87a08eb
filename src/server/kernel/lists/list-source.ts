/** Sources of list rows: the declarations of resources, and the columns that they select. */
import type { Entity } from '#contract/kernel/entity.ts'
import { readableKeys } from '#contract/kernel/entity.ts'
import type { Filter, ListQuery } from '#contract/kernel/query.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../postgres/database.ts'
import type { SearchedWord } from './list-texts.ts'
import type { Principal } from '../principal.ts'
import { maskPrefix } from '../secret.ts'
import type { Condition, Inside, ScopeRule } from './scope-condition.ts'
import { emptyText, ifWhole, isHiddenFrom } from './whole-client.ts'

export interface Column {
  readonly sql: RawBuilder<unknown>
  /** Sort expression, if it is not the value itself. */
  readonly order?: RawBuilder<unknown>
  /** Names of the joins that the expression needs. */
  readonly joins?: readonly string[]
  /** The table has no column of this name: the slice stores the sent value itself. */
  readonly isStoredApart?: true
  /**
   * The value concerns the client as a whole, such as the code of a client batch on a bill. A role that is narrowed inside the client reads
   * it as empty, although it reaches the row: in rows, files, filters, sorts and searches.
   */
  readonly ofWholeClient?: true
}

export interface ExportedText {
  readonly header: string
  readonly sql: RawBuilder<unknown>
  /** A number needs no protection against formulas. */
  readonly isNumber?: boolean
  /** Names of the joins that the expression needs. */
  readonly joins?: readonly string[]
}

export interface Source {
  readonly entity: Pick<Entity, 'name' | 'plural' | 'fields' | 'list'>
  readonly table: string
  readonly joins?: Readonly<Record<string, RawBuilder<unknown>>>
  /** Expressions of keys that are not columns of the table. Keys that the entity lacks are read for `present`. */
  readonly columns?: Readonly<Record<string, Column>>
  /** Text that an export writes for a key that is not a single cell, from the records that `asked` reaches. */
  readonly cells?: Readonly<Record<string, (asked: Asked) => RawBuilder<unknown>>>
  /** Keys that an export writes, in this order, if they are not the id and every field that fits in one cell. */
  readonly exported?: readonly string[]
  /**
   * Additional columns of an export: texts under headers that the import of the list knows, such as the codes of records that are named by
   * id.
   */
  readonly further?: (tx: Tx, asked: Asked) => Promise<readonly ExportedText[]>
  /** Exported keys that this person may not read, though they may read the rows. */
  readonly withheld?: (principal: Principal, asked: Asked) => readonly string[]
  readonly scope: 'shared' | ScopeRule
  /**
   * True if a save of the row locks other rows that point to it. Whoever saves one of those may lock this row by its foreign key first, so each
   * would wait for the other if this row were locked for references too.
   */
  readonly locksRowsThatPointToIt?: boolean
  /** Filters that are more than a comparison with a column. `all` are the filters of the query, for filters that hold together. */
  readonly filters?: Readonly<Record<string, (filter: Filter, all: readonly Filter[]) => Condition>>
  /** Places in which each word of `search_term` is searched: keys, and conditions for other tables. */
  readonly search?: readonly (string | ((word: SearchedWord) => Condition))[]
  /** Looks up conditions that allow a better index for a page. They must follow from the query and exclude no row. */
  readonly narrow?: (tx: Tx, query: ListQuery, asked: Asked) => Promise<readonly Condition[]>
}

/** Parameters of a call beyond the query: the client of its path, and additional conditions. */
export interface Asked extends Inside {
  readonly where?: readonly Condition[]
  /** Text form of `where`, so that totals are cached separately. */
  readonly whereKey?: string
  /** Select that replaces the table, if no table of the database holds the rows. */
  readonly made?: RawBuilder<unknown>
  /** Text form of `made`. */
  readonly madeKey?: string
}

/** Returns the relation of a list, under the name of its table. */
export function rowsOf({ table }: Source, { made }: Asked): RawBuilder<unknown> {
  return made ? sql`(${made}) as ${sql.ref(table)}` : sql.ref(table)
}

/** Returns the expression of a key as this reach reads it: its own, or the column of the table. */
export function expression(source: Source, key: string, asked: Inside): RawBuilder<unknown> {
  return ifWhole(source, key, asked, storedExpression(source, key), emptyText(source, key))
}

function storedExpression(source: Source, key: string): RawBuilder<unknown> {
  const own = source.columns?.[key]?.sql
  if (own) return own
  return source.entity.fields[key]?.kind === 'secret'
    ? sql`${maskPrefix}::text || ${sql.ref(`${source.table}.${key}_last4`)}`
    : sql.ref(`${source.table}.${key}`)
}

/** Returns the expression by which rows are sorted under this key. */
export function sortExpression(source: Source, key: string, asked: Inside): RawBuilder<unknown> {
  const order = source.columns?.[key]?.order
  return order ? ifWhole(source, key, asked, order, sql`null`) : expression(source, key, asked)
}

/** Returns the keys of a row on the wire, if the caller does not name them. */
export function selectedKeys(source: Source): string[] {
  const hidden = Object.keys(source.columns ?? {}).filter((key) => !(key in source.entity.fields))
  // Every row of a tenant includes its client: writes and their trail need it.
  const tenant = source.scope === 'shared' ? [] : ['client_id']
  return [...new Set(['id', 'lock_version', ...readableKeys(source.entity.fields), ...hidden, ...tenant])]
}

/** Columns that a page selects. */
export interface Selection {
  readonly words: RawBuilder<unknown>
  /** True if the selection joins or reads other tables: too expensive for rows that are only skipped or sorted. */
  readonly isDear: boolean
}

/** Building the SQL text of fifty columns takes longer than sending it, so the selection of a source is built once. */
const selections = new WeakMap<Source, Map<string, Selection>>()

/** Returns the columns of these keys, each under its key. */
export function selection(tx: Tx, source: Source, keys: readonly string[], asked: Inside): Selection {
  if (keys.some((key) => isHiddenFrom(source, key, asked))) return written(tx, source, keys, asked)
  const known = selections.get(source) ?? new Map<string, Selection>()
  selections.set(source, known)
  const name = keys.join()
  const found = known.get(name)
  if (found) return found
  const built = written(tx, source, keys, asked)
  if (built.isFixed) known.set(name, built)
  return built
}

function written(tx: Tx, source: Source, keys: readonly string[], asked: Inside): Selection & { readonly isFixed: boolean } {
  const built = sql.join(keys.map((key) => sql`${expression(source, key, asked)} as ${sql.ref(key)}`))
  const { sql: text, parameters } = built.compile(tx)
  const isDear = /\bselect\b/.test(text) || keys.some((key) => (source.columns?.[key]?.joins ?? []).length > 0)
  const isFixed = parameters.length === 0
  return { words: isFixed ? sql.raw(text) : built, isDear, isFixed }
}

/** Returns the joins that these keys need, in the order of the source. */
export function joinsFor(source: Source, keys: readonly string[], further: readonly string[] = []): RawBuilder<unknown> {
  const needed = new Set([...keys.flatMap((key) => source.columns?.[key]?.joins ?? []), ...further])
  const joins = Object.entries(source.joins ?? {}).filter(([name]) => needed.has(name))
  return sql.join(
    joins.map(([, join]) => join),
    sql` `,
  )
}
