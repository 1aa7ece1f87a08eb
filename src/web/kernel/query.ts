/** The single cache of server data. Keys begin with the group of the call (`vendors` of `vendors.list`), so that a group can be invalidated. */
import { QueryCache, QueryClient, queryOptions, type InvalidateQueryFilters } from '@tanstack/react-query'
import type { Call } from '#contract/kernel/call.ts'
import { callApi, type CallInput } from './api.ts'
import { ApiProblem } from './api-problem.ts'

/** Data younger than this (ms) is shown without a new request. */
const FRESH_MS = 15_000
const RETRIES = 2

export const queryClient = new QueryClient({
  // Failures of lists and lookups are only logged; each place shows its own loading error.
  queryCache: new QueryCache({ onError: (error, query) => console.warn('could not load', query.queryKey[1], error.message) }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (count, error) => count < RETRIES && error instanceof ApiProblem && error.passing,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
})

/** Returns the query of one reading call, for `useQuery`, `prefetchQuery` and the like. */
export function apiQuery<Params, Query, Body, Reply>(call: Call<Params, Query, Body, Reply>, input: CallInput<Params, Query, Body>) {
  return queryOptions<Reply, ApiProblem | Error>({
    queryKey: keyOf(call, input),
    queryFn: ({ signal }) => callApi(call, { ...input, signal }),
  })
}

export function keyOf(call: { readonly name: string }, input: object): readonly [string, string, object] {
  return [groupOf(call.name), call.name, input]
}

/** Invalidates all data of these groups (`vendors`, `bills`); visible data is loaded again. */
export function refresh(...groups: readonly string[]): void {
  void refreshed(...groups)
}

/** Like `refresh`, but resolves once the visible data is loaded again, or that failed. */
export async function refreshed(...groups: readonly string[]): Promise<void> {
  await Promise.all(groups.map((group) => readAgain({ queryKey: [group] })))
}

/**
 * Invalidates the data that the filters name, and loads what is visible again. A first reading under way may have been answered before the change.
 * The library would wait for it and call it new, so it is invalidated again when it ends.
 */
export async function readAgain(filters: Pick<InvalidateQueryFilters, 'queryKey' | 'refetchType'>): Promise<void> {
  const firstReadings = queryClient
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined })
  await queryClient.invalidateQueries(filters)
  if (firstReadings.length === 0) return
  await Promise.allSettled(firstReadings.map(({ promise }) => promise ?? Promise.resolve()))
  await queryClient.invalidateQueries({ ...filters, predicate: (query) => firstReadings.includes(query) })
}

function groupOf(name: string): string {
  return name.split('.')[0] ?? name
}
