/** Changes cached rows of lists, so that they need not be loaded again. */
import type { ListPageData } from './list-data.ts'
import { queryClient } from '../query.ts'

/** Removes a row from every visible list of its kind and subtracts it from their totals; lists not on screen are dropped from the cache. */
export function removeRow(plural: string, id: number): void {
  queryClient.removeQueries({ queryKey: [plural], type: 'inactive' })
  const gone = new Set<string>()
  for (const [key, data] of queryClient.getQueriesData<unknown>({ queryKey: [plural] })) {
    if (!isPage(data) || !data.rows.some((row) => row.id === id)) continue
    gone.add(listOf(key))
    queryClient.setQueryData(key, {
      rows: data.rows.filter((row) => row.id !== id),
      total: data.total === undefined ? undefined : data.total - 1,
    })
  }
  for (const [key, data] of queryClient.getQueriesData<unknown>({ queryKey: [plural] })) {
    if (typeof data === 'number' && gone.has(listOf(key))) queryClient.setQueryData(key, Math.max(0, data - 1))
  }
}

function isPage(data: unknown): data is ListPageData<{ readonly id: number }> {
  return typeof data === 'object' && data !== null && 'rows' in data && Array.isArray(data.rows)
}

/** Returns the call's name: rows and total of one list come from the same call. */
function listOf(key: readonly unknown[]): string {
  return String(key[1])
}
