/** Converts a selection of rows to the body of a bulk call. */
import type { Chosen } from '../kernel/lists/list-selection.ts'

/** Copies the lists, because those of the contract's types are mutable. */
export function bodyOf({ ids, filter, except }: Chosen['which']) {
  if (ids) return { ids: [...ids] }
  return { filter: { q: { ...filterOf(filter) } }, except: [...(except ?? [])] }
}

function filterOf(filter: Chosen['which']['filter']): Record<string, string | number | boolean | (string | number)[]> {
  return Object.fromEntries(
    Object.entries(filter?.q ?? {}).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, typeof value === 'object' ? [...value] : value] as const],
    ),
  )
}
