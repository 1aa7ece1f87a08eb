/** Changes to rows that lists have in the cache, so that a list need not be asked again. */
import type { ListPageData } from './list-data.ts'
import { queryClient } from '../query.ts'

/** Takes a row out of every list of its kind that is on the screen and counts it off their totals; lists out of sight are forgotten. */
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

/** The call's name: rows and total of one list are answers of the same call. */
function listOf(key: readonly unknown[]): string {
  return String(key[1])
}
