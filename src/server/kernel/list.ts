/**
 * The list engine: turns a checked query into statements whose plan fits the filter.
 * A count joins only what its filters need; a deep page finds its ids first and joins afterwards; a page past the middle walks the
 * sort index backwards; one client in scope becomes `= $1`. Totals are cached by scope, filter and data version, so they are never stale.
 */
import type { Entity, Field } from '#contract/kernel/entity.ts'
import { readableKeys } from '#contract/kernel/entity.ts'
import type { Filter, ListQuery } from '#contract/kernel/query.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Tx } from './database.ts'
import { covers, type Reach } from './principal.ts'
import { maskPrefix } from './secret.ts'

export type Condition = RawBuilder<SqlBool>
export interface Column {
  readonly sql: RawBuilder<unknown>
  /** Names of the joins that the expression needs. */
  readonly joins?: readonly string[]
}

/** Where rows of a tenant come from and what a narrowed role sees of them. */
export interface ScopeRule {
  readonly client: RawBuilder<unknown>
  /** Per level of narrowing, the condition that a row lies within the given ids. A level that is not named sees nothing. */
  readonly levels: Readonly<Record<string, (ids: readonly number[]) => Condition>>
}

export interface Source {
  readonly entity: Pick<Entity, 'name' | 'plural' | 'fields' | 'list'>
  readonly table: string
  readonly joins?: Readonly<Record<string, RawBuilder<unknown>>>
  /** Expressions of the keys that are no column of the table; keys that the entity lacks are read for `present`. */
  readonly columns?: Readonly<Record<string, Column>>
  /** What an export writes of a key that is no single cell: a text of the records that `asked` reaches. */
  readonly cells?: Readonly<Record<string, (asked: Asked) => RawBuilder<unknown>>>
  readonly scope: 'shared' | ScopeRule
  /** Filters that are more than a comparison with a column. */
  readonly filters?: Readonly<Record<string, (filter: Filter) => Condition>>
  /** Keys that `search_term` looks into. */
  readonly search?: readonly string[]
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
}

/** Rows beyond this offset are found by id first and joined afterwards. */
const deepOffset = 500
const totalsMax = 5_000
const totals = new Map<string, { version: string; total: number }>()

/** Reads one page, of each row the given keys. `total` is absent when the query does not want it, `rows` is empty when it wants only the total. */
export async function readPage<R>(
  tx: Tx,
  source: Source,
  query: ListQuery,
  asked: Asked,
  keys: readonly string[] = selectedKeys(source),
): Promise<{ rows: R[]; total: number | undefined }> {
  const narrowed = (await source.narrow?.(tx, query, asked)) ?? []
  const { conditions, keys: read } = conditionsOf(source, query, asked)
  const where: Where = { conditions: [...conditions, ...narrowed], keys: read }
  const known = query.withTotal ? undefined : knownTotal(source, query, asked)
  const [rows, total] = await Promise.all([
    query.withRows ? readRows<R>(tx, source, query, where, keys, asked, known) : Promise.resolve<R[]>([]),
    query.withTotal ? readTotal(tx, source, query, asked, where) : Promise.resolve(undefined),
  ])
  return { rows, total }
}

/** Reads the one record with this id inside the reach, undefined where there is none. `lock` keeps it for the transaction. */
export async function readOne<R>(tx: Tx, source: Source, id: number, asked: Asked, lock = false): Promise<R | undefined> {
  const table = sql.ref(source.table)
  const conditions = [scopeCondition(source, asked), ...(asked.where ?? []), sql<SqlBool>`${table}.id = ${id}`]
  const keys = selectedKeys(source)
  const joins = joinsFor(source, keys)
  const { rows } =
    await sql<R>`select ${selection(tx, source, keys)} from ${table} ${joins} where ${and(conditions)} ${lock ? sql`for update of ${table}` : sql``}`.execute(
      tx,
    )
  return rows[0]
}

/** The statement of all rows of a list as text columns under their labels, for COPY. Secrets leave by no export, not even masked. */
export function exportStatement(source: Source, query: ListQuery, asked: Asked, wanted: readonly string[]): RawBuilder<unknown> {
  const where = conditionsOf(source, query, asked)
  const keys = wanted.filter((key) => source.entity.fields[key]?.kind !== 'secret')
  const columns = keys.map((key) => sql`${cellOf(source, key, asked)} as ${sql.ref(source.entity.fields[key]?.label ?? 'ID')}`)
  const joins = joinsFor(source, [...keys, query.sort.key, ...where.keys])
  return sql`select ${sql.join(columns)} from ${sql.ref(source.table)} ${joins} where ${and(where.conditions)} order by ${ordering(source, query, false)}`
}

/** Counts what a list holds. The version is read first: a count that is newer than its version is only counted again. */
async function readTotal(tx: Tx, source: Source, query: ListQuery, asked: Asked, where: Where): Promise<number> {
  const key = totalKey(source, query, asked)
  const version = await dataVersion(tx, source, asked)
  const cached = totals.get(key)
  if (cached?.version === version) return cached.total
  const joins = joinsFor(source, where.keys)
  const { rows } = await sql<{
    total: number
  }>`select count(*) as total from ${sql.ref(source.table)} ${joins} where ${and(where.conditions)}`.execute(tx)
  const total = rows[0]?.total ?? 0
  if (totals.size >= totalsMax) totals.clear()
  totals.set(key, { version, total })
  return total
}

function knownTotal(source: Source, query: ListQuery, asked: Asked): number | undefined {
  return totals.get(totalKey(source, query, asked))?.total
}

/** The sum of the versions in scope and of the reference data, which lists join (G-DATA-VERSION). */
async function dataVersion(tx: Tx, source: Source, asked: Asked): Promise<string> {
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

function totalKey(source: Source, query: ListQuery, asked: Asked): string {
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
  ])
}

async function readRows<R>(
  tx: Tx,
  source: Source,
  query: ListQuery,
  where: Where,
  keys: readonly string[],
  { clientId }: Pick<Asked, 'clientId'>,
  known: number | undefined,
): Promise<R[]> {
  const offset = (query.page - 1) * query.per
  const table = sql.ref(source.table)
  if (offset <= deepOffset) {
    const joins = joinsFor(source, [...keys, query.sort.key, ...where.keys])
    const { rows } = await sql<R>`select ${selection(tx, source, keys)} from ${table} ${joins} where ${and(where.conditions)}
      order by ${ordering(source, query, false)} limit ${query.per} offset ${offset}`.execute(tx)
    return rows
  }
  const walk = walkOf(query, offset, known)
  const inner = joinsFor(source, [query.sort.key, ...where.keys])
  // The walk reads nothing but the index of the sort, which holds no client where the list is of all clients.
  const tenant = source.scope === 'shared' || clientId === undefined ? sql`` : sql`and ${source.scope.client} = ${clientId}`
  const { rows } = await sql<R>`with page as materialized (
      select ${table}.id from ${table} ${inner} where ${and(where.conditions)}
      order by ${ordering(source, query, walk.backwards)} limit ${walk.limit} offset ${walk.offset})
    select ${selection(tx, source, keys)} from page join ${table} on ${table}.id = page.id ${tenant} ${joinsFor(source, [...keys, query.sort.key])}
    order by ${ordering(source, query, false)}`.execute(tx)
  return rows
}

/** Past the middle the index is shorter from its end; the total must be known for that. */
function walkOf(query: ListQuery, offset: number, total: number | undefined): { backwards: boolean; limit: number; offset: number } {
  if (total === undefined || offset <= total / 2) return { backwards: false, limit: query.per, offset }
  const limit = Math.min(query.per, Math.max(0, total - offset))
  return { backwards: true, limit, offset: Math.max(0, total - offset - limit) }
}

interface Where {
  readonly conditions: readonly Condition[]
  /** The keys that the conditions read, which decide the joins of a count. */
  readonly keys: readonly string[]
}

function conditionsOf(source: Source, query: ListQuery, asked: Asked): Where {
  const conditions: Condition[] = [scopeCondition(source, asked), ...(asked.where ?? [])]
  const keys: string[] = []
  for (const filter of query.filters) {
    const own = source.filters?.[filter.key]
    conditions.push(own ? own(filter) : comparison(source, filter))
    keys.push(filter.key)
  }
  if (query.values) conditions.push(sql<SqlBool>`${sql.ref(source.table)}.id = any(${query.values}::bigint[])`)
  if (query.searchTerm && source.search) {
    const pattern = containing(query.searchTerm)
    conditions.push(
      sql<SqlBool>`(${sql.join(
        source.search.map((key) => sql`${expression(source, key)} ilike ${pattern}`),
        sql` or `,
      )})`,
    )
    keys.push(...source.search)
  }
  return { conditions, keys }
}

/** The rows that the reach holds, as a condition. Nothing is reached unless something says so. */
export function scopeCondition(source: Pick<Source, 'scope'>, asked: Pick<Asked, 'reach' | 'clientId'>): Condition {
  const { scope } = source
  if (scope === 'shared') return sql<SqlBool>`true`
  const { clientId } = asked
  if (clientId === undefined) return or(asked.reach.map((part) => partCondition(scope, part.clients, part.narrowed)))
  const parts = asked.reach.filter((part) => covers(part.clients, clientId))
  const inside = or(parts.map((part) => narrowing(scope, part.narrowed)))
  return sql<SqlBool>`${scope.client} = ${clientId} and ${inside}`
}

function partCondition(scope: ScopeRule, clients: 'all' | readonly number[], narrowed: Reach[number]['narrowed']): Condition {
  const inside = narrowing(scope, narrowed)
  if (clients === 'all') return inside
  if (clients.length === 1) return sql<SqlBool>`(${scope.client} = ${clients[0]} and ${inside})`
  return sql<SqlBool>`(${scope.client} = any(${clients}::bigint[]) and ${inside})`
}

function narrowing(scope: ScopeRule, narrowed: Reach[number]['narrowed']): Condition {
  const levels = Object.entries(narrowed)
  if (levels.length === 0) return sql<SqlBool>`true`
  return or(
    levels.flatMap(([level, ids]) => {
      const within = scope.levels[level]
      return within ? [within(ids)] : []
    }),
  )
}

function comparison(source: Source, filter: Filter): Condition {
  const column = expression(source, filter.key)
  const cast = castOf(source.entity.fields[filter.key])
  const { value } = filter
  switch (filter.predicate) {
    case 'cont':
      return sql<SqlBool>`${column} ilike ${containing(String(value))}`
    case 'eq':
      return sql<SqlBool>`${column} = ${value}${cast}`
    case 'not_eq':
      return sql<SqlBool>`${column} is distinct from ${value}${cast}`
    case 'gteq':
      return sql<SqlBool>`${column} >= ${lowerBound(source, filter)}${cast}`
    case 'lteq':
      return upperBound(source, filter, column, cast)
    case 'in':
      return sql<SqlBool>`${column} = any(${value}${arrayCastOf(source.entity.fields[filter.key])})`
    case 'null':
      return value === true ? sql<SqlBool>`${column} is null` : sql<SqlBool>`${column} is not null`
  }
}

/** A day given for a point in time means that day in New York. */
function lowerBound(source: Source, filter: Filter): RawBuilder<unknown> {
  return isDayOfInstant(source, filter) ? sql`${String(filter.value)}::timestamp at time zone 'America/New_York'` : sql`${filter.value}`
}

function upperBound(source: Source, filter: Filter, column: RawBuilder<unknown>, cast: RawBuilder<unknown>): Condition {
  if (!isDayOfInstant(source, filter)) return sql<SqlBool>`${column} <= ${filter.value}${cast}`
  return sql<SqlBool>`${column} < (${String(filter.value)}::timestamp + interval '1 day') at time zone 'America/New_York'`
}

function isDayOfInstant(source: Source, filter: Filter): boolean {
  return source.entity.fields[filter.key]?.kind === 'instant' && String(filter.value).length === 10
}

function castOf(field: Field<unknown> | undefined): RawBuilder<unknown> {
  switch (field?.kind) {
    case 'date':
      return sql`::date`
    case 'instant':
      return sql`::timestamptz`
    case 'decimal':
    case 'money':
      return sql`::numeric`
    case 'boolean':
      return sql`::boolean`
    case 'integer':
    case 'ref':
    case 'refs':
      return sql`::bigint`
    default:
      return sql``
  }
}

function arrayCastOf(field: Field<unknown> | undefined): RawBuilder<unknown> {
  switch (field?.kind) {
    case 'date':
      return sql`::date[]`
    case 'decimal':
    case 'money':
      return sql`::numeric[]`
    case 'integer':
    case 'refs':
      return sql`::bigint[]`
    case 'choice':
      return field.choices?.every((one) => typeof one.value === 'number') ? sql`::int[]` : sql`::text[]`
    case 'text':
    case 'long_text':
    case 'email':
      return sql`::text[]`
    default:
      return sql`::bigint[]`
  }
}

/** `%` and `_` are letters to whoever types them. */
export function containing(value: string): string {
  return `%${value.replace(/[\\%_]/g, (letter) => `\\${letter}`)}%`
}

export function expression(source: Source, key: string): RawBuilder<unknown> {
  const own = source.columns?.[key]?.sql
  if (own) return own
  return source.entity.fields[key]?.kind === 'secret'
    ? sql`${maskPrefix}::text || ${sql.ref(`${source.table}.${key}_last4`)}`
    : sql.ref(`${source.table}.${key}`)
}

/** `id` is always the last key, in the sort's own direction: without it a row may stand on two pages. */
function ordering(source: Source, query: ListQuery, backwards: boolean): RawBuilder<unknown> {
  const descending = (query.sort.direction === 'desc') !== backwards
  const id = sql`${sql.ref(source.table)}.id`
  if (query.sort.key === 'id') return descending ? sql`${id} desc` : id
  const column = expression(source, query.sort.key)
  return descending ? sql`${column} desc, ${id} desc` : sql`${column}, ${id}`
}

function selectedKeys(source: Source): string[] {
  const hidden = Object.keys(source.columns ?? {}).filter((key) => !(key in source.entity.fields))
  // Every row of a tenant says whose it is: writes and their trail need it.
  const tenant = source.scope === 'shared' ? [] : ['client_id']
  return [...new Set(['id', 'lock_version', ...readableKeys(source.entity.fields), ...hidden, ...tenant])]
}

/** Fifty columns take longer to put into words than to send: what a source selects is written once. */
const selections = new WeakMap<Source, Map<string, RawBuilder<unknown>>>()

function selection(tx: Tx, source: Source, keys: readonly string[]): RawBuilder<unknown> {
  const known = selections.get(source) ?? new Map<string, RawBuilder<unknown>>()
  selections.set(source, known)
  const name = keys.join()
  const written = known.get(name)
  if (written) return written
  const built = sql.join(keys.map((key) => sql`${expression(source, key)} as ${sql.ref(key)}`))
  const { sql: text, parameters } = built.compile(tx)
  if (parameters.length > 0) return built
  const fixed = sql.raw(text)
  known.set(name, fixed)
  return fixed
}

function joinsFor(source: Source, keys: readonly string[]): RawBuilder<unknown> {
  const needed = new Set(keys.flatMap((key) => source.columns?.[key]?.joins ?? []))
  const joins = Object.entries(source.joins ?? {}).filter(([name]) => needed.has(name))
  return sql.join(
    joins.map(([, join]) => join),
    sql` `,
  )
}

function cellOf(source: Source, key: string, asked: Asked): RawBuilder<unknown> {
  const cell = source.cells?.[key]?.(asked)
  return cell ? defusedText(cell) : defused(source, key)
}

/** A cell that a spreadsheet would run as a formula gets a quote in front; numbers stay numbers; points in time are New York's. */
function defused(source: Source, key: string): RawBuilder<unknown> {
  const column = expression(source, key)
  const kind = source.entity.fields[key]?.kind
  if (kind === 'refs' || kind === 'list' || kind === 'boolean') return sql`(${column})::text`
  if (kind === 'instant') return sql`to_char((${column}) at time zone 'America/New_York', 'YYYY-MM-DD HH24:MI:SS')`
  if (kind !== 'text' && kind !== 'long_text' && kind !== 'email' && kind !== 'secret') return column
  return defusedText(column)
}

function defusedText(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${column} ~ ${formulaStart} then '''' || ${column} else ${column} end`
}

/** The characters, and their full-width forms, that start a formula; quotes before them too, so that imports can take one quote off again. */
const formulaStart = `^'*[=+\\-@\\t\\r\uFF1D\uFF0B\uFF0D\uFF20]`

export function and(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join([...conditions], sql` and `)}`
}

export function or(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return sql<SqlBool>`false`
  return conditions.length === 1 && conditions[0] ? conditions[0] : sql<SqlBool>`(${sql.join([...conditions], sql` or `)})`
}
