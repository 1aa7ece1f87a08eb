/** Reads the query of a list: page, sort and filters, each fault by the parameter that has it. */
import { z } from 'zod'
import type { Entity, Field } from './entity.ts'
import {
  type ListInput,
  type ListQuery,
  type QueryFault,
  type Filter,
  pageMax,
  pageSizeDefault,
  pageSizeMax,
  type Sort,
  filterValuesMax,
} from './query.ts'
import { readFilter } from './read-filter.ts'

/**
 * Reads a list's query against the entity's rules. `extraKeys` are filters of the call in addition to the entity's fields, each with the field
 * that types its value.
 * @returns the query, or the faults with the names of their parameters.
 */
export function readListQuery(
  input: ListInput,
  entity: Pick<Entity, 'fields' | 'list'>,
  extraKeys: Readonly<Record<string, Field<unknown>>> = {},
): { query: ListQuery; faults: readonly [] } | { query: null; faults: readonly QueryFault[] } {
  const faults: QueryFault[] = []
  const filters: Filter[] = []
  let sort = parseSort(entity.list.defaultSort)
  for (const [written, value] of Object.entries(input.q ?? {})) {
    if (value === undefined) continue
    if (written === 's') {
      const asked = parseSort(String(value))
      if (asked && entity.list.sort.includes(asked.key)) sort = asked
      else if (String(value) !== '') faults.push({ key: 'q[s]', message: `Unknown sort: ${String(value)}` })
      continue
    }
    const filter = readFilter(written, value, entity, extraKeys)
    if ('message' in filter) faults.push(filter)
    else if (filter.value !== '') filters.push(filter)
  }
  const page = readWhole('page', input.page, 1, pageMax, faults)
  const per = readWhole('per', input.per, entity.list.sizes?.[0] ?? pageSizeDefault, pageMax, faults)
  const values = readValues(input.values, faults)
  if (!sort) throw new Error(`default sort of ${entity.list.defaultSort} cannot be read`)
  if (faults.length > 0) return { query: null, faults }
  return {
    query: {
      filters,
      sort,
      page,
      per: Math.min(per, pageSizeMax),
      values,
      searchTerm: (input.search_term ?? '').trim(),
      withTotal: input.with_total !== false && input.with_total !== 'false',
      withRows: input.with_rows !== false && input.with_rows !== 'false',
    },
    faults: [],
  }
}

/** Parses 'name asc'; null if it is no sort. */
export function parseSort(text: string): Sort | null {
  const [key, direction = 'asc', ...rest] = text.trim().split(/\s+/)
  if (!key || rest.length > 0) return null
  return direction === 'asc' || direction === 'desc' ? { key, direction } : null
}

function readWhole(key: string, value: string | number | undefined, fallback: number, max: number, faults: QueryFault[]): number {
  if (value === undefined) return fallback
  const text = String(value)
  if (/^[1-9]\d{0,15}$/.test(text)) return Math.min(Number(text), max)
  faults.push({ key, message: `${key} must be a positive whole number` })
  return fallback
}

/** `values` is a JSON list of ids (G-VALUES-PARAM). */
function readValues(text: string | undefined, faults: QueryFault[]): readonly number[] | null {
  if (text === undefined) return null
  const ids = z.array(z.int().positive()).max(filterValuesMax).safeParse(jsonOf(text))
  if (ids.success) return ids.data
  faults.push({ key: 'values', message: 'values must be a JSON list of ids' })
  return null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
