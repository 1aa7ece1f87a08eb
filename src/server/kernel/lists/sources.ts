/** All sources by their plural names, the check of a list's query, and the check that the caller reaches the ids in a body. */
import type { Field, Fields } from '#contract/kernel/entity.ts'
import { fileWishes, type ExportInput, type FileWishes } from '#contract/kernel/call.ts'
import { sharedKeys, type ListInput, type ListQuery } from '#contract/kernel/query.ts'
import { readListQuery } from '#contract/kernel/read-query.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { scopeCondition, type Asked, type Source } from './list.ts'
import { invalid, unknownRecords } from '../problem.ts'

/** Every resource: exports find their list here. */
export const registered = new Map<string, Source>()

/** A table whose ids a body may name. */
export type Reachable = Pick<Source, 'table' | 'scope'>
const reachable = new Map<string, Reachable>()

/** Registers a table for `ref` fields although no resource answers it. */
export function declareReachable(plural: string, source: Reachable): void {
  reachable.set(plural, source)
}

/** Returns the source that a `ref` field's `refers` names; undefined if it is not declared. */
export function sourceOf(plural: string): Reachable | undefined {
  return registered.get(plural) ?? reachable.get(plural)
}

/** Returns the query of a list, or throws 422 naming its unknown parts. */
export function checkedQuery(
  source: Pick<Source, 'entity' | 'scope' | 'columns'>,
  input: ListInput,
  extraKeys: Readonly<Record<string, Field<unknown>>> = {},
): ListQuery {
  const { query, faults } = readListQuery(withPlainFilters(source, input), source.entity, { ...sharedFields(source), ...extraKeys })
  if (query) return query
  throw invalid(Object.fromEntries(faults.map((fault) => [fault.key, [fault.message]])))
}

const listKeys: readonly string[] = ['q', 'page', 'per', 'values', 'search_term', 'with_total', 'with_rows', ...Object.keys(fileWishes)]

/** Divides the input of an export into the query of its list and the wishes for its file. */
export function ofListAndFile(input: ExportInput): { list: ListInput; file: FileWishes } {
  const { connection_id, format, columns, ...list } = input
  return { list, file: { connection_id, format, columns } }
}

/**
 * Parameters besides `q` are filters too: `facility_id=1`, `division_id[]=2`. `ids` and the entity's own id name the rows themselves. A
 * call declares in its query's schema which of them it accepts. Every list accepts the shared ones; one without a value in its rows narrows
 * nothing.
 */
function withPlainFilters(source: Pick<Source, 'entity' | 'scope' | 'columns'>, input: ListInput): ListInput {
  const { entity } = source
  const plain = Object.entries(input).filter(([key, value]) => !listKeys.includes(key) && value !== undefined)
  if (plain.length === 0) return input
  const known = { ...entity.fields, ...sharedFields(source) }
  const filters = plain
    .filter(([key]) => !sharedKeys.some((shared) => shared === key) || key in known)
    .map(([key, value]) => [filterName(entity.name, key), value])
  const { q, page, per, values, search_term, with_total, with_rows } = input
  return { q: { ...q, ...Object.fromEntries(filters) }, page, per, values, search_term, with_total, with_rows }
}

function filterName(entity: string, key: string): string {
  if (key === 'unpaid') return 'unpaid_eq'
  return key === 'ids' || key === `${entity}_id` ? 'id_in' : `${key}_in`
}

const client: Field<unknown> = { kind: 'ref', label: 'Client', use: 'derived', schema: z.int(), refers: 'clients' }

/** Returns the shared parameters that the list's rows have a value for. The client of a scoped row is its tenant. */
function sharedFields({ entity, scope, columns = {} }: Pick<Source, 'entity' | 'scope' | 'columns'>): Record<string, Field<unknown>> {
  const own = sharedKeys.flatMap((key) => {
    const field = entity.fields[key] ?? (key === 'client_id' && (scope !== 'shared' || key in columns) ? client : undefined)
    return field ? [[key, field] as const] : []
  })
  return Object.fromEntries(own)
}

/** Throws 422 at `field` unless every id names a row inside the client and inside the reach of the call's permission. */
export async function mustReach(
  context: Context,
  source: Reachable,
  ids: readonly number[],
  field: string,
  clientId: number | undefined,
): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const asked: Asked = { reach: context.reach, clientId }
  const { rows } = await sql<{ found: number }>`select count(*) as found from ${sql.table(source.table)}
    where ${scopeCondition(source, asked)} and ${sql.ref(`${source.table}.id`)} = any(${wanted}::bigint[])`.execute(context.tx)
  if (rows[0]?.found !== wanted.length) throw unknownRecords(field, wanted.length)
}

/**
 * The same for every `ref` and `refs` field of a draft that differs from the stored value: an unchanged value need not be reached again.
 */
export async function mustReachRefs(
  context: Context,
  fields: Fields,
  draft: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> | null,
  clientId: number | undefined,
): Promise<void> {
  for (const [key, field] of Object.entries(fields)) {
    const source = field.refers === undefined ? undefined : sourceOf(field.refers)
    if (!source) continue
    const kept = idsOf(before?.[key])
    const ids = idsOf(draft[key]).filter((id) => !kept.includes(id))
    if (ids.length > 0) await mustReach(context, source, ids, key, source.scope === 'shared' ? undefined : clientId)
  }
}

function idsOf(value: unknown): number[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((one) => typeof one === 'number')
}
