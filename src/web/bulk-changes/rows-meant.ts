/** Which rows an act is about, as its call takes them. */
import type { Chosen } from '../kernel/lists/list-selection.ts'

/** The contract's lists are the caller's to change. */
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
