/** Turns a checked query and the reach of a permission into conditions on a source. */
import type { Field } from '#contract/kernel/entity.ts'
import type { Filter, ListQuery } from '#contract/kernel/query.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { expression, type Asked, type Source } from './list-source.ts'
import { comparedNumber, contains, containsNumber, plainNumber, plainNumberColumn, searchedWords, type SearchedWord } from './list-texts.ts'
import { or, scopeCondition, type Condition } from './scope-condition.ts'
import { ifWhole } from './whole-client.ts'

/** Conditions of a list, and the keys that they use. */
export interface Where {
  readonly conditions: readonly Condition[]
  /** Keys that the conditions read, which determine the joins of a count. */
  readonly keys: readonly string[]
}

export function conditionsOf(source: Source, query: ListQuery, asked: Asked): Where {
  const conditions: Condition[] = [scopeCondition(source, asked), ...(asked.where ?? [])]
  const keys: string[] = []
  for (const filter of query.filters) {
    const own = source.filters?.[filter.key]
    conditions.push(own ? ownCondition(source, filter, own(filter, query.filters), asked) : comparison(source, filter, asked))
    keys.push(filter.key)
  }
  if (query.values) conditions.push(sql<SqlBool>`${sql.ref(source.table)}.id = any(${query.values}::bigint[])`)
  if (query.searchTerm && source.search) {
    const { search } = source
    for (const word of searchedWords(query.searchTerm, asked.clientId))
      conditions.push(or(search.map((key) => (typeof key === 'string' ? holds(source, key, word, asked) : key(word)))))
    keys.push(...search.filter((key) => typeof key === 'string'))
  }
  return { conditions, keys }
}

/** Returns the condition that the text under this key contains the word. */
function holds(source: Source, key: string, { text }: SearchedWord, asked: Asked): Condition {
  const column = expression(source, key, asked)
  return source.entity.fields[key]?.number ? containsNumber(column, text) : contains(column, text)
}

/** A filter of the source's own on a column of the whole client: for a narrowed reach it meets an empty value. */
function ownCondition(source: Source, filter: Filter, own: Condition, asked: Asked): Condition {
  const isMetByNothing = filter.predicate === 'not_eq' || (filter.predicate === 'null' && filter.value === true)
  return ifWhole(source, filter.key, asked, own, isMetByNothing ? sql`true` : sql`false`)
}

function comparison(source: Source, filter: Filter, asked: Asked): Condition {
  if (source.entity.fields[filter.key]?.number && typeof filter.value !== 'boolean') return numberComparison(source, filter, asked)
  return comparisonOf(source, filter, filteredColumn(source, filter.key, asked))
}

/** A row without a client field is filtered by its tenant column. */
function filteredColumn(source: Source, key: string, asked: Asked): RawBuilder<unknown> {
  const { scope, entity, columns = {} } = source
  if (key !== 'client_id' || scope === 'shared' || key in entity.fields || key in columns) return expression(source, key, asked)
  return scope.client
}

/** Numbers are equal regardless of spaces and dashes. */
function numberComparison(source: Source, filter: Filter, asked: Asked): Condition {
  const column = expression(source, filter.key, asked)
  const { value } = filter
  if (typeof value === 'object')
    return comparisonOf(source, { ...filter, value: value.map((one) => plainNumber(String(one))) }, plainNumberColumn(column))
  const compared = comparedNumber(column, String(value))
  return comparisonOf(source, { ...filter, value: compared.text }, compared.column)
}

function comparisonOf(source: Source, filter: Filter, column: RawBuilder<unknown>): Condition {
  const cast = castOf(source.entity.fields[filter.key])
  const { value } = filter
  switch (filter.predicate) {
    case 'cont':
      return contains(column, String(value))
    case 'eq':
      return sql<SqlBool>`${column} = ${value}${cast}`
    case 'not_eq':
      return sql<SqlBool>`${column} is distinct from ${value}${cast}`
    case 'gteq':
      return lowerBound(source, filter, column, cast)
    case 'lteq':
      return upperBound(source, filter, column, cast)
    case 'in':
      return sql<SqlBool>`${column} = any(${value}${arrayCastOf(source.entity.fields[filter.key])})`
    case 'null':
      return value === true ? sql<SqlBool>`${column} is null` : sql<SqlBool>`${column} is not null`
  }
}

/** A day given for a timestamp means that day in New York. */
function lowerBound(source: Source, filter: Filter, column: RawBuilder<unknown>, cast: RawBuilder<unknown>): Condition {
  if (!isDayOfInstant(source, filter)) return sql<SqlBool>`${column} >= ${filter.value}${cast}`
  return sql<SqlBool>`${column} >= (${String(filter.value)}::timestamp at time zone 'America/New_York')`
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
